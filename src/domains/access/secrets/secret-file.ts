import { type Static, Type } from '@sinclair/typebox'
import { PrivateFile } from '../private-file.ts'

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
export async function readSecretFile(file: string): Promise<readonly SecretRecord[]> {
  return (await secretFile.read(file))?.secrets ?? []
}

/** Replaces the secrets in `file` atomically. */
export async function writeSecretFile(file: string, secrets: readonly SecretRecord[]): Promise<void> {
  await secretFile.write(file, { version: formatVersion, secrets: [...secrets] })
}
