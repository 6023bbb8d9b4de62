import type { ReadScope } from '../../engine/reads/reads.ts'
import type { Snapshot } from '../../engine/reads/snapshot.ts'
import type { Store } from '../../engine/store.ts'
import { callsTable } from '../../engine/tables/calls-table.ts'
import type { Cell } from '../../lib/table.ts'
import type { CallsPlan } from '../../query/calls-plan.ts'
import { type DecidingField, decidingField, decidingTexts } from '../../query/deciding-field.ts'
import { isAlways } from '../../query/expression.ts'
import { valuesOf } from '../../query/row-bounds.ts'
import { compileInlineCount } from '../../query/sql/inline-values.ts'

/**
 * A count of all calls, or of those with some values of a field, without a snapshot. Undefined if
 * the data files do not say it alone.
 */
export async function countInFiles(store: Store, plan: CallsPlan, scope: ReadScope): Promise<number | undefined> {
  const { where, after } = plan
  if (after !== undefined) return undefined
  if (isAlways(where)) return (await store.inFiles(callsTable.name, scope, async (files) => files.count())) ?? undefined
  const deciding = decidingOf(plan)
  const texts = deciding && decidingTexts(deciding)
  if (texts === undefined) return undefined
  const { key, times } = deciding!
  const hints = { paths: pathsOf(key), times }
  return (await store.inFiles(callsTable.name, scope, (files) => files.countOf(key, texts, hints))) ?? undefined
}

/**
 * The row of a count of calls that a single field decides, from the values that data files count
 * themselves. Undefined if that is not possible.
 */
export async function countByIndex(snapshot: Snapshot, plan: CallsPlan): Promise<Cell[][] | undefined> {
  const { projectId, where } = plan
  const deciding = decidingOf(plan)
  if (deciding === undefined) return undefined
  const { key, times } = deciding
  const hints = { paths: pathsOf(key), times }
  const found = await snapshot.valueCounts(callsTable.name, key, hints, { values: valuesOf(where) })
  if (found === undefined) return undefined
  const inline = { projectId, key, counts: found.counts }
  return await snapshot.rows(compileInlineCount(inline, deciding.where, { relation: found.rest, where }))
}

function decidingOf({ where, anyOf, after }: CallsPlan): DecidingField | undefined {
  if (after !== undefined || Object.keys(anyOf).length > 0) return undefined
  return decidingField(where, callsTable.order[1]!)
}

const pathsOf = (key: string): string[] => (key.includes('/') ? [key] : [])
