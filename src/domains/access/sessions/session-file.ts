import { type Static, Type } from '@sinclair/typebox'
import { AccountSession } from '../oidc/account-session.ts'
import { PrivateFile } from '../private-file.ts'

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

const sessionFile = new PrivateFile('session file', SessionFile)

/** The sessions in `file`; undefined if it does not exist. @throws DamagedFile */
export async function readSessionFile(file: string): Promise<SessionFile | undefined> {
  return sessionFile.read(file)
}

/** Replaces the sessions in `file` atomically. */
export async function writeSessionFile(file: string, content: Omit<SessionFile, 'version'>): Promise<void> {
  await sessionFile.write(file, { version: formatVersion, ...content })
}
