import { type Static, Type } from '@sinclair/typebox'
import { equalInConstantTime, randomHex, sha256Hex } from '../../runtime/platform/crypto.ts'
import { DocumentFormat } from './document-format.ts'

/**
 * A new key: 40 lowercase hexadecimal digits, of which the first 8 are its public id and the other
 * 32 its secret (128 bits).
 */
export const newKeyText = (): string => randomHex(20)

const keyForm = /^[0-9a-f]{40}$/

/** The public id of a key; undefined if `text` does not have the form of a key. */
export const keyIdOf = (text: string): string | undefined => (keyForm.test(text) ? text.slice(0, 8) : undefined)

/**
 * A key as stored. Keys are random, so one round of SHA-256 suffices: there is no dictionary to
 * try.
 */
export interface KeyHash {
  readonly salt: string
  readonly hash: string
}

export function hashKey(text: string): KeyHash {
  const salt = randomHex(16)
  return { salt, hash: sha256Hex(salt + text) }
}

/** Whether `text` is the key that `kept` was made from, compared in constant time. */
export const isKey = (text: string, kept: KeyHash): boolean =>
  equalInConstantTime(sha256Hex(kept.salt + text), kept.hash)

/** Everything known of a key except its secret. Times are ISO 8601, UTC. */
export const KeyRecord = Type.Object({
  id: Type.String({ pattern: '^[0-9a-f]{8}$' }),
  name: Type.String(),
  role: Type.Union([Type.Literal('read'), Type.Literal('write'), Type.Literal('admin')]),
  scope: Type.String(),
  salt: Type.String(),
  hash: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  created_at: Type.String(),
  /**
   * Revoked keys stay in the file, so that what was written with them keeps the name of its author.
   */
  revoked_at: Type.Union([Type.String(), Type.Null()]),
  /** When the key stops working; absent for one that never does. */
  expires_at: Type.Optional(Type.String()),
  /** Id of the key that replaces it. */
  replaced_by: Type.Optional(Type.String({ pattern: '^[0-9a-f]{8}$' })),
})
export type KeyRecord = Static<typeof KeyRecord>

/** The document with the API keys. */
export const keyFileName = 'keys.json'

/** A damaged key file is an error: rejecting everyone is safer than guessing. */
export const keyFormat = new DocumentFormat(
  keyFileName,
  'key file',
  Type.Object({ version: Type.Literal(1), keys: Type.Array(KeyRecord) }),
)
