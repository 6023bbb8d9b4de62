import { post } from './client.ts'

/** A project's own price for a model, in dollars per token. */
export interface Price {
  readonly id: string
  readonly llm_id: string
  readonly prompt_token_cost: number | null
  readonly completion_token_cost: number | null
  readonly cache_read_input_token_cost: number | null
  readonly cache_creation_input_token_cost: number | null
  readonly effective_date: string | null
}

/** Reads the prices of a project, for the query cache. */
export const pricesQuery = (projectId: string | undefined) => ({
  queryKey: ['prices', projectId],
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<readonly Price[]> =>
    (await post<{ results: Price[] }>('/cost/query', { project_id: projectId }, { signal })).results,
})

/** Prices of one model in dollars per token. */
export interface NewPrice {
  readonly prompt_token_cost: number
  readonly completion_token_cost: number
  readonly cache_read_input_token_cost: number
  readonly cache_creation_input_token_cost: number
  readonly effective_date?: string
}

/** Stores a price. @throws {Problem} */
export const createPrice = (projectId: string, model: string, price: NewPrice): Promise<unknown> =>
  post('/cost/create', { project_id: projectId, costs: { [model]: price } })

/** Removes a price. @throws {Problem} */
export const removePrice = (projectId: string, id: string): Promise<unknown> =>
  post('/cost/purge', {
    project_id: projectId,
    query: { $expr: { $eq: [{ $getField: 'id' }, { $literal: id }] } },
  })
