import { type Static, Type } from '@sinclair/typebox'
import { DomainError, quoted } from '../../../lib/errors.ts'
import { providerLimits } from '../../../lib/limits/providers.ts'
import { requestLimits } from '../../../lib/limits/requests.ts'
import { present } from '../../../lib/present.ts'
import { isScope } from '../../../lib/project-id.ts'
import { cipherKeyBytes, seal, unseal } from '../../../runtime/platform/cipher.ts'
import type { Clock } from '../../../runtime/platform/clock.ts'
import { randomHex } from '../../../runtime/platform/crypto.ts'
import { ensureFolderDurably, writeFileDurably } from '../../../runtime/platform/files/durable-files.ts'
import { findFileVersion, withFileLock } from '../../../runtime/platform/files/file-lock.ts'
import { findText } from '../../../runtime/platform/files/files.ts'
import { joinPath } from '../../../runtime/platform/files/paths.ts'
import { PrivateFile } from '../private-file.ts'

/** The key in `file`: 64 hexadecimal digits. @throws Error if the file is missing or malformed */
async function readSealingKey(file: string): Promise<Uint8Array> {
  const text = await findText(file)
  if (text === undefined) {
    throw new Error(`The secrets key file "${file}" does not exist; restore it, or set the secrets again`)
  }
  return parse(text, file)
}

/** The key in `file`, created if missing; only the owner of the process can read it. */
export async function findOrMakeSealingKey(file: string): Promise<Uint8Array> {
  const text = await findText(file)
  if (text !== undefined) return parse(text, file)
  const fresh = `${randomHex(cipherKeyBytes)}\n`
  try {
    await writeFileDurably(file, fresh, { mode: 0o600 })
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new Error(
      `Cannot create the secrets key file "${file}": ${why}; set TRACELAKE_SECRETS_KEY_FILE to use another path`,
      {
        cause,
      },
    )
  }
  return parse(fresh, file)
}

function parse(text: string, file: string): Uint8Array {
  const digits = text.trim()
  if (!/^[0-9a-f]{64}$/.test(digits))
    throw new Error(`Invalid secrets key file "${file}": it must contain 64 hexadecimal digits`)
  return Uint8Array.fromHex(digits)
}

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

const formatVersion = 1
const secretFile = new PrivateFile(
  'secrets file',
  Type.Object({ version: Type.Literal(formatVersion), secrets: Type.Array(SecretRecord) }),
)

/** The secrets in `file`; empty if the file does not exist. @throws DamagedFile */
async function readSecretFile(file: string): Promise<readonly SecretRecord[]> {
  return (await secretFile.read(file))?.secrets ?? []
}

/** Replaces the secrets in `file` atomically. */
async function writeSecretFile(file: string, secrets: readonly SecretRecord[]): Promise<void> {
  await secretFile.write(file, { version: formatVersion, secrets: [...secrets] })
}

/** The file in a data folder that holds its encrypted secrets. */
export const secretFileName = 'secrets.json'

const lockOptions = { staleAfterMs: requestLimits.fileLockStaleMs, waitMs: requestLimits.fileLockWaitMs }
const nameForm = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/
const hostForm = /^(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/

/** Identity of a secret: the same name may have different values in different scopes. */
export interface SecretPlace {
  readonly name: string
  readonly scope: string
}

/**
 * The secrets of a data folder, in `<data>/secrets.json`, encrypted with a key stored elsewhere, so
 * that a copy of the folder alone reveals nothing. Safe for concurrent processes. See
 * docs/decisions/038-provider-secrets.md.
 */
export class SecretStore {
  private readonly folder: string
  private readonly file: string
  private readonly keyFile: string
  private readonly clock: Clock

  constructor(options: { dataFolder: string; keyFile: string; clock: Clock }) {
    this.folder = options.dataFolder
    this.file = joinPath(options.dataFolder, secretFileName)
    this.keyFile = options.keyFile
    this.clock = options.clock
  }

  /** Changes whenever the secrets change; undefined if there are none yet. */
  version(): Promise<string | undefined> {
    return findFileVersion(this.file)
  }

  /** All secrets, with encrypted values. @throws Error if the file is damaged */
  list(): Promise<readonly SecretRecord[]> {
    return readSecretFile(this.file)
  }

  /** The decrypted value of a secret. @throws Error if the key is missing or does not match */
  async open(record: SecretRecord): Promise<string> {
    const key = await readSealingKey(this.keyFile)
    try {
      return unseal(record.sealed, key, contextOf(record))
    } catch (cause) {
      throw new Error(
        `Cannot decrypt secret "${record.name}": it was not encrypted with the key in "${this.keyFile}"`,
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
      const key = await findOrMakeSealingKey(this.keyFile)
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
    await ensureFolderDurably(this.folder)
    await withFileLock(`${this.file}.lock`, lockOptions, async (lock) => {
      const after = await edit(await this.list())
      if (!(await lock.isHeld())) {
        throw new Error(`Lost the lock on "${this.file}" to another process; nothing was changed, try again`)
      }
      await writeSecretFile(this.file, after)
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
