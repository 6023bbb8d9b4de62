import { type Static, Type } from '@sinclair/typebox'
import { KeyedMutex } from '../../lib/concurrency.ts'
import { requestLimits } from '../../lib/limits/requests.ts'
import type { Documents } from '../../runtime/documents/documents.ts'
import type { Log } from '../../runtime/log.ts'
import type { Clock } from '../../runtime/platform/clock.ts'
import { sha256Hex } from '../../runtime/platform/crypto.ts'
import { DocumentFormat, type OwnRecords } from './document-format.ts'

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

/** The document that lists the users who have signed in through an OpenID provider. */
export const accountFileName = 'accounts.json'

const AccountFile = Type.Object({ version: Type.Literal(1), accounts: Type.Array(AccountRecord) })
const accountFormat = new DocumentFormat(accountFileName, 'account file', AccountFile)

const nameCharsMax = 128

/** The user as identified by the provider at sign-in. */
export interface Person {
  readonly issuer: string
  /** The provider's own id of the person. */
  readonly subject: string
  readonly name: string | undefined
  readonly email: string | undefined
}

/**
 * The people who have signed in. Records that they wrote keep showing their name after they have
 * left.
 */
export class Accounts {
  private readonly file: OwnRecords<Static<typeof AccountFile>>
  private readonly clock: Clock
  private readonly byId: Map<string, AccountRecord>
  private changeCount = 0
  private readonly changes = new KeyedMutex()

  private constructor(file: OwnRecords<Static<typeof AccountFile>>, clock: Clock, known: readonly AccountRecord[]) {
    this.file = file
    this.clock = clock
    this.byId = new Map(known.map((account) => [account.id, account]))
  }

  /** Reads the accounts of the server; a file that cannot be read is replaced. */
  static async open(options: { documents: Documents; clock: Clock; log: Log }): Promise<Accounts> {
    const file = await accountFormat.own(options.documents)
    const known = await file.read().catch((err: unknown) => {
      options.log.warn({ err }, 'names of people who have signed in are unknown: their file cannot be read')
      return undefined
    })
    return new Accounts(file, options.clock, known?.accounts ?? [])
  }

  /** Changes whenever the accounts change. */
  get version(): number {
    return this.changeCount
  }

  /** Names by id. */
  get names(): readonly (readonly [id: string, name: string])[] {
    return [...this.byId.values()].map(({ id, name }) => [id, name] as const)
  }

  /** Everyone who has signed in, the latest first. */
  list(): AccountRecord[] {
    return [...this.byId.values()].toSorted((a, b) => b.last_signed_in_at.localeCompare(a.last_signed_in_at))
  }

  find(id: string): AccountRecord | undefined {
    return this.byId.get(id)
  }

  /** Records a sign-in; durable when this returns. */
  async signedIn({ issuer, subject, name, email }: Person): Promise<AccountRecord> {
    const id = `oidc-${sha256Hex(`${issuer}\n${subject}`).slice(0, 16)}`
    return await this.changes.run('', async () => {
      const before = this.byId.get(id)
      const now = new Date(this.clock.nowMs()).toISOString()
      const account: AccountRecord = {
        id,
        issuer,
        subject,
        name: printable(name) ?? before?.name ?? printable(subject) ?? id,
        email: printable(email) ?? before?.email ?? null,
        first_signed_in_at: before?.first_signed_in_at ?? now,
        last_signed_in_at: now,
      }
      const others = [...this.byId.values()].filter((other) => other.id !== id)
      const kept = others
        .toSorted((a, b) => a.last_signed_in_at.localeCompare(b.last_signed_in_at))
        .slice(-(requestLimits.accountsMax - 1))
      await this.file.write({ version: 1, accounts: [...kept, account] })
      for (const other of others) if (!kept.includes(other)) this.byId.delete(other.id)
      this.byId.set(id, account)
      this.changeCount++
      return account
    })
  }
}

const printable = (text: string | undefined): string | undefined =>
  text
    ?.replace(/[\p{Cc}\p{Cs}]/gu, '')
    .trim()
    .slice(0, nameCharsMax) || undefined
