import type { Snapshot } from '../../../engine/reads/snapshot.ts'
import { callsTable } from '../../../engine/tables/calls-table.ts'
import { parseExactly } from '../../../formats/wire/exact-json.ts'
import { limits } from '../../../lib/limits.ts'
import { fieldColumns } from './count-fields.ts'
import { escapedSegment, FieldCount } from './field-count.ts'

/** A field that calls in data files have, and the share of these calls. */
export interface OlderFields {
  readonly count: FieldCount
  readonly calls: number
}

/**
 * Further fields that calls of the project had before the newest ones, as far as data files have
 * columns for them and state their values.
 */
export async function olderFields(snapshot: Snapshot, isKnown: (path: string) => boolean): Promise<OlderFields> {
  const pathOf = (path: string): string | undefined => {
    const known = clientPath(path)
    return known === undefined || known.length > limits.fieldPathCharsMax || isKnown(known) ? undefined : known
  }
  const isWanted = (path: string) => pathOf(path) !== undefined
  const { counts, rows } = await snapshot.statedPaths(callsTable.name, isWanted)
  const count = new FieldCount()
  for (const [stated, byValue] of counts) {
    const path = pathOf(stated)!
    const values = [...byValue].filter((entry): entry is [string, number] => entry[0] !== null)
    // The most frequent ones are the examples.
    for (const [text, calls] of values.toSorted(([, m], [, n]) => n - m)) count.add(path, parseExactly(text), calls)
  }
  return { count, calls: rows }
}

/** The path of a field as clients write it; undefined if they do not see the column. */
function clientPath(path: string): string | undefined {
  const [column, ...pointer] = path.split('/')
  const [name] = column!.split('.')
  if (!fieldColumns.some((known) => known.path === name)) return undefined
  const segments = pointer.map((segment) => escapedSegment(segment.replaceAll('~1', '/').replaceAll('~0', '~')))
  return [column, ...segments].join('.')
}
