import type { Static } from '@sinclair/typebox'
import type { SecretName, SecretNames, SecretSet } from '../../domains/admin/index.ts'
import type { Erasure, ErasureList, RetentionPolicy, RetentionTried } from '../../domains/retention/index.ts'
import { post } from './client.ts'

/** A provider's API key, without its value. */
export type SecretRecord = SecretName

/** Reads the names of all secrets, for the query cache. */
export const secretsQuery = {
  queryKey: ['secrets'],
  queryFn: ({ signal }: { signal: AbortSignal }): Promise<Static<typeof SecretNames>> =>
    post('/secrets/query', {}, { signal }),
}

/** Stores a secret, or replaces its value. @throws {Problem} */
export const setSecret = (secret: Static<typeof SecretSet>): Promise<unknown> => post('/secrets/set', secret)

/** Removes a secret. @throws {Problem} */
export const removeSecret = ({ name, scope }: { name: string; scope: string }): Promise<unknown> =>
  post('/secrets/remove', { name, scope })

/** Reads for how long a project keeps its calls, for the query cache. */
export const retentionQuery = (projectId: string | undefined) => ({
  queryKey: ['retention', projectId],
  queryFn: ({ signal }: { signal: AbortSignal }): Promise<RetentionPolicy> =>
    post('/retention/read', { project_id: projectId }, { signal }),
})

/** Counts what a retention would delete. @throws {Problem} */
export const previewRetention = (projectId: string, days: number, signal: AbortSignal): Promise<RetentionTried> =>
  post('/retention/preview', { project_id: projectId, retention_days: days }, { signal })

/** Sets it; null: for ever. @throws {Problem} */
export const setRetention = (projectId: string, days: number | null): Promise<RetentionPolicy> =>
  post('/retention/set', { project_id: projectId, retention_days: days })

/** Reads the newest erasure of a project, for the query cache. */
export const erasureQuery = (projectId: string | undefined) => ({
  queryKey: ['erasure', projectId],
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Erasure | null> => {
    const body = { project_id: projectId, limit: 1 }
    const { erasures } = await post<Static<typeof ErasureList>>('/erasures/query', body, { signal })
    return erasures[0] ?? null
  },
})

/** Begins to erase a project. @throws {Problem} */
export const eraseProject = (projectId: string): Promise<Erasure> => post('/projects/erase', { project_id: projectId })

/** A project's own price for a model, in dollars per token. */
export interface Price {
  readonly id: string
  readonly llm_id: string
  readonly prompt_token_cost: number | null
  readonly completion_token_cost: number | null
  readonly cache_read_input_token_cost: number | null
  readonly cache_creation_input_token_cost: number | null
  /** When it begins to hold. */
  readonly effective_date: string | null
  /** Id of the key or account that set it. */
  readonly created_by: string | null
  readonly created_at: string | null
}

const priceFields = [
  'id',
  'llm_id',
  'prompt_token_cost',
  'completion_token_cost',
  'cache_read_input_token_cost',
  'cache_creation_input_token_cost',
  'effective_date',
  'created_by',
  'created_at',
]

/** Reads the prices of a project, for the query cache. */
export const pricesQuery = (projectId: string | undefined) => ({
  queryKey: ['prices', projectId],
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<readonly Price[]> =>
    (await post<{ results: Price[] }>('/cost/query', { project_id: projectId, fields: priceFields }, { signal }))
      .results,
})

/** A price of one model in dollars per token; it holds from now on if it has no date. */
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
