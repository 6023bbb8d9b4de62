import type { CostEntry, PriceBook } from './price-book.ts'

/** Total cost of a usage (JSON text); undefined if none of its models has a price. */
export function totalCost(prices: PriceBook, usage: string | null, startedAt: number): number | undefined {
  if (usage === null || usage === '{}') return undefined
  const costs = prices.costsOf(JSON.parse(usage), startedAt)
  if (costs === undefined) return undefined
  return Object.values(costs).reduce((sum, entry) => sum + totalOf(entry), 0)
}

/** Total cost of a cost entry. */
const totalOf = (entry: CostEntry): number =>
  entry.prompt_tokens_total_cost +
  entry.completion_tokens_total_cost +
  entry.cache_read_input_tokens_total_cost +
  entry.cache_creation_input_tokens_total_cost

/** Cost of one model in a usage (JSON text); undefined if the model has no usage or no price. */
export function modelCost(
  prices: PriceBook,
  usage: string | null,
  model: string,
  startedAt: number,
): number | undefined {
  const figures = usage === null ? undefined : (JSON.parse(usage) as Record<string, unknown>)[model]
  const entry = prices.entryOf(model, figures, startedAt)
  return entry && totalOf(entry)
}
