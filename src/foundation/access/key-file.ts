import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { writeFileDurably } from '../../platform/durable-files.ts'
import { findText } from '../../platform/files.ts'

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
const KeyFile = Type.Object({ version: Type.Literal(formatVersion), keys: Type.Array(KeyRecord) })

/**
 * The keys in `file`, oldest first; undefined if the file does not exist.
 *
 * @throws Error if the file is damaged or of a newer format: rejecting everyone is safer than
 *   guessing
 */
export async function readKeyFile(file: string): Promise<readonly KeyRecord[] | undefined> {
  const text = await findText(file)
  if (text === undefined) return undefined
  const content = parse(text, file)
  if (Value.Check(KeyFile, content)) return content.keys
  const [error] = Value.Errors(KeyFile, content)
  throw new Error(`Invalid key file "${file}": ${error?.path || '/'}: ${error?.message ?? 'unknown format'}`)
}

/** Replaces the keys in `file` atomically; only the owner of the process can read it. */
export async function writeKeyFile(file: string, keys: readonly KeyRecord[]): Promise<void> {
  await writeFileDurably(file, `${JSON.stringify({ version: formatVersion, keys }, null, 2)}\n`, { mode: 0o600 })
}

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new Error(`Invalid key file "${file}": not JSON`, { cause })
  }
}
