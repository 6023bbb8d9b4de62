import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { writeFileDurably } from '../../platform/durable-files.ts'
import { findText } from '../../platform/files.ts'
import { AccountSession } from '../oidc/account-session.ts'

/** A login as it is stored: its token is not. Times are milliseconds since 1970. */
const SessionRecord = Type.Object({
  /** SHA-256 of the token. */
  hash: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  /** Id of the API key that the session was opened with, or of the account. */
  key_id: Type.String(),
  /** What tells the preset admin key from its successor, which has the same id. */
  key_proof: Type.Union([Type.String(), Type.Null()]),
  created_ms: Type.Number(),
  expires_ms: Type.Number(),
  /** For a session of a person who signed in through a provider. */
  account: Type.Optional(AccountSession),
})
export type SessionRecord = Static<typeof SessionRecord>

const formatVersion = 1
const SessionFile = Type.Object({
  version: Type.Literal(formatVersion),
  /** Salt of all `key_proof`. */
  salt: Type.String({ minLength: 16 }),
  sessions: Type.Array(SessionRecord),
})
export type SessionFile = Static<typeof SessionFile>

/** The file cannot be understood. */
export class DamagedSessionFile extends Error {
  override readonly name = 'DamagedSessionFile'
}

/**
 * The sessions in `file`; undefined if it does not exist.
 *
 * @throws DamagedSessionFile also if the file is of a newer format
 */
export async function readSessionFile(file: string): Promise<SessionFile | undefined> {
  const text = await findText(file)
  if (text === undefined) return undefined
  const content = parse(text)
  if (Value.Check(SessionFile, content)) return content
  throw new DamagedSessionFile(`Invalid session file "${file}": unknown format`)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Not a session file either.
    return undefined
  }
}

/** Replaces the sessions in `file` atomically; only the owner of the process can read it. */
export async function writeSessionFile(file: string, content: Omit<SessionFile, 'version'>): Promise<void> {
  await writeFileDurably(file, `${JSON.stringify({ version: formatVersion, ...content })}\n`, { mode: 0o600 })
}
