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
