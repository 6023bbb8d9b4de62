import { countTokens } from '../../lib/count-tokens.ts'
import { isJsonObject } from '../../lib/json-value.ts'
import type { PriceBook } from '../costs/index.ts'
import type { AggregatedUsage } from './model/usage.ts'

export type UsageByModel = ReadonlyMap<string, AggregatedUsage>

/**
 * Usage of a call itself, by model; models without any value are omitted.
 *
 * @param usage `summary.usage` as JSON text
 * @param startedAt microseconds since 1970 UTC
 * @param prices undefined if costs are not requested; they are null then
 */
export function ownUsage(
  usage: string | null,
  startedAt: number,
  prices: PriceBook | undefined,
): Map<string, AggregatedUsage> {
  const parsed: unknown = usage === null ? null : JSON.parse(usage)
  const sum = new Map<string, AggregatedUsage>()
  if (!isJsonObject(parsed)) return sum
  for (const [model, statistics] of Object.entries(parsed)) {
    if (!isJsonObject(statistics)) continue
    const tokens = countTokens(statistics)
    const { prompt, completion, requests, cacheRead, cacheCreation } = tokens
    const total = tokens.total || prompt + completion
    if (requests + total + prompt + completion + cacheRead + cacheCreation === 0) continue
    const cost = prices?.entryOf(model, statistics, startedAt)
    const costOf = (statistic: number | undefined) => (prices === undefined ? null : (statistic ?? 0))
    sum.set(model, {
      requests,
      prompt_tokens: prompt,
      completion_tokens: completion,
      total_tokens: total,
      cache_read_input_tokens: cacheRead,
      cache_creation_input_tokens: cacheCreation,
      prompt_tokens_total_cost: costOf(cost?.prompt_tokens_total_cost),
      completion_tokens_total_cost: costOf(cost?.completion_tokens_total_cost),
      cache_read_input_tokens_total_cost: costOf(cost?.cache_read_input_tokens_total_cost),
      cache_creation_input_tokens_total_cost: costOf(cost?.cache_creation_input_tokens_total_cost),
    })
  }
  return sum
}

/** Adds usage to a sum. */
export function addUsage(sum: Map<string, AggregatedUsage>, more: UsageByModel | undefined): void {
  for (const [model, statistics] of more ?? []) {
    const known = sum.get(model)
    sum.set(model, known === undefined ? statistics : added(known, statistics))
  }
}

const added = (a: AggregatedUsage, b: AggregatedUsage): AggregatedUsage => ({
  requests: a.requests + b.requests,
  prompt_tokens: a.prompt_tokens + b.prompt_tokens,
  completion_tokens: a.completion_tokens + b.completion_tokens,
  total_tokens: a.total_tokens + b.total_tokens,
  cache_read_input_tokens: a.cache_read_input_tokens + b.cache_read_input_tokens,
  cache_creation_input_tokens: a.cache_creation_input_tokens + b.cache_creation_input_tokens,
  prompt_tokens_total_cost: addedCost(a.prompt_tokens_total_cost, b.prompt_tokens_total_cost),
  completion_tokens_total_cost: addedCost(a.completion_tokens_total_cost, b.completion_tokens_total_cost),
  cache_read_input_tokens_total_cost: addedCost(
    a.cache_read_input_tokens_total_cost,
    b.cache_read_input_tokens_total_cost,
  ),
  cache_creation_input_tokens_total_cost: addedCost(
    a.cache_creation_input_tokens_total_cost,
    b.cache_creation_input_tokens_total_cost,
  ),
})

const addedCost = (a: number | null, b: number | null): number | null => (a === null || b === null ? null : a + b)
