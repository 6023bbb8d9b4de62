import type { PriceBook } from '../../../records/costs/price-book.ts'

/** Total cost of a usage (JSON text); undefined if none of its models has a price. */
export function totalCost(prices: PriceBook, usage: string | null, startedAt: number): number | undefined {
  if (usage === null || usage === '{}') return undefined
  const costs = prices.costsOf(JSON.parse(usage), startedAt)
  if (costs === undefined) return undefined
  return Object.values(costs).reduce(
    (sum, cost) =>
      sum +
      cost.prompt_tokens_total_cost +
      cost.completion_tokens_total_cost +
      cost.cache_read_input_tokens_total_cost +
      cost.cache_creation_input_tokens_total_cost,
    0,
  )
}
