import { createHash, type Hash, hash, randomBytes, timingSafeEqual } from 'node:crypto'

/** `byteCount` random bytes of the operating system's generator, as lowercase hexadecimal digits. */
export const randomHex = (byteCount: number): string => randomBytes(byteCount).toString('hex')

/** SHA-256 (FIPS 180-4) of the UTF-8 text, as 64 lowercase hexadecimal digits. */
export const sha256Hex = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex')

/** SHA-256 of bytes, or of the UTF-8 bytes of a text, as URL-safe base64 without padding. A third of what `Sha256` takes for short ones. */
export const sha256Base64Url = (piece: Uint8Array | string): string => hash('sha256', piece, 'base64url')

/** Whether two texts are equal, in a time that depends on their lengths only. */
export function equalInConstantTime(left: string, right: string): boolean {
  const a = Buffer.from(left, 'utf8')
  const b = Buffer.from(right, 'utf8')
  return a.byteLength === b.byteLength && timingSafeEqual(a, b)
}

/** SHA-256 of bytes that come in pieces. */
export class Sha256 {
  private readonly hash: Hash

  constructor(hash: Hash = createHash('sha256')) {
    this.hash = hash
  }

  /** One that goes on from here by itself. */
  copy(): Sha256 {
    return new Sha256(this.hash.copy())
  }

  /** Text counts as its UTF-8 bytes. */
  update(piece: Uint8Array | string): this {
    if (typeof piece === 'string') this.hash.update(piece, 'utf8')
    else this.hash.update(piece)
    return this
  }

  /** The 32 bytes of the hash. Call it once. */
  digest(): Uint8Array {
    return this.hash.digest()
  }
}

/** Bytes of a text in UTF-8. */
export const utf8Bytes = (text: string): number => Buffer.byteLength(text, 'utf8')

/** Bytes of base64 (RFC 4648, section 4), or undefined where the text is not what encoding them gives. */
export function decodeBase64(text: string): Uint8Array | undefined {
  const bytes = Buffer.from(text, 'base64')
  return bytes.toString('base64') === text ? bytes : undefined
}
