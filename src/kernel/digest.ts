import { Sha256, sha256Base64Url } from '../platform/crypto.ts'
import { pythonJson, pythonJsonInOrder } from './python-json.ts'

/**
 * Digest of a version of an object, or of a row: SHA-256 of its JSON text as Python prints it with sorted keys, so the order of members
 * does not matter. 43 letters and digits.
 */
export const digestOfJson = (value: unknown): string => digestOfBytes(pythonJson(value))

/** Whether `digest` is one of those a value may be stored under: keys were not sorted always. */
export const isDigestOfJson = (digest: string, value: unknown): boolean =>
  digest === digestOfJson(value) || digest === digestOfBytes(pythonJsonInOrder(value))

/** Digest of the content of a file, or of the UTF-8 bytes of a text. 43 letters and digits. */
export const digestOfBytes = (bytes: Uint8Array | string): string => digestOfBase64Url(sha256Base64Url(bytes))

/** Digest made of a SHA-256 hash: its URL-safe base64 without padding, with `X` and `Y` where that has `-` and `_`. */
export function digestOfHash(hash: Uint8Array): string {
  const base64 = btoa(String.fromCharCode(...hash))
  return base64.replaceAll('+', 'X').replaceAll('/', 'Y').replaceAll('=', '')
}

const digestOfBase64Url = (text: string): string => text.replaceAll('-', 'X').replaceAll('_', 'Y')

/** Digest of a table: SHA-256 of the digests of its rows, put together in order. 64 lowercase hexadecimal digits. */
export function tableDigest(rowDigests: Iterable<string>): string {
  return tableDigestOfHash(new Sha256().update([...rowDigests].join('')).digest())
}

/** Digest of a table from the SHA-256 hash of the digests of its rows. */
export const tableDigestOfHash = (hash: Uint8Array): string =>
  Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('')

/** Whether a text has the form of a digest: of an object, row or file (43 letters and digits), or of a table (64 hexadecimal digits). */
export const looksLikeDigest = (text: string): boolean => /^(?:[A-Za-z0-9]{43}|[0-9a-f]{64})$/.test(text)
