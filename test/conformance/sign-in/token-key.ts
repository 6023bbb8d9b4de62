const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }

/** A key that signs ID tokens. */
export class TokenKey {
  /** For the provider. */
  readonly jwk: object
  private readonly key: CryptoKey
  private readonly id: string

  private constructor(key: CryptoKey, jwk: object, id: string) {
    this.key = key
    this.jwk = jwk
    this.id = id
  }

  static async generate(id: string): Promise<TokenKey> {
    const size = { modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) }
    const { privateKey } = await crypto.subtle.generateKey({ ...algorithm, ...size }, true, ['sign', 'verify'])
    const { key_ops: _, ext: __, ...jwk } = await crypto.subtle.exportKey('jwk', privateKey)
    return new TokenKey(privateKey, { ...jwk, kid: id, use: 'sig', alg: 'RS256' }, id)
  }

  /** A token with other claims, signed with this key. */
  async sign(token: string, changes: Record<string, unknown>): Promise<string> {
    const head = encoded({ alg: 'RS256', kid: this.id, typ: 'JWT' })
    const unsigned = `${head}.${encoded({ ...claimsOf(token), ...changes })}`
    const signature = await crypto.subtle.sign(algorithm.name, this.key, new TextEncoder().encode(unsigned))
    return `${unsigned}.${Buffer.from(signature).toString('base64url')}`
  }
}

/** The same claims without a signature. */
export const unsigned = (token: string): string => `${encoded({ alg: 'none', typ: 'JWT' })}.${token.split('.')[1]}.`

const claimsOf = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString('utf8')) as Record<string, unknown>

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
