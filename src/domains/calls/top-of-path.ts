import type { Snapshot } from '../../engine/reads/snapshot.ts'
import { callsTable } from '../../engine/tables/calls-table.ts'
import { limits } from '../../lib/limits.ts'
import type { CallsPlan, Relations } from '../../query/calls-plan.ts'
import type { HavingTexts } from '../../query/check/lower.ts'
import { onlyTimes } from '../../query/deciding-field.ts'
import { pathOfRow } from '../../query/path-of-row.ts'
import { compileTopValues } from './sql/top-values.ts'

/**
 * Where the rows of a page in the order of a path are, and the only values that they may have: data
 * files state how many rows have each value. Undefined if too few of them do.
 */
export async function topOfPath(
  snapshot: Snapshot,
  { projectId, where, anyOf, sort, after, limit, offset }: CallsPlan,
  relations: Relations,
): Promise<{ relations: Relations; having: HavingTexts } | undefined> {
  const [first] = sort
  if (limit === undefined || after !== undefined || Object.keys(anyOf).length > 0) return undefined
  const key = first && pathOfRow(first.field)
  if (first === undefined || first.field.kind !== 'json' || key === undefined) return undefined
  const asked = onlyTimes(where, callsTable.order[1]!)
  if (asked === undefined) return undefined
  const { field, direction } = first
  const hints = { paths: [key], times: asked.times }
  const stated = await snapshot.valueCounts(callsTable.name, key, hints)
  if (stated === undefined) return undefined
  const inline = { projectId, key, counts: stated.counts }
  const rest = { relation: stated.rest, where }
  const found = await snapshot.rows(compileTopValues(inline, rest, { field, direction, rows: limit + offset }))
  const texts = found.map(([text]) => text as string | null)
  // Rows without a value have no text to look for: a page with such rows is found by reading them.
  if (texts.length > limits.topValuesMax || texts.some((text) => text === null || text === 'null')) return undefined
  const calls = await snapshot.relationWhere(callsTable.name, {}, hints, {
    values: new Map([[key, texts as string[]]]),
  })
  return { relations: { ...relations, calls }, having: { field, texts: texts as string[] } }
}
