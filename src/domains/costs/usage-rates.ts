import type { TimedRate, UsageRate } from '../../query/usage-source.ts'
import type { Price, Rate } from './price-usage.ts'

/** The price of a model as rates, one for each range of input tokens without a tier boundary. */
export function usageRates(model: string, price: Price): UsageRate[] {
  const { prompt, completion, cacheRead, cacheCreation, cacheCreationLong } = price
  const all = [prompt, completion, cacheRead, cacheCreation, cacheCreationLong]
  const bounds = [...new Set([-1, ...all.flatMap(tierBounds)])].sort((a, b) => a - b)
  return bounds.map((above, index) => ({
    model,
    above,
    through: bounds[index + 1] ?? Number.MAX_VALUE,
    prompt: rateAbove(prompt, above),
    completion: rateAbove(completion, above),
    cacheRead: rateAbove(cacheRead, above),
    cacheCreation: rateAbove(cacheCreation, above),
    cacheCreationLong: rateAbove(cacheCreationLong, above),
  }))
}

/** A price and the time in which it applies, in microseconds; null for a time without a price. */
export interface PriceSpan {
  readonly from: number
  readonly until: number
  readonly price: Price | null
}

/** The prices of a model over time as rates. */
export const timedRates = (model: string, spans: readonly PriceSpan[]): TimedRate[] =>
  spans.flatMap(({ from, until, price }) =>
    price === null ? [] : usageRates(model, price).map((rate) => ({ ...rate, from, until })),
  )

const tierBounds = (rate: Rate): number[] => (typeof rate === 'number' ? [] : rate.tiers.map(({ above }) => above))

/** The rate of requests with more than `above` input tokens, up to the next boundary. */
function rateAbove(rate: Rate, above: number): number {
  if (typeof rate === 'number') return rate
  return rate.tiers.reduce((price, tier) => (above >= tier.above ? tier.price : price), rate.base)
}
