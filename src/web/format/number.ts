const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
const exact = new Intl.NumberFormat('en', { maximumSignificantDigits: 17 })
const threeDigits = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 })

/** A count to the last unit: `2,898`. */
export const formatCount = (count: number): string => whole.format(count)

/** A count as the server gives it up: `10,000+` from `limit` on. */
export const formatCountUpTo = (count: number, limit: number): string =>
  count > limit ? `${whole.format(limit)}+` : whole.format(count)

/** A number with three significant digits, whole parts in full: `0.833`, `12.5`, `4,812`. */
export const formatNumber = (value: number): string =>
  Math.abs(value) >= 1_000 ? whole.format(value) : threeDigits.format(value)

/** A number in full, for tooltips. */
export const formatExact = (value: number): string => exact.format(value)

/** A large count in three digits: `812`, `4.3k`, `29.0k`, `171k`, `8.80M`. */
export function formatShort(count: number): string {
  const size = Math.abs(count)
  if (size < 1_000) return whole.format(count)
  if (size < 99_950) return `${(count / 1_000).toFixed(1)}k`
  if (size < 999_500) return `${(count / 1_000).toFixed(0)}k`
  if (size < 999_500_000) return `${(count / 1_000_000).toPrecision(3)}M`
  return `${whole.format(Number((count / 1_000_000_000).toPrecision(3)))}B`
}

/** A share of 0 to 1: `2.9%`, `61%`, `0%`. */
export function formatShare(share: number): string {
  const percent = share * 100
  const isWhole = percent >= 10 || percent === 0
  return `${isWhole ? percent.toFixed(0) : percent.toFixed(1)}%`
}
