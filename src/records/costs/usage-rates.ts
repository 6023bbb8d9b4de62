import type { UsageRate } from '../../query/sql/stats/usage-figures.ts'
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

const tierBounds = (rate: Rate): number[] => (typeof rate === 'number' ? [] : rate.tiers.map(({ above }) => above))

/** The rate of requests with more than `above` input tokens, up to the next boundary. */
function rateAbove(rate: Rate, above: number): number {
  if (typeof rate === 'number') return rate
  return rate.tiers.reduce((price, tier) => (above >= tier.above ? tier.price : price), rate.base)
}
