import { createHash, createHmac, type Hash, hash, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'

/**
 * `byteCount` random bytes of the operating system's generator, as lowercase hexadecimal digits.
 */
export const randomHex = (byteCount: number): string => randomBytes(byteCount).toString('hex')

/** SHA-256 (FIPS 180-4) of the UTF-8 text, as 64 lowercase hexadecimal digits. */
export const sha256Hex = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex')

/**
 * SHA-256 of bytes, or of a text as UTF-8, as URL-safe base64 without padding. Takes a third of the
 * time of `Sha256` for short inputs.
 */
export const sha256Base64Url = (piece: Uint8Array | string): string => hash('sha256', piece, 'base64url')

/** The first eight bytes of the MD5 (RFC 1321) of a text as UTF-8, as a little-endian number. */
export const md5Start = (text: string): bigint => hash('md5', text, 'buffer').readBigUInt64LE(0)

/** HMAC-SHA256 (RFC 2104) of the UTF-8 text, as base64. */
export const hmacBase64 = (key: Uint8Array, text: string): string =>
  createHmac('sha256', key).update(text, 'utf8').digest('base64')

/** `byteCount` random bytes, as base64. */
export const randomBase64 = (byteCount: number): string => randomBytes(byteCount).toString('base64')

/** A hash of a text that people may have chosen: guessing costs 16 MiB and tens of milliseconds. */
export async function slowHash(text: string, salt: string): Promise<string> {
  const key = await new Promise<Buffer>((resolve, reject) =>
    scrypt(text, salt, 32, (error, made) => (error ? reject(error) : resolve(made))),
  )
  return key.toString('hex')
}

/** Whether two texts are equal, in time that depends only on their lengths. */
export function equalInConstantTime(left: string, right: string): boolean {
  const a = Buffer.from(left, 'utf8')
  const b = Buffer.from(right, 'utf8')
  return a.byteLength === b.byteLength && timingSafeEqual(a, b)
}

/** Incremental SHA-256. */
export class Sha256 {
  private readonly hash: Hash

  constructor(hash: Hash = createHash('sha256')) {
    this.hash = hash
  }

  /** An independent copy of the current state. */
  copy(): Sha256 {
    return new Sha256(this.hash.copy())
  }

  /** Text is hashed as UTF-8. */
  update(piece: Uint8Array | string): this {
    if (typeof piece === 'string') this.hash.update(piece, 'utf8')
    else this.hash.update(piece)
    return this
  }

  /** Returns the 32 bytes of the hash. Call it once. */
  digest(): Uint8Array {
    return this.hash.digest()
  }
}

/** MD5 (RFC 1321), which S3 uses as a checksum. */
export const md5 = (bytes: Uint8Array): Uint8Array => hash('md5', bytes, 'buffer')

/** Incremental MD5. */
export class Md5 {
  private readonly hash = createHash('md5')

  update(piece: Uint8Array): void {
    this.hash.update(piece)
  }

  /** 32 lowercase hexadecimal digits. Call it once. */
  hex(): string {
    return this.hash.digest('hex')
  }
}

/** Size of a text in UTF-8. */
export const utf8Bytes = (text: string): number => Buffer.byteLength(text, 'utf8')

/** Bytes as base64 (RFC 4648, section 4). */
export const encodeBase64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

/** Decodes base64 (RFC 4648, section 4); undefined if the text is not canonical. */
export function decodeBase64(text: string): Uint8Array | undefined {
  const bytes = Buffer.from(text, 'base64')
  return bytes.toString('base64') === text ? bytes : undefined
}
