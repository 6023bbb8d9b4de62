import { BoundedMap } from '../../lib/bounded-map.ts'
import { requestLimits } from '../../lib/limits/requests.ts'
import { itemAt, valueAt } from '../../lib/present.ts'
import { tableDigest, tableDigestOfHash } from '../../runtime/digest.ts'
import { Sha256 } from '../../runtime/platform/crypto.ts'
import { TimeSlice, yieldToEventLoop } from '../../runtime/platform/event-loop.ts'
import type { SentRows } from './apply-updates.ts'
import type { RowPlace, TableCatalog, TableList } from './catalog.ts'
import { isWhole, type Piece, type StoredPiece } from './pieces.ts'

/**
 * Cached hash states of tables, so that a table that grows request by request gets its digest
 * without being reread. Only the most recent ones are kept.
 */
export class HashStates {
  private readonly states = new BoundedMap<string, Sha256>(requestLimits.tableHashesKept)

  /** The hash state at the end of the table, if cached. */
  find(tableDigest: string): Sha256 | undefined {
    return this.states.get(tableDigest)?.copy()
  }

  /** The digest of the table that ends at the hash state. */
  finish(hash: Sha256): string {
    const digest = tableDigestOfHash(hash.copy().digest())
    this.states.set(digest, hash)
    return digest
  }
}

/** Continues a hash over digests, yielding to other requests. */
export async function hashOf(digests: readonly string[], before = new Sha256()): Promise<Sha256> {
  for (let from = 0; from < digests.length; from += requestLimits.digestsTogether) {
    if (from > 0) await yieldToEventLoop()
    before.update(digests.slice(from, from + requestLimits.digestsTogether).join(''))
  }
  return before
}

/** A stretch of a finished table: a stored chunk or a new one. */
type Stretch =
  | { readonly kind: 'stored'; readonly chunk: string; readonly rows: number }
  | { readonly kind: 'new'; readonly digests: readonly string[] }

/** Row digests of chunks, by chunk digest. */
type ChunkRows = (chunks: readonly string[]) => Promise<ReadonlyMap<string, readonly string[]>>

interface Run {
  /** Pieces whose rows get new chunks. */
  readonly pieces: Piece[]
  rows: number
}

/**
 * Lays out the rows of a table in chunks. Complete stored chunks are kept, so a table that only
 * grew shares them with its base. A new chunk absorbs neighbors that are not larger than itself:
 * this way single appends do not end up as single-row chunks, and no row is rewritten more often
 * than the logarithm of the chunk size.
 */
async function layOut(pieces: readonly Piece[], chunkRows: ChunkRows): Promise<Stretch[]> {
  const parts = absorbSmall(runsAndWholes(pieces))
  const stretches: Stretch[] = []
  for (const part of parts) {
    if ('kind' in part) stretches.push({ kind: 'stored', chunk: part.chunk, rows: part.chunkRows })
    else stretches.push(...evenly(await digestsOf(part.pieces, chunkRows)))
  }
  return stretches
}

function runsAndWholes(pieces: readonly Piece[]): (Run | StoredPiece)[] {
  const parts: (Run | StoredPiece)[] = []
  for (const piece of pieces) {
    if (piece.kind === 'stored' && isWhole(piece)) {
      parts.push(piece)
      continue
    }
    const last = parts.at(-1)
    const run = last !== undefined && !('kind' in last) ? last : { pieces: [], rows: 0 }
    if (run !== last) parts.push(run)
    run.pieces.push(piece)
    run.rows += piece.kind === 'stored' ? piece.to - piece.from : piece.digests.length
  }
  return parts
}

function absorbSmall(parts: (Run | StoredPiece)[]): (Run | StoredPiece)[] {
  for (let at = 0; at < parts.length; at++) {
    const run = itemAt(parts, at)
    if ('kind' in run) continue
    const takesIn = (part: Run | StoredPiece | undefined): part is StoredPiece =>
      part !== undefined &&
      'kind' in part &&
      part.chunkRows <= run.rows &&
      part.chunkRows + run.rows <= requestLimits.tableChunkRowsMax
    for (let before = parts[at - 1]; takesIn(before); before = parts[at - 1]) {
      run.pieces.unshift(before)
      run.rows += before.chunkRows
      parts.splice(--at, 1)
    }
    for (let after = parts[at + 1]; takesIn(after); after = parts[at + 1]) {
      run.pieces.push(after)
      run.rows += after.chunkRows
      parts.splice(at + 1, 1)
    }
  }
  return parts
}

async function digestsOf(pieces: readonly Piece[], chunkRows: ChunkRows): Promise<string[]> {
  const chunks = new Set(pieces.flatMap((piece) => (piece.kind === 'stored' ? [piece.chunk] : [])))
  const stored = await chunkRows([...chunks])
  return pieces.flatMap((piece) =>
    piece.kind === 'stored' ? valueAt(stored, piece.chunk).slice(piece.from, piece.to) : piece.digests,
  )
}

function evenly(digests: readonly string[]): Stretch[] {
  const count = Math.ceil(digests.length / requestLimits.tableChunkRowsMax)
  const bound = (index: number) => Math.round((index * digests.length) / count)
  return Array.from({ length: count }, (_, index) => ({
    kind: 'new',
    digests: digests.slice(bound(index), bound(index + 1)),
  }))
}

/** A table to store, with the parts of it that are missing. */
export interface TablePlan {
  readonly digest: string
  /** The table already exists with all of its rows. */
  readonly isStored: boolean
  /** Rows of the request, stored or not: digest → JSON text. */
  readonly rows: SentRows
  /** Locations of already stored rows in new chunks. */
  readonly known: ReadonlyMap<string, RowPlace>
  readonly chunks: readonly { readonly digest: string; readonly rows: readonly string[] }[]
  readonly list: readonly (readonly [chunk: string, rows: number])[]
  readonly isComplete: boolean
}

/** A table to create. */
export interface WantedTable {
  readonly digest: string
  readonly pieces: readonly Piece[]
  readonly sent: SentRows
  /** The table it was derived from. */
  readonly base: TableList | undefined
}

/** Finds out which parts of a table are already stored. */
export async function planTable(wanted: WantedTable, catalog: TableCatalog): Promise<TablePlan> {
  const { digest, pieces, sent, base } = wanted
  const nothing = { digest, isStored: true, rows: new Map(), known: new Map(), chunks: [], list: [], isComplete: true }
  if ((await catalog.findList(digest))?.isComplete) return nothing
  const stretches = await layOut(pieces, (chunks) => catalog.rowDigests(chunks))
  const fresh = stretches.flatMap((stretch) => (stretch.kind === 'new' ? stretch.digests : []))
  // Sent rows are located when they are stored, once for all waiting requests.
  const known = await placesOf(new Set(fresh.filter((row) => !sent.has(row))), catalog)
  const chunks = new Map<string, readonly string[]>()
  const list: [string, number][] = []
  const slice = new TimeSlice()
  for (const stretch of stretches) {
    if (slice.expiredNow) await slice.yield()
    if (stretch.kind === 'stored') {
      list.push([stretch.chunk, stretch.rows])
      continue
    }
    const chunk = tableDigest(stretch.digests)
    chunks.set(chunk, stretch.digests)
    list.push([chunk, stretch.digests.length])
  }
  const stored = await catalog.completeChunks([...chunks.keys()])
  return {
    digest,
    isStored: false,
    rows: sent,
    known,
    chunks: [...chunks].filter(([chunk]) => !stored.has(chunk)).map(([chunk, rows]) => ({ digest: chunk, rows })),
    list,
    isComplete: (base?.isComplete ?? true) && fresh.every((row) => sent.has(row) || known.has(row)),
  }
}

async function placesOf(digests: ReadonlySet<string>, catalog: TableCatalog): Promise<Map<string, RowPlace>> {
  const all = [...digests]
  const places = new Map<string, RowPlace>()
  for (let from = 0; from < all.length; from += requestLimits.tableRowsTogether) {
    const found = await catalog.places(all.slice(from, from + requestLimits.tableRowsTogether))
    for (const [digest, place] of found) places.set(digest, place)
  }
  return places
}

/** The hash of a table's rows, read a few chunks at a time. */
export async function hashOfPieces(pieces: readonly Piece[], catalog: TableCatalog): Promise<Sha256> {
  const hash = new Sha256()
  for (let from = 0; from < pieces.length; from += requestLimits.tableChunksRead) {
    const group = pieces.slice(from, from + requestLimits.tableChunksRead)
    const chunks = new Set(group.flatMap((piece) => (piece.kind === 'stored' ? [piece.chunk] : [])))
    const stored = await catalog.rowDigests([...chunks])
    for (const piece of group) {
      await hashOf(
        piece.kind === 'stored' ? valueAt(stored, piece.chunk).slice(piece.from, piece.to) : piece.digests,
        hash,
      )
    }
  }
  return hash
}
