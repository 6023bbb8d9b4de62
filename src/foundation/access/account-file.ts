import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { writeFileDurably } from '../../platform/durable-files.ts'
import { findText } from '../../platform/files.ts'

/** A person who has signed in through an OpenID provider. Times are ISO 8601, UTC. */
export const AccountRecord = Type.Object({
  /** Made of issuer and subject, so it stays the same; `ext_user_id` of what the person does. */
  id: Type.String({ pattern: '^oidc-[0-9a-f]{16}$' }),
  issuer: Type.String(),
  subject: Type.String(),
  name: Type.String(),
  email: Type.Union([Type.String(), Type.Null()]),
  first_signed_in_at: Type.String(),
  last_signed_in_at: Type.String(),
})
export type AccountRecord = Static<typeof AccountRecord>

const formatVersion = 1
const AccountFile = Type.Object({ version: Type.Literal(formatVersion), accounts: Type.Array(AccountRecord) })

/**
 * The accounts in `file`, oldest first; empty if it does not exist.
 *
 * @throws Error if the file is damaged or of a newer format
 */
export async function readAccountFile(file: string): Promise<readonly AccountRecord[]> {
  const text = await findText(file)
  if (text === undefined) return []
  const content: unknown = JSON.parse(text)
  if (Value.Check(AccountFile, content)) return content.accounts
  throw new Error(`Invalid file of accounts "${file}"`)
}

/** Replaces the accounts in `file` atomically; only the owner of the process can read it. */
export async function writeAccountFile(file: string, accounts: readonly AccountRecord[]): Promise<void> {
  await writeFileDurably(file, `${JSON.stringify({ version: formatVersion, accounts }, null, 2)}\n`, { mode: 0o600 })
}
