import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** `byteCount` random bytes of the operating system's generator, as lowercase hexadecimal digits. */
export const randomHex = (byteCount: number): string => randomBytes(byteCount).toString('hex')

/** SHA-256 (FIPS 180-4) of the UTF-8 text, as 64 lowercase hexadecimal digits. */
export const sha256Hex = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex')

/** Whether two texts are equal, in a time that depends on their lengths only. */
export function equalInConstantTime(left: string, right: string): boolean {
  const a = Buffer.from(left, 'utf8')
  const b = Buffer.from(right, 'utf8')
  return a.byteLength === b.byteLength && timingSafeEqual(a, b)
}
