import type { BuiltinModel, BuiltinPrices } from '../../../../domains/costs/index.ts'
import { itemAt } from '../../../../lib/present.ts'
import { post } from '../../../api/client.ts'
import type { Price } from '../../../api/settings.ts'
import { settled } from '../../../state/settled.ts'

/** A model of the list that ships with the server, with its prices in dollars per token. */
export type { BuiltinModel }

/** Models that one request reads at most. */
export const builtinPricesMax = 500
const typingMs = 200

/** Finds models of that list by words, for the query cache. */
export const builtinPricesQuery = (projectId: string, search: string, limit: number) => ({
  queryKey: ['built-in prices', projectId, search, limit],
  staleTime: Number.POSITIVE_INFINITY,
  placeholderData: (before: BuiltinPrices | undefined) => before,
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<BuiltinPrices> => {
    if (search !== '') await settled(typingMs, signal)
    return await post('/cost/builtin/query', { project_id: projectId, search, limit }, { signal })
  },
})

type BuiltinPrice = BuiltinModel['prices'][number]

/** The price that holds now at most times of the day; the first if all begin later. */
export const currentBuiltin = (prices: readonly BuiltinPrice[], now: number): BuiltinPrice =>
  prices.find(
    ({ time_of_day: times, effective_date: start }) => times === null && (start === null || Date.parse(start) <= now),
  ) ?? itemAt(prices, 0)

/** The model as calls name it: without the provider of the list. */
export const nameInCalls = ({ llm_id: id, provider_id: provider }: BuiltinModel): string =>
  id.slice(provider.length + 1)

/** A price of the project with the same figures. */
export function asOwnPrice(model: BuiltinModel): Price {
  const {
    effective_date: _start,
    time_of_day: _times,
    tiers: _tiers,
    ...costs
  } = currentBuiltin(model.prices, Date.now())
  return { ...costs, id: '', llm_id: nameInCalls(model), effective_date: null, created_by: null, created_at: null }
}
