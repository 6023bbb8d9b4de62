/** The amount that a text says; 0 for an empty one, undefined for anything but an amount. */
export function dollarsIn(text: string): number | undefined {
  const typed = text.trim().replace(/^\$\s*/, '')
  if (typed === '') return 0
  const amount = Number(typed)
  return Number.isFinite(amount) && amount > 0 ? amount : undefined
}
