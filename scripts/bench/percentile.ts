/**
 * The nearest-rank percentile `p` (0 to 1) of `values`.
 * @throws Error if there are none
 */
export function percentile(values: readonly number[], p: number): number {
  if (values.length === 0) throw new Error('Take a percentile: there are no values')
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.max(0, Math.ceil(p * sorted.length) - 1)]!
}
