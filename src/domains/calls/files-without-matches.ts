import type { Snapshot } from '../../engine/reads/snapshot.ts'
import { callsTable } from '../../engine/tables/calls-table.ts'
import { storageLimits } from '../../lib/limits/storage.ts'
import type { CallsPlan } from '../../query/calls-plan.ts'
import { decidingField } from '../../query/deciding-field.ts'
import type { Expression } from '../../query/expression.ts'
import { conjuncts, timesOf, valuesOf } from '../../query/row-bounds.ts'
import { compileValuesMet } from '../../query/sql/inline-values.ts'

const [, startedAt] = callsTable.order as [string, string]

/**
 * Names of data files that need not be opened: they state all of their values at a path, and none
 * of these meets a condition on it, such as `output.score` > 0.9. Values that a condition names are
 * left to `valuesOf`.
 */
export async function filesWithoutMatches(
  snapshot: Snapshot,
  { projectId, anyOf }: Pick<CallsPlan, 'projectId' | 'anyOf'>,
  where: Expression,
): Promise<ReadonlySet<string>> {
  const without = new Set<string>()
  // Ids lead to their rows anyway.
  if (Object.keys(anyOf).length > 0) return without
  const named = valuesOf(where)
  const times = timesOf(where, startedAt)
  for (const item of conjuncts(where)) {
    const deciding = decidingField(item, startedAt)
    if (deciding === undefined || !deciding.key.includes('/') || named.has(deciding.key)) continue
    const { key } = deciding
    const byFile = await snapshot.countsByFile(callsTable.name, key, { times, except: without })
    const values = new Set(byFile.values().flatMap((counts) => counts.keys()))
    values.delete(null)
    if (values.size === 0 || values.size > storageLimits.statedValuesMax) continue
    const counts = new Map([...values].map((value) => [value, 1]))
    const rows = await snapshot.rows(compileValuesMet({ projectId, key, counts }, deciding.where))
    const met = rows.map(([value]) => value as string | null)
    // A missing value meets it, too.
    if (met.includes(null)) continue
    for (const [fileName, counts] of byFile) if (!met.some((value) => counts.has(value))) without.add(fileName)
  }
  return without
}
