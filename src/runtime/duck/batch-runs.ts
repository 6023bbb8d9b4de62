import type { BatchRow, ColumnBatch } from '../../lib/column-batch.ts'

/** Cells of a vector that lie one behind the other in a batch. */
export interface BatchRun {
  readonly batch: ColumnBatch
  /** Row of the batch that the run begins with. */
  readonly index: number
  /** Row of the vector that the run begins with. */
  readonly at: number
  readonly count: number
}

/** The runs of `count` rows from `from`; undefined if rows have older parts in other batches. */
export function runsOf(rows: readonly BatchRow[], from: number, count: number): readonly BatchRun[] | undefined {
  const runs: BatchRun[] = []
  for (let at = 0; at < count; ) {
    const { batch, index } = rows[from + at]!
    let next = at
    for (; next < count; next++) {
      const row = rows[from + next]!
      if (row.older !== undefined) return undefined
      if (row.batch !== batch || row.index !== index + next - at) break
    }
    runs.push({ batch, index, at, count: next - at })
    at = next
  }
  return runs
}

/** The same for one column, whose cells may be in older parts of the rows. */
export function runsOfCell(rows: readonly BatchRow[], cell: number, from: number, count: number): readonly BatchRun[] {
  const runs: BatchRun[] = []
  for (let at = 0; at < count; at++) {
    const part = rows[from + at]!.holderOf(cell)
    if (part !== undefined) runs.push({ batch: part.batch, index: part.index, at, count: 1 })
  }
  return runs
}
