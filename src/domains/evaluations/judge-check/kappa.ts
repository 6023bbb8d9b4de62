import { type Interval, z } from '../comparison/intervals.ts'

/** Cohen's kappa, with an interval unless its variance is 0, as where all pairs agree. */
export interface Kappa {
  readonly value: number
  readonly interval: Interval | undefined
}

/**
 * Cohen's kappa of a table of counts with the interval of Fleiss, Cohen and Everitt (1969), cut off
 * at -1 and 1; undefined if both sides have one class alone, where chance explains everything.
 */
export function cohensKappa(matrix: readonly (readonly number[])[]): Kappa | undefined {
  const count = matrix.flat().reduce((sum, each) => sum + each, 0)
  const shares = matrix.map((row) => row.map((each) => each / count))
  const rowSums = shares.map((row) => row.reduce((sum, each) => sum + each, 0))
  const columnSums = shares.map((_, column) => shares.reduce((sum, row) => sum + (row[column] ?? 0), 0))
  const sumAt = (sums: readonly number[], at: number): number => sums[at] ?? 0
  const observed = shares.reduce((sum, row, at) => sum + (row[at] ?? 0), 0)
  const expected = rowSums.reduce((sum, each, at) => sum + each * sumAt(columnSums, at), 0)
  if (count === 0 || expected >= 1 - 1e-12) return undefined
  const kappa = (observed - expected) / (1 - expected)
  let [onDiagonal, beside] = [0, 0]
  for (const [row, cells] of shares.entries()) {
    for (const [column, share] of cells.entries()) {
      if (row === column) {
        onDiagonal += share * (1 - (sumAt(rowSums, row) + sumAt(columnSums, row)) * (1 - kappa)) ** 2
      } else {
        beside += share * (sumAt(columnSums, row) + sumAt(rowSums, column)) ** 2
      }
    }
  }
  const rest = (kappa - expected * (1 - kappa)) ** 2
  const variance = (onDiagonal + (1 - kappa) ** 2 * beside - rest) / ((1 - expected) ** 2 * count)
  if (variance < 1e-15) return { value: kappa, interval: undefined }
  const half = z * Math.sqrt(variance)
  return { value: kappa, interval: { low: Math.max(-1, kappa - half), high: Math.min(1, kappa + half) } }
}
