import { Sha256, sha256Base64Url } from './platform/crypto.ts'
import { pythonJson, pythonJsonInOrder } from './python-json.ts'

/**
 * Digest of an object version or a row: SHA-256 of its JSON text as Python prints it with sorted
 * keys, so the order of members does not matter. 43 letters and digits. See
 * docs/decisions/076-digests-of-sorted-keys.md.
 */
export const digestOfJson = (value: unknown): string => digestOfBytes(pythonJson(value))

/** Whether `digest` is one that `value` may be stored under: older digests did not sort keys. */
export const isDigestOfJson = (digest: string, value: unknown): boolean =>
  digest === digestOfJson(value) || digest === digestOfBytes(pythonJsonInOrder(value))

/** Digest of a file's contents, or of a text as UTF-8. 43 letters and digits. */
export const digestOfBytes = (bytes: Uint8Array | string): string => digestOfBase64Url(sha256Base64Url(bytes))

/**
 * Digest from a SHA-256 hash: URL-safe base64 without padding, with `X` and `Y` for `-` and `_`.
 */
export function digestOfHash(hash: Uint8Array): string {
  const base64 = btoa(String.fromCharCode(...hash))
  return base64.replaceAll('+', 'X').replaceAll('/', 'Y').replaceAll('=', '')
}

const digestOfBase64Url = (text: string): string => text.replaceAll('-', 'X').replaceAll('_', 'Y')

/**
 * Digest of a table: SHA-256 of the concatenated digests of its rows. 64 lowercase hexadecimal
 * digits.
 */
export function tableDigest(rowDigests: Iterable<string>): string {
  return tableDigestOfHash(new Sha256().update([...rowDigests].join('')).digest())
}

/** Digest of a table from the SHA-256 hash of its row digests. */
export const tableDigestOfHash = (hash: Uint8Array): string =>
  Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('')

/**
 * Whether a text has the form of a digest: of an object, row or file (43 letters and digits), or of
 * a table (64 hexadecimal digits).
 */
export const looksLikeDigest = (text: string): boolean => /^(?:[A-Za-z0-9]{43}|[0-9a-f]{64})$/.test(text)
