import { acceptedChoices } from './accept.ts'

/**
 * The best of `offered` content codings for an `Accept-Encoding` header; undefined to send the
 * content as it is. Among equally weighted codings the first offered one wins.
 */
export function chooseCoding<Coding extends string>(
  header: string | null,
  offered: readonly Coding[],
): Coding | undefined {
  if (header === null) return undefined
  const weights = new Map(acceptedChoices(header).map(({ name, quality }) => [name, quality]))
  const weightOf = (coding: string): number => weights.get(coding) ?? weights.get('*') ?? 0
  let best: Coding | undefined
  // Only an explicit weight of "identity" makes it preferable.
  let bestWeight = weights.get('identity') ?? 0
  for (const coding of offered) {
    const weight = weightOf(coding)
    if (weight > bestWeight || (weight === bestWeight && weight > 0 && best === undefined)) {
      best = coding
      bestWeight = weight
    }
  }
  return best
}
