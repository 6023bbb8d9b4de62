import type { Static } from '@sinclair/typebox'
import type {
  ApiKeyCreate,
  ApiKeyRotate,
  ApiKeys,
  CreatedApiKey,
  People,
  RotatedApiKey,
} from '../../domains/admin/index.ts'
import { post } from './client.ts'

interface Context {
  readonly signal: AbortSignal
}

/** An API key, without its secret. */
export type KeyRecord = Static<typeof ApiKeys>['keys'][number]

/** Whether a key works: it has neither been revoked nor expired. */
export const isInUse = ({ revoked_at, expires_at }: KeyRecord, nowMs: number = Date.now()): boolean =>
  revoked_at === null && (expires_at === null || Date.parse(expires_at) > nowMs)

/** A new key, whose value is shown only once. */
export type NewKey = Static<typeof CreatedApiKey>

/** Role of a key. */
export type Role = KeyRecord['role']

/** Reads all keys, for the query cache. */
export const keysQuery = {
  queryKey: ['keys'],
  queryFn: ({ signal }: Context): Promise<Static<typeof ApiKeys>> => post('/keys/query', {}, { signal }),
}

/** Makes a key. @throws {Problem} */
export const createKey = (key: Static<typeof ApiKeyCreate>): Promise<NewKey> => post('/keys/create', key)

/** Replaces a key by a new one. @throws {Problem} */
export const rotateKey = (key: Static<typeof ApiKeyRotate>): Promise<Static<typeof RotatedApiKey>> =>
  post('/keys/rotate', key)

/** Ends a key and its sessions. @throws {Problem} */
export const revokeKey = (id: string): Promise<unknown> => post('/keys/revoke', { id })

/** A person who has signed in through the OpenID provider. */
export type Person = People['people'][number]

/** Reads everyone who has signed in, for the query cache. */
export const peopleQuery = {
  queryKey: ['people'],
  queryFn: ({ signal }: Context): Promise<People> => post('/people/query', {}, { signal }),
}

/** Ends the sessions of a person. @throws {Problem} */
export const signOutPerson = (id: string): Promise<unknown> => post('/people/sign_out', { id })
