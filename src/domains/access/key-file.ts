import { type Static, Type } from '@sinclair/typebox'
import { PrivateFile } from './private-file.ts'

/** Everything known of a key except its secret. Times are ISO 8601, UTC. */
export const KeyRecord = Type.Object({
  id: Type.String({ pattern: '^[0-9a-f]{8}$' }),
  name: Type.String(),
  role: Type.Union([Type.Literal('read'), Type.Literal('write'), Type.Literal('admin')]),
  scope: Type.String(),
  salt: Type.String(),
  hash: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  created_at: Type.String(),
  /**
   * Revoked keys stay in the file, so that what was written with them keeps the name of its author.
   */
  revoked_at: Type.Union([Type.String(), Type.Null()]),
})
export type KeyRecord = Static<typeof KeyRecord>

const formatVersion = 1
const keyFile = new PrivateFile(
  'key file',
  Type.Object({ version: Type.Literal(formatVersion), keys: Type.Array(KeyRecord) }),
)

/**
 * The keys in `file`, oldest first; undefined if the file does not exist.
 *
 * @throws DamagedFile: rejecting everyone is safer than guessing
 */
export async function readKeyFile(file: string): Promise<readonly KeyRecord[] | undefined> {
  return (await keyFile.read(file))?.keys
}

/** Replaces the keys in `file` atomically. */
export async function writeKeyFile(file: string, keys: readonly KeyRecord[]): Promise<void> {
  await keyFile.write(file, { version: formatVersion, keys: [...keys] })
}
