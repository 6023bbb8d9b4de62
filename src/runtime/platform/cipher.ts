import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const cipher = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/** Length of a key for `seal`, in bytes. */
export const cipherKeyBytes = 32

/**
 * Encrypts a text with AES-256-GCM (NIST SP 800-38D) under a fresh nonce. `context` is
 * authenticated but not included: it ties the ciphertext to its location.
 *
 * @returns nonce, ciphertext and tag, in base64
 */
export function seal(text: string, key: Uint8Array, context: string): string {
  const nonce = randomBytes(nonceBytes)
  const encryption = createCipheriv(cipher, key, nonce, { authTagLength: tagBytes })
  encryption.setAAD(Buffer.from(context, 'utf8'))
  const body = Buffer.concat([encryption.update(text, 'utf8'), encryption.final()])
  return Buffer.concat([nonce, body, encryption.getAuthTag()]).toString('base64')
}

/**
 * Decrypts a sealed text.
 * @throws Error if key or context differ, or the ciphertext was changed
 */
export function unseal(sealed: string, key: Uint8Array, context: string): string {
  const bytes = Buffer.from(sealed, 'base64')
  if (bytes.byteLength < nonceBytes + tagBytes) throw new Error('Cannot decrypt: the text is too short')
  const decryption = createDecipheriv(cipher, key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes })
  decryption.setAAD(Buffer.from(context, 'utf8'))
  decryption.setAuthTag(bytes.subarray(bytes.byteLength - tagBytes))
  const body = bytes.subarray(nonceBytes, bytes.byteLength - tagBytes)
  return decryption.update(body, undefined, 'utf8') + decryption.final('utf8')
}
