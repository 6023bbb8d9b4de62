import { type ConditionalPrice, findProvider, type Provider } from '@pydantic/genai-prices'
import type { Static } from '@sinclair/typebox'
import type { BuiltinModel, BuiltinPrice } from './model/costs.ts'
import { type Price, type Rate, rateAbove, tierBounds } from './price-usage.ts'
import { priceOf } from './shipped-prices.ts'

/** Providers of the list, which does not export them. A test compares them with the package. */
const providerIds = [
  'anthropic',
  'arcee',
  'avian',
  'aws',
  'azure',
  'baseten',
  'cerebras',
  'cloudflare',
  'cohere',
  'cursor',
  'deepseek',
  'doubleword',
  'fireworks',
  'github-copilot',
  'google',
  'groq',
  'huggingface_cerebras',
  'huggingface_fireworks-ai',
  'huggingface_groq',
  'huggingface_hyperbolic',
  'huggingface_nebius',
  'huggingface_novita',
  'huggingface_nscale',
  'huggingface_ovhcloud',
  'huggingface_publicai',
  'huggingface_sambanova',
  'huggingface_together',
  'minimax',
  'mistral',
  'modal',
  'moonshotai',
  'novita',
  'openai',
  'openrouter',
  'ovhcloud',
  'perplexity',
  'quicksilverpro',
  'together',
  'typesafe',
  'voyageai',
  'x-ai',
  'zai',
  'zhipuai',
] as const

let listed: readonly BuiltinModel[] | undefined

/**
 * Models of the shipped list that are billed by token and whose name has all words of a search, by
 * provider and name.
 */
export function searchShippedPrices(search: string): readonly BuiltinModel[] {
  listed ??= providerIds.flatMap((id) => {
    const provider = findProvider({ providerId: id })
    return provider === undefined ? [] : modelsOf(provider)
  })
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  return listed.filter(({ llm_id, provider_name }) => {
    const text = `${llm_id} ${provider_name}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
}

function modelsOf({ id, name, models }: Provider): BuiltinModel[] {
  const priced = models.flatMap((model) => {
    const prices = Array.isArray(model.prices) ? model.prices : [{ prices: model.prices }]
    // Where several apply, the last one does.
    const latestFirst = prices.toReversed().flatMap(builtinPrice)
    if (latestFirst.length === 0) return []
    return [{ llm_id: `${id}/${model.id}`, provider_id: id, provider_name: name, prices: latestFirst }]
  })
  return priced.sort((a, b) => (a.llm_id < b.llm_id ? -1 : 1))
}

function builtinPrice({ constraint, prices }: ConditionalPrice): Static<typeof BuiltinPrice>[] {
  const price = priceOf(prices)
  if (price === undefined) return []
  const rates = [price.prompt, price.completion, price.cacheRead, price.cacheCreation]
  const bounds = [...new Set(rates.flatMap(tierBounds))].sort((a, b) => a - b)
  return [
    {
      effective_date: constraint?.type === 'start_date' ? `${constraint.start_date}T00:00:00Z` : null,
      time_of_day:
        constraint?.type === 'time_of_date' ? { start: constraint.start_time, end: constraint.end_time } : null,
      ...costsOf(price, (rate) => (typeof rate === 'number' ? rate : rate.base)),
      tiers: bounds.map((above) => ({ above, ...costsOf(price, (rate) => rateAbove(rate, above)) })),
    },
  ]
}

const costsOf = (price: Price, costOf: (rate: Rate) => number) => ({
  prompt_token_cost: costOf(price.prompt),
  completion_token_cost: costOf(price.completion),
  cache_read_input_token_cost: costOf(price.cacheRead),
  cache_creation_input_token_cost: costOf(price.cacheCreation),
})
