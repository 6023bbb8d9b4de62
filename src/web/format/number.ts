const dollars = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD' })

/**
 * A cost in US dollars: `$374.81`, `$0.104`, `$0.0091`; at least three places below a dollar, and
 * `<$0.0001` below a hundredth of a cent.
 */
export function formatCost(cost: number): string {
  const size = Math.abs(cost)
  if (size === 0) return '$0'
  if (size >= 1) return dollars.format(cost)
  if (size < 0.000_1) return '<$0.0001'
  const places = Math.max(3, 1 - Math.floor(Math.log10(size)))
  return `${cost < 0 ? '-' : ''}$${size.toFixed(places)}`
}

const units = ['B', 'KB', 'MB', 'GB', 'TB', 'PB']

/** A size: `812 B`, `20.4 MB`, `30.1 GB`. Units of 1,000, as disks are sold. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1_000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  if (power === 0) return `${Math.round(bytes)} B`
  const value = bytes / 1_000 ** power
  return value >= 999.5 && power < units.length - 1
    ? `1.00 ${units[power + 1]}`
    : `${value.toPrecision(3)} ${units[power]}`
}

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
