const z = 1.959964

/** The 95 % interval of Wilson for a share. */
export function wilson(count: number, of: number): readonly [low: number, high: number] {
  const share = count / of
  const middle = share + z ** 2 / (2 * of)
  const spread = z * Math.sqrt((share * (1 - share)) / of + z ** 2 / (4 * of ** 2))
  const scale = 1 + z ** 2 / of
  return [Math.max(0, (middle - spread) / scale), Math.min(1, (middle + spread) / scale)]
}
