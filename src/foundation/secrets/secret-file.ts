import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { writeFileDurably } from '../../platform/durable-files.ts'
import { findText } from '../../platform/files.ts'

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
const SecretFile = Type.Object({ version: Type.Literal(formatVersion), secrets: Type.Array(SecretRecord) })

/**
 * The secrets in `file`; empty if the file does not exist. @throws Error if the file is damaged or
 * of a newer format
 */
export async function readSecretFile(file: string): Promise<readonly SecretRecord[]> {
  const text = await findText(file)
  if (text === undefined) return []
  const content = parse(text, file)
  if (Value.Check(SecretFile, content)) return content.secrets
  const [error] = Value.Errors(SecretFile, content)
  throw new Error(`Invalid secrets file "${file}": ${error?.path || '/'}: ${error?.message ?? 'unknown format'}`)
}

/** Replaces the secrets in `file`; only the owner of the process can read it. */
export async function writeSecretFile(file: string, secrets: readonly SecretRecord[]): Promise<void> {
  await writeFileDurably(file, `${JSON.stringify({ version: formatVersion, secrets }, null, 2)}\n`, { mode: 0o600 })
}

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new Error(`Invalid secrets file "${file}": not JSON`, { cause })
  }
}
