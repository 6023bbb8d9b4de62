import { itemAt } from '../../lib/present.ts'

/** A stretch of a table in a stored chunk. */
export interface StoredPiece {
  readonly kind: 'stored'
  readonly chunk: string
  /** Rows of the whole chunk. */
  readonly chunkRows: number
  /** Range of these rows, `to` exclusive. */
  readonly from: number
  readonly to: number
}

/** A stretch of rows that are not in any chunk yet. */
interface LoosePiece {
  readonly kind: 'loose'
  readonly digests: string[]
}

export type Piece = StoredPiece | LoosePiece

const pieceRows = (piece: Piece): number => (piece.kind === 'stored' ? piece.to - piece.from : piece.digests.length)

export const isWhole = ({ from, to, chunkRows }: StoredPiece): boolean => from === 0 && to === chunkRows

/**
 * The rows of a table being edited: stored stretches are split and moved without being read. See
 * docs/decisions/029-tables-in-chunks.md.
 */
export class Pieces {
  readonly list: Piece[]
  private rows: number

  constructor(list: readonly Piece[]) {
    this.list = [...list]
    this.rows = list.reduce((sum, piece) => sum + pieceRows(piece), 0)
  }

  get count(): number {
    return this.rows
  }

  append(digest: string): void {
    const last = this.list.at(-1)
    if (last?.kind === 'loose') last.digests.push(digest)
    else this.list.push({ kind: 'loose', digests: [digest] })
    this.rows++
  }

  /** `index` is from 0 to `count`, inclusive. */
  insert(index: number, digest: string): void {
    if (index === this.rows) {
      this.append(digest)
      return
    }
    const { at, piece, offset } = this.locate(index)
    if (piece.kind === 'loose') piece.digests.splice(offset, 0, digest)
    else this.list.splice(at, 1, ...cut(piece, offset, offset, { kind: 'loose', digests: [digest] }))
    this.rows++
  }

  /** Removes the row at `index`; returns its digest or location. */
  remove(index: number): { digest: string } | { chunk: string; offset: number } {
    const { at, piece, offset } = this.locate(index)
    this.rows--
    if (piece.kind === 'loose') {
      const digest = itemAt(piece.digests, offset)
      piece.digests.splice(offset, 1)
      if (piece.digests.length === 0) this.list.splice(at, 1)
      return { digest }
    }
    this.list.splice(at, 1, ...cut(piece, offset, offset + 1))
    return { chunk: piece.chunk, offset: piece.from + offset }
  }

  private locate(index: number): { at: number; piece: Piece; offset: number } {
    let before = 0
    for (const [at, piece] of this.list.entries()) {
      const rows = pieceRows(piece)
      if (index < before + rows) return { at, piece, offset: index - before }
      before += rows
    }
    throw new Error(`Row ${index} is out of range: there are ${this.rows}`)
  }
}

/** Replaces the rows from `from` up to `to` of a stored piece by `between`. */
function cut(piece: StoredPiece, from: number, to: number, ...between: Piece[]): Piece[] {
  const before = { ...piece, to: piece.from + from }
  const after = { ...piece, from: piece.from + to }
  return [before, ...between, after].filter((part) => pieceRows(part) > 0)
}
