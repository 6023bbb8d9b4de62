import { Type } from '@sinclair/typebox'
import type { Documents } from '../../../runtime/documents/documents.ts'
import { cipherKeyBytes } from '../../../runtime/platform/cipher.ts'
import { randomHex } from '../../../runtime/platform/crypto.ts'
import { writeFileDurably } from '../../../runtime/platform/files/durable-files.ts'
import { findText } from '../../../runtime/platform/files/files.ts'
import { DocumentFormat } from '../document-format.ts'

/** The key that encrypts secrets and the tokens of people who have signed in. */
export interface SealingKey {
  /** Where it is, for messages. */
  readonly place: string
  /** @throws Error if it is missing or malformed */
  get(): Promise<Uint8Array>
  /** Makes it if it is missing. */
  getOrMake(): Promise<Uint8Array>
}

/** The key in a file: 64 hexadecimal digits. Only the owner of the process can read it. */
export class SealingKeyFile implements SealingKey {
  readonly place: string
  private readonly isShared: boolean

  /** @param options.isShared whether other machines have the same file, so that none may make it */
  constructor(file: string, { isShared = false } = {}) {
    this.place = file
    this.isShared = isShared
  }

  async get(): Promise<Uint8Array> {
    const text = await findText(this.place)
    if (text === undefined)
      throw new Error(`The secrets key file "${this.place}" does not exist; restore it, or set the secrets again`)
    return keyIn(text, this.place)
  }

  async getOrMake(): Promise<Uint8Array> {
    const text = await findText(this.place)
    if (text !== undefined) return keyIn(text, this.place)
    if (this.isShared)
      throw new Error(
        `The secrets key file "${this.place}" does not exist; copy that of the other servers of the lake, or make ` +
          'the first one with "openssl rand -hex 32"',
      )
    const fresh = `${randomHex(cipherKeyBytes)}\n`
    try {
      await writeFileDurably(this.place, fresh, { mode: 0o600 })
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause)
      throw new Error(
        `Cannot create the secrets key file "${this.place}": ${why}; ` +
          'set TRACELAKE_SECRETS_KEY_FILE to use another path',
        { cause },
      )
    }
    return keyIn(fresh, this.place)
  }
}

/**
 * The key as a document beside the secrets, which every node on an object store can read. See
 * docs/decisions/286-the-secrets-key-in-a-lake.md.
 */
export class SealingKeyDocument implements SealingKey {
  readonly place: string
  private readonly documents: Documents
  private known: Uint8Array | undefined

  constructor(documents: Documents) {
    this.documents = documents
    this.place = documents.placeOf(keyFormat.name)
  }

  async get(): Promise<Uint8Array> {
    if (this.known !== undefined) return this.known
    const found = await keyFormat.read(this.documents)
    if (found === undefined)
      throw new Error(
        `There is no "${this.place}"; set TRACELAKE_SECRETS_KEY_FILE to the key of the secrets, or set them again`,
      )
    this.known = keyIn(found.key, this.place)
    return this.known
  }

  async getOrMake(): Promise<Uint8Array> {
    if (this.known === undefined)
      await this.documents.change(keyFormat.name, (text) =>
        keyFormat.contentOf(text, this.documents) === undefined ? { version: 1, key: randomHex(cipherKeyBytes) } : null,
      )
    return await this.get()
  }
}

const keyFormat = new DocumentFormat(
  'secrets-key.json',
  'secrets key',
  Type.Object({ version: Type.Literal(1), key: Type.String() }),
)

function keyIn(text: string, place: string): Uint8Array {
  const digits = text.trim()
  if (!/^[0-9a-f]{64}$/.test(digits))
    throw new Error(`Invalid secrets key file "${place}": it must contain 64 hexadecimal digits`)
  return Uint8Array.fromHex(digits)
}
