import { limits } from '../../lib/limits.ts'
import { isWhole, type Piece, type StoredPiece } from './pieces.ts'

/** A stretch of a finished table: a stored chunk or a new one. */
export type Stretch =
  | { readonly kind: 'stored'; readonly chunk: string; readonly rows: number }
  | { readonly kind: 'new'; readonly digests: readonly string[] }

/** Row digests of chunks, by chunk digest. */
export type ChunkRows = (chunks: readonly string[]) => Promise<ReadonlyMap<string, readonly string[]>>

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
export async function layOut(pieces: readonly Piece[], chunkRows: ChunkRows): Promise<Stretch[]> {
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
    const run = parts[at]!
    if ('kind' in run) continue
    const takesIn = (part: Run | StoredPiece | undefined): part is StoredPiece =>
      part !== undefined &&
      'kind' in part &&
      part.chunkRows <= run.rows &&
      part.chunkRows + run.rows <= limits.tableChunkRowsMax
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
    piece.kind === 'stored' ? stored.get(piece.chunk)!.slice(piece.from, piece.to) : piece.digests,
  )
}

function evenly(digests: readonly string[]): Stretch[] {
  const count = Math.ceil(digests.length / limits.tableChunkRowsMax)
  const bound = (index: number) => Math.round((index * digests.length) / count)
  return Array.from({ length: count }, (_, index) => ({
    kind: 'new',
    digests: digests.slice(bound(index), bound(index + 1)),
  }))
}
