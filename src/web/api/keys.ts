import type { Static } from '@sinclair/typebox'
import type { ApiKeyCreate, ApiKeys, CreatedApiKey } from '../../domains/admin/index.ts'
import { post } from './client.ts'

/** An API key, without its secret. */
export type KeyRecord = Static<typeof ApiKeys>['keys'][number]

/** A key as it is shown once. */
export type NewKey = Static<typeof CreatedApiKey>

/** What a key may do. */
export type Role = KeyRecord['role']

/** Reads all keys, for the query cache. */
export const keysQuery = {
  queryKey: ['keys'],
  queryFn: ({ signal }: { signal: AbortSignal }): Promise<Static<typeof ApiKeys>> =>
    post('/keys/query', {}, { signal }),
}

/** Makes a key. @throws {Problem} */
export const createKey = (key: Static<typeof ApiKeyCreate>): Promise<NewKey> => post('/keys/create', key)

/** Ends a key and its sessions. @throws {Problem} */
export const revokeKey = (id: string): Promise<unknown> => post('/keys/revoke', { id })
