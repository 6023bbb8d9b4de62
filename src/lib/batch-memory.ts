import { releaseBytes } from './bytes.ts'

/**
 * Memory of the rows of a batch, which is freed once all of them have ended. The garbage collector
 * would let hundreds of MB of batches accumulate. See docs/decisions/313-buffers-freed-at-once.md.
 */
export class BatchMemory {
  private readonly pieces: readonly Uint8Array[]
  private readonly hasEnded: Uint8Array
  private rowsLeft: number

  /** @param pieces that nothing else uses */
  constructor(rows: number, pieces: readonly Uint8Array[]) {
    this.pieces = pieces
    this.hasEnded = new Uint8Array(rows)
    this.rowsLeft = rows
  }

  /**
   * Call when a row is not read any more. It may be called again.
   *
   * @returns whether the memory is freed
   */
  endRow(row: number): boolean {
    if (this.hasEnded[row] === 0) {
      this.hasEnded[row] = 1
      this.rowsLeft--
      if (this.rowsLeft === 0) for (const piece of this.pieces) releaseBytes(piece)
    }
    return this.rowsLeft === 0
  }
}
