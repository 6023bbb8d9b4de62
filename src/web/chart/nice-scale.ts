/**
 * Round values from 0 to at least `highest`, three to five of them; fewer where only whole numbers
 * make sense.
 */
export function niceScale(highest: number, isWhole = false): readonly number[] {
  if (!(highest > 0)) return [0, 1]
  const rough = highest / 4
  const power = 10 ** Math.floor(Math.log10(rough))
  const round = ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power
  const step = isWhole ? Math.ceil(round) : round
  const count = Math.ceil(highest / step - 1e-9)
  return Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(12)))
}
