import { type Static, Type } from '@sinclair/typebox'
import { DomainError, quoted } from '../../../lib/errors.ts'
import { providerLimits } from '../../../lib/limits/providers.ts'
import { present } from '../../../lib/present.ts'
import { isScope } from '../../../lib/project-id.ts'
import type { Documents } from '../../../runtime/documents/documents.ts'
import { seal, unseal } from '../../../runtime/platform/cipher.ts'
import type { Clock } from '../../../runtime/platform/clock.ts'
import { DocumentFormat } from '../document-format.ts'
import type { SealingKey } from './sealing-key.ts'

/** A secret as stored. Its value is encrypted; everything else is readable. */
export const SecretRecord = Type.Object({
  name: Type.String(),
  /** `*`, `entity` or `entity/project`: the projects that may use it. */
  scope: Type.String(),
  /**
   * Hosts of custom providers that it may be sent to; built-in providers always receive their own
   * secret.
   */
  hosts: Type.Array(Type.String()),
  sealed: Type.String(),
  created_at: Type.String(),
})
export type SecretRecord = Static<typeof SecretRecord>

/** The document with the encrypted secrets. */
export const secretFileName = 'secrets.json'

const secretFormat = new DocumentFormat(
  secretFileName,
  'secrets file',
  Type.Object({ version: Type.Literal(1), secrets: Type.Array(SecretRecord) }),
)

const nameForm = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/
const hostForm = /^(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/

/** Identity of a secret: the same name may have different values in different scopes. */
export interface SecretPlace {
  readonly name: string
  readonly scope: string
}

/**
 * The secrets, in `secrets.json`, encrypted with a key that is stored elsewhere if the data is in a
 * folder, so that a copy of the folder alone reveals nothing. Safe for concurrent processes. See
 * docs/decisions/038-provider-secrets.md.
 */
export class SecretStore {
  private readonly documents: Documents
  private readonly key: SealingKey
  private readonly clock: Clock

  constructor(options: { documents: Documents; key: SealingKey; clock: Clock }) {
    this.documents = options.documents
    this.key = options.key
    this.clock = options.clock
  }

  /** Changes whenever the secrets change; undefined if there are none yet. */
  version(): Promise<string | undefined> {
    return this.documents.version(secretFileName)
  }

  /** All secrets, with encrypted values. @throws Error if the file is damaged */
  async list(): Promise<readonly SecretRecord[]> {
    return (await secretFormat.read(this.documents))?.secrets ?? []
  }

  /** The decrypted value of a secret. @throws Error if the key is missing or does not match */
  async open(record: SecretRecord): Promise<string> {
    const key = await this.key.get()
    try {
      return unseal(record.sealed, key, contextOf(record))
    } catch (cause) {
      throw new Error(
        `Cannot decrypt secret "${record.name}": it was not encrypted with the key in "${this.key.place}"`,
        {
          cause,
        },
      )
    }
  }

  /**
   * Sets or replaces a secret.
   *
   * @throws DomainError InvalidRequest for an invalid name, scope, host or value; the message never
   *   contains the value
   */
  async set(secret: SecretPlace & { value: string; hosts: readonly string[] }): Promise<SecretRecord> {
    check(secret)
    const { name, scope } = secret
    const hosts = secret.hosts.map((host) => host.toLowerCase())
    const created_at = new Date(this.clock.nowMs()).toISOString()
    let record: SecretRecord | undefined
    await this.change(async (secrets) => {
      const others = secrets.filter((other) => !isAt(other, secret))
      if (others.length >= providerLimits.secretsMax)
        refuse(`There are already ${providerLimits.secretsMax} secrets, the maximum`)
      const key = await this.key.getOrMake()
      record = { name, scope, hosts, sealed: seal(secret.value, key, contextOf(secret)), created_at }
      return [...others, record]
    })
    return present(record, 'The stored secret')
  }

  /** Removes a secret. @throws DomainError NotFound */
  async remove(place: SecretPlace): Promise<void> {
    if (!(await this.list()).some((secret) => isAt(secret, place))) {
      throw new DomainError('NotFound', `There is no secret "${place.name}" with scope "${place.scope}"`)
    }
    await this.change(async (secrets) => secrets.filter((secret) => !isAt(secret, place)))
  }

  private async change(edit: (secrets: readonly SecretRecord[]) => Promise<readonly SecretRecord[]>): Promise<void> {
    await this.documents.change(secretFileName, async (text) => {
      const before = secretFormat.contentOf(text, this.documents)?.secrets ?? []
      return { version: 1, secrets: await edit(before) }
    })
  }
}

const contextOf = ({ name, scope }: SecretPlace): string => `${scope}\n${name}`
const isAt = (secret: SecretPlace, place: SecretPlace): boolean =>
  secret.name === place.name && secret.scope === place.scope

function check({ name, scope, value, hosts }: SecretPlace & { value: string; hosts: readonly string[] }): void {
  if (!nameForm.test(name))
    refuse(`Invalid name ${quoted(name, 200)}: use 1 to 128 letters, digits and "_", not starting with a digit`)
  if (!isScope(scope)) refuse(`Invalid scope "${scope}": use "*", "<entity>" or "<entity>/<project>"`)
  if (value === '' || value.length > providerLimits.secretCharsMax) {
    refuse(`The value must have 1 to ${providerLimits.secretCharsMax} characters, not ${value.length}`)
  }
  // It becomes a header, which a line break would end.
  if (/[^\x20-\x7e]/.test(value)) refuse('The value must contain only printable ASCII characters')
  for (const host of hosts)
    if (!hostForm.test(host)) refuse(`Invalid host "${host}": use a host name or address, optionally with a port`)
}

function refuse(why: string): never {
  throw new DomainError('InvalidRequest', why)
}
