import { DomainError, tooMany, ValidationError } from '../../lib/errors.ts'
import { requestLimits } from '../../lib/limits/requests.ts'
import { itemAt, valueAt } from '../../lib/present.ts'
import { digestOfJson } from '../../runtime/digest.ts'
import { TimeSlice } from '../../runtime/platform/event-loop.ts'
import type { ProjectReader } from '../access/index.ts'
import { withInternalRefs, withOutsideRefs } from '../records/index.ts'
import type { TableCatalog } from './catalog.ts'
import type { TableUpdate } from './model/row-tables.ts'
import type { Pieces } from './pieces.ts'

/** Rows of a request: digest → JSON text. */
export type SentRows = Map<string, string>

/** The digest of a row touched by an update, or its location. */
type Touched = { readonly digest: string } | { readonly chunk: string; readonly offset: number }

const kinds = ['append', 'pop', 'insert'] as const

/**
 * Applies updates in order. @throws ValidationError for an element with more than one update;
 * DomainError InvalidRequest for a position outside the table, or too many updates
 */
export async function applyUpdates(
  pieces: Pieces,
  updates: readonly TableUpdate[],
  sender: ProjectReader,
): Promise<{ sent: SentRows; touched: readonly Touched[] }> {
  const sent: SentRows = new Map()
  const edits = updates.filter((update) => !('append' in update)).length
  if (edits > requestLimits.tableEditsMax) {
    throw invalid(tooMany('inserts and pops', edits, requestLimits.tableEditsMax, ' per request'))
  }
  const apply = (update: TableUpdate, at: number): Touched => {
    // Only one of several updates in an element would be applied.
    if (kinds.filter((kind) => kind in update).length > 1) {
      const msg = `Expected exactly one of ${kinds.join(', ')}`
      throw new ValidationError([{ loc: ['body', 'updates', String(at)], msg, type: 'value_error' }])
    }
    if ('append' in update) {
      const { digest } = noteRow(sent, sender, update.append.row)
      pieces.append(digest)
      return { digest }
    }
    if ('pop' in update) {
      const { index } = update.pop
      if (index < 0 || index >= pieces.count) throw invalid(outside('pop', index, pieces.count))
      return pieces.remove(index)
    }
    const { index, row } = update.insert
    if (index < 0 || index > pieces.count) throw invalid(outside('insert', index, pieces.count))
    const { digest } = noteRow(sent, sender, row)
    pieces.insert(index, digest)
    return { digest }
  }
  const touched: Touched[] = []
  const slice = new TimeSlice()
  for (const [at, update] of updates.entries()) {
    touched.push(apply(update, at))
    if (slice.expiredNow) await slice.yield()
  }
  return { sent, touched }
}

/** Digests of rows touched by updates; those of rows removed from chunks are read from there. */
export async function resolveDigests(touched: readonly Touched[], catalog: TableCatalog): Promise<string[]> {
  const chunks = [...new Set(touched.flatMap((row) => ('chunk' in row ? [row.chunk] : [])))]
  const digests = await catalog.rowDigests(chunks)
  return touched.map((row) => ('chunk' in row ? itemAt(valueAt(digests, row.chunk), row.offset) : row.digest))
}

/**
 * Records a row under its digest. Digests are computed with internal project ids in refs, as for
 * objects; `sentDigest` is that of the row as sent.
 *
 * @param row a JSON object
 * @throws DomainError InvalidRequest for a malformed ref, or an internal one out of the sender's
 *   scope
 */
export function noteRow(
  sent: SentRows,
  sender: ProjectReader,
  row: unknown,
): { readonly digest: string; readonly sentDigest: string } {
  const internal = withInternalRefs(row)
  const digest = digestOfJson(internal)
  const stored = withOutsideRefs(row, sender)
  if (!sent.has(digest)) sent.set(digest, JSON.stringify(stored))
  return { digest, sentDigest: internal === row ? digest : digestOfJson(row) }
}

const outside = (what: string, index: number, count: number): string =>
  `Cannot ${what} at index ${index}: the table has ${count} rows`

const invalid = (what: string) => new DomainError('InvalidRequest', what)
