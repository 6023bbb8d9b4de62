import { type Static, Type } from '@sinclair/typebox'
import { PrivateFile } from '../access/index.ts'

/** A link to a trace as it is stored: its secret is not. Times are milliseconds since 1970. */
export const LinkRecord = Type.Object({
  /** Public: part of the link's address. */
  id: Type.String({ pattern: '^[0-9a-f]{16}$' }),
  /** SHA-256 of the secret, which is random, so that one round suffices. */
  hash: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  project_id: Type.String(),
  trace_id: Type.String(),
  /** Id of the API key, or of the account, that made the link. */
  user_id: Type.String(),
  created_ms: Type.Number(),
  expires_ms: Type.Number(),
  revoked_ms: Type.Union([Type.Number(), Type.Null()]),
})
export type LinkRecord = Static<typeof LinkRecord>

const formatVersion = 1
const linkFile = new PrivateFile(
  'file of shared links',
  Type.Object({ version: Type.Literal(formatVersion), links: Type.Array(LinkRecord) }),
)

/** The links in `file`, oldest first; empty if it does not exist. @throws DamagedFile */
export async function readLinkFile(file: string): Promise<readonly LinkRecord[]> {
  return (await linkFile.read(file))?.links ?? []
}

/** Replaces the links in `file` atomically. */
export async function writeLinkFile(file: string, links: readonly LinkRecord[]): Promise<void> {
  await linkFile.write(file, { version: formatVersion, links: [...links] })
}
