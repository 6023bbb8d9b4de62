import { type Static, Type } from '@sinclair/typebox'
import { PrivateFile } from './private-file.ts'

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
const accountFile = new PrivateFile(
  'account file',
  Type.Object({ version: Type.Literal(formatVersion), accounts: Type.Array(AccountRecord) }),
)

/** The accounts in `file`, oldest first; empty if it does not exist. @throws DamagedFile */
export async function readAccountFile(file: string): Promise<readonly AccountRecord[]> {
  return (await accountFile.read(file))?.accounts ?? []
}

/** Replaces the accounts in `file` atomically. */
export async function writeAccountFile(file: string, accounts: readonly AccountRecord[]): Promise<void> {
  await accountFile.write(file, { version: formatVersion, accounts: [...accounts] })
}
