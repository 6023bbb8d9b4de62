import type { Static } from '@sinclair/typebox'
import type { SecretName, SecretNames, SecretSet } from '../../domains/admin/index.ts'
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
