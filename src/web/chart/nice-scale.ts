/** Round values from 0 to at least `highest`, three to five of them. */
export function niceScale(highest: number): readonly number[] {
  if (!(highest > 0)) return [0, 1]
  const rough = highest / 4
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power
  const count = Math.ceil(highest / step - 1e-9)
  return Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(12)))
}
