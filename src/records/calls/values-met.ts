import { limits } from '../../limits.ts'
import type { CallsPlan } from '../../query/calls-plan.ts'
import { decidingField } from '../../query/deciding-field.ts'
import type { Expression } from '../../query/expression.ts'
import { conjuncts, timesOf, valuesOf } from '../../query/row-bounds.ts'
import { compileValuesMet } from '../../query/sql/inline-values.ts'
import type { Snapshot } from '../../store/snapshot.ts'
import { callsTable } from '../../tables/calls-table.ts'

const [, startedAt] = callsTable.order as [string, string]

/**
 * Values, one of which each call that meets a condition has: those that it names, and for other
 * conditions on one path, such as `output.score` > 0.9, those of its values in data files that meet
 * it. Files without any of these are not opened.
 */
export async function valuesMet(
  snapshot: Snapshot,
  { projectId, anyOf }: Pick<CallsPlan, 'projectId' | 'anyOf'>,
  where: Expression,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const values = new Map(valuesOf(where))
  // Ids lead to their rows anyway.
  if (Object.keys(anyOf).length > 0) return values
  const times = timesOf(where, startedAt)
  for (const item of conjuncts(where)) {
    const deciding = decidingField(item, startedAt)
    if (deciding === undefined || !deciding.key.includes('/') || values.has(deciding.key)) continue
    const { key } = deciding
    const stated = await snapshot.statedValues(callsTable.name, key, { times })
    if (stated.size === 0 || stated.size > limits.statedValuesMax) continue
    const counts = new Map([...stated].map((value) => [value, 1]))
    const met = (await snapshot.rows(compileValuesMet({ projectId, key, counts }, deciding.where))).map(
      ([value]) => value as string | null,
    )
    // Files state values, but not that each of their calls has one.
    if (met.includes(null) || met.length > limits.locatedValuesMax) continue
    values.set(key, met as string[])
  }
  return values
}
