import { limits } from '../../lib/limits.ts'
import { tableDigest } from '../../runtime/digest.ts'
import { Sha256 } from '../../runtime/platform/crypto.ts'
import { TimeSlice } from '../../runtime/platform/event-loop.ts'
import type { SentRows } from './apply-updates.ts'
import type { RowPlace, TableCatalog, TableList } from './catalog.ts'
import { hashOf } from './hash-states.ts'
import { layOut } from './layout.ts'
import type { Piece } from './pieces.ts'

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
  for (let from = 0; from < all.length; from += limits.tableRowsTogether) {
    const found = await catalog.places(all.slice(from, from + limits.tableRowsTogether))
    for (const [digest, place] of found) places.set(digest, place)
  }
  return places
}

/** The hash of a table's rows, read a few chunks at a time. */
export async function hashOfPieces(pieces: readonly Piece[], catalog: TableCatalog): Promise<Sha256> {
  const hash = new Sha256()
  for (let from = 0; from < pieces.length; from += limits.tableChunksRead) {
    const group = pieces.slice(from, from + limits.tableChunksRead)
    const chunks = new Set(group.flatMap((piece) => (piece.kind === 'stored' ? [piece.chunk] : [])))
    const stored = await catalog.rowDigests([...chunks])
    for (const piece of group) {
      await hashOf(piece.kind === 'stored' ? stored.get(piece.chunk)!.slice(piece.from, piece.to) : piece.digests, hash)
    }
  }
  return hash
}
