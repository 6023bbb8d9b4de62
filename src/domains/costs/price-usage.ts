import { countTokens, type TokenCounts } from '../../lib/count-tokens.ts'
import type { TimedRate, UsageRate } from '../../query/calls-plan.ts'

/**
 * Price per token; with tiers, the price of the highest tier exceeded by the request's input tokens
 * applies to all of its tokens.
 */
export type Rate = number | TieredRate

interface TieredRate {
  readonly base: number
  /** Ascending by `above`, which counts all input tokens of a request, including cached ones. */
  readonly tiers: readonly { readonly above: number; readonly price: number }[]
}

/** Prices of one model, per token. */
export interface Price {
  readonly prompt: Rate
  readonly completion: Rate
  readonly cacheRead: Rate
  readonly cacheCreation: Rate
  /** For tokens cached for one hour. */
  readonly cacheCreationLong: Rate
}

/** Cost of the tokens of one model in one call; names as in the API. */
export interface CostStatistics {
  readonly prompt_tokens: number
  readonly completion_tokens: number
  readonly requests: number
  readonly total_tokens: number
  readonly cache_read_input_tokens: number
  readonly cache_creation_input_tokens: number
  readonly prompt_token_cost: number
  readonly completion_token_cost: number
  readonly cache_read_input_token_cost: number
  readonly cache_creation_input_token_cost: number
  readonly prompt_tokens_total_cost: number
  readonly completion_tokens_total_cost: number
  readonly cache_read_input_tokens_total_cost: number
  readonly cache_creation_input_tokens_total_cost: number
}

/**
 * Prices the usage of one model. Cached tokens have their own price and are not also counted as
 * plain input; no cost is negative. See docs/decisions/092-stated-costs.md.
 */
export function priceUsage(usage: Readonly<Record<string, unknown>>, price: Price): CostStatistics {
  const tokens = countTokens(usage)
  const inputOfRequest = inputPerRequest(tokens)
  const rate = (of: Rate) => rateAt(of, inputOfRequest)
  const long = tokens.cacheCreationLong
  return {
    prompt_tokens: tokens.prompt,
    completion_tokens: tokens.completion,
    requests: tokens.requests,
    total_tokens: tokens.total,
    cache_read_input_tokens: tokens.cacheRead,
    cache_creation_input_tokens: tokens.cacheCreation,
    prompt_token_cost: rate(price.prompt),
    completion_token_cost: rate(price.completion),
    cache_read_input_token_cost: rate(price.cacheRead),
    cache_creation_input_token_cost: rate(price.cacheCreation),
    prompt_tokens_total_cost: tokens.uncached * rate(price.prompt),
    completion_tokens_total_cost: tokens.completion * rate(price.completion),
    cache_read_input_tokens_total_cost: tokens.cacheRead * rate(price.cacheRead),
    cache_creation_input_tokens_total_cost:
      (tokens.cacheCreation - long) * rate(price.cacheCreation) + long * rate(price.cacheCreationLong),
  }
}

/**
 * The same costs with another total, divided like the computed one; if that is zero, all of it is
 * for the input.
 */
export function withTotal(statistics: CostStatistics, total: number): CostStatistics {
  const input = statistics.prompt_tokens_total_cost
  const { completion_tokens_total_cost: output } = statistics
  const { cache_read_input_tokens_total_cost: read, cache_creation_input_tokens_total_cost: created } = statistics
  const computed = input + output + read + created
  if (computed === 0) return { ...statistics, prompt_tokens_total_cost: total }
  const factor = total / computed
  return {
    ...statistics,
    prompt_tokens_total_cost: input * factor,
    completion_tokens_total_cost: output * factor,
    cache_read_input_tokens_total_cost: read * factor,
    cache_creation_input_tokens_total_cost: created * factor,
  }
}

/** Usage may sum several requests, but tiers apply per request: each counts as the mean. */
const inputPerRequest = ({ uncached, cacheRead, cacheCreation, requests }: TokenCounts): number =>
  (uncached + cacheRead + cacheCreation) / Math.max(1, requests)

function rateAt(rate: Rate, inputTokens: number): number {
  if (typeof rate === 'number') return rate
  return rate.tiers.reduce((price, tier) => (inputTokens > tier.above ? tier.price : price), rate.base)
}

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

/** Numbers of input tokens above which another price applies. */
export const tierBounds = (rate: Rate): number[] =>
  typeof rate === 'number' ? [] : rate.tiers.map(({ above }) => above)

/** The rate of requests with more than `above` input tokens, up to the next boundary. */
export function rateAbove(rate: Rate, above: number): number {
  if (typeof rate === 'number') return rate
  return rate.tiers.reduce((price, tier) => (above >= tier.above ? tier.price : price), rate.base)
}
