import { equalInConstantTime, randomHex, sha256Hex } from '../../runtime/platform/crypto.ts'

/**
 * A new key: 40 lowercase hexadecimal digits, of which the first 8 are its public id and the other
 * 32 its secret (128 bits).
 */
export const newKeyText = (): string => randomHex(20)

const keyForm = /^[0-9a-f]{40}$/

/** The public id of a key; undefined if `text` does not have the form of a key. */
export const keyIdOf = (text: string): string | undefined => (keyForm.test(text) ? text.slice(0, 8) : undefined)

/**
 * What is stored of a key. Keys are random, so one round of SHA-256 suffices: there is no
 * dictionary to try.
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
