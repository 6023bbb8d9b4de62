import type { PriceBook } from '../costs/index.ts'
import { ownUsage } from '../usage/index.ts'

/** What one call has used, over all models. */
export interface CallUsage {
  /** The first model of the usage. */
  readonly model: string
  readonly tokensIn: number
  readonly tokensOut: number
  readonly tokensCached: number
  readonly tokens: number
  /** Null if none of the models has a price. */
  readonly cost: number | null
}

/**
 * The usage of a call; undefined without any.
 *
 * @param text `summary.usage` as JSON text
 * @param startedAt microseconds since 1970 UTC
 */
export function callUsage(text: string | null, startedAt: number, prices: PriceBook): CallUsage | undefined {
  const byModel = ownUsage(text, startedAt, prices)
  const [model] = byModel.keys()
  if (model === undefined) return undefined
  const sum = { tokensIn: 0, tokensOut: 0, tokensCached: 0, tokens: 0 }
  let cost: number | null = null
  for (const [name, figures] of byModel) {
    sum.tokensIn += figures.prompt_tokens
    sum.tokensOut += figures.completion_tokens
    sum.tokensCached += figures.cache_read_input_tokens
    sum.tokens += figures.total_tokens
    const own =
      (figures.prompt_tokens_total_cost ?? 0) +
      (figures.completion_tokens_total_cost ?? 0) +
      (figures.cache_read_input_tokens_total_cost ?? 0) +
      (figures.cache_creation_input_tokens_total_cost ?? 0)
    // Without a price, a client may have stated the cost.
    if (own === 0 && !prices.hasPrice(name, startedAt)) continue
    cost = (cost ?? 0) + own
  }
  return { model, ...sum, cost }
}
