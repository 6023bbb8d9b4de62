/** Whether a score is a share of rows, or a mean of numbers. */
export type ScoreKind = 'rate' | 'mean'

/** The lower and the upper end of an interval, null if there is none. */
interface Range {
  readonly low: number | null
  readonly high: number | null
}

const minus = '−'
const signed = (text: string): string => text.replace(/^-/, minus)

/** A score: `60.4%` or `3.93`, `–` without one. */
export function scoreText(kind: ScoreKind, value: number | null): string {
  if (value === null) return '–'
  return kind === 'rate' ? `${bare(kind, value)}%` : bare(kind, value)
}

/** Its interval: `42.1–55.9`; empty without one. */
export const rangeText = (kind: ScoreKind, { low, high }: Range): string =>
  low === null || high === null ? '' : `${bare(kind, low)}–${bare(kind, high)}`

/** A difference, that of a rate in points: `+11.7`, `−0.11`. */
export const differenceText = (kind: ScoreKind, value: number | null): string => {
  if (value === null) return '–'
  const text = bare(kind, value)
  return value > 0 ? `+${text}` : text
}

/** Its interval: `[+5.1, +18.4]`; empty without one. */
export const differenceRangeText = (kind: ScoreKind, { low, high }: Range): string =>
  low === null || high === null ? '' : `[${differenceText(kind, low)}, ${differenceText(kind, high)}]`

/** A p-value: three digits below 0.1, two above: `p 0.008`, `p 0.27`, `p <0.001`. */
export function pValueText(p: number | null): string {
  if (p === null) return 'no test'
  if (p < 0.001) return 'p <0.001'
  return `p ${p < 0.1 ? p.toFixed(3) : p.toFixed(2)}`
}

const bare = (kind: ScoreKind, value: number): string =>
  signed(kind === 'rate' ? withoutMinusZero((value * 100).toFixed(1)) : threeDigits(value))

/** `3.70`, `0.110`, `1234`: zeros at the end say how exact it is. */
function threeDigits(value: number): string {
  const size = Math.abs(value)
  if (size === 0) return '0'
  if (size >= 1e6 || size < 1e-4) return value.toExponential(2)
  return size >= 100 ? value.toFixed(0) : value.toPrecision(3)
}

const withoutMinusZero = (text: string): string => (text === '-0.0' ? '0.0' : text)
