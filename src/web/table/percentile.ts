/** Value below which that share (0 to 1) of the numbers lies; undefined for no numbers. */
export function percentile(numbers: readonly number[], share: number): number | undefined {
  if (numbers.length === 0) return undefined
  const sorted = Float64Array.from(numbers).sort()
  const place = (sorted.length - 1) * share
  const below = Math.floor(place)
  const [low, high] = [sorted[below]!, sorted[Math.ceil(place)]!]
  return low + (high - low) * (place - below)
}
