import { type Static, Type } from '@sinclair/typebox'
import { KeyedMutex } from '../../../lib/concurrency.ts'
import { DomainError, findDiskFault } from '../../../lib/errors.ts'
import { requestLimits } from '../../../lib/limits/requests.ts'
import type { Documents } from '../../../runtime/documents/documents.ts'
import type { Log } from '../../../runtime/log.ts'
import type { Clock } from '../../../runtime/platform/clock.ts'
import { randomHex, sha256Hex } from '../../../runtime/platform/crypto.ts'
import type { Access } from '../access.ts'
import type { Caller } from '../caller.ts'
import { DamagedDocument, DocumentFormat, type OwnRecords } from '../document-format.ts'
import { AccountSession } from '../oidc/account-session.ts'
import type { OpenId } from '../oidc/open-id.ts'
import { SignInProblem } from '../oidc/sign-in-problem.ts'

/** A login as it is stored: its token is not. Times are milliseconds since 1970. */
const SessionRecord = Type.Object({
  /** SHA-256 of the token. */
  hash: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  /** Id of the API key that the session was opened with, or of the account. */
  key_id: Type.String(),
  /** Distinguishes the preset admin key from its successor, which has the same id. */
  key_proof: Type.Union([Type.String(), Type.Null()]),
  created_ms: Type.Number(),
  expires_ms: Type.Number(),
  /** For a session of a person who signed in through a provider. */
  account: Type.Optional(AccountSession),
})
type SessionRecord = Static<typeof SessionRecord>

const SessionFile = Type.Object({
  version: Type.Literal(1),
  /** Salt of all `key_proof`. */
  salt: Type.String({ minLength: 16 }),
  sessions: Type.Array(SessionRecord),
})
type SessionFile = Static<typeof SessionFile>

const sessionFormat = new DocumentFormat('sessions.json', 'session file', SessionFile)

interface SessionOptions {
  readonly documents: Documents
  readonly access: Access
  /** Undefined if there is no OpenID provider: sessions of its users are not valid then. */
  readonly openId?: OpenId | undefined
  readonly clock: Clock
  readonly log: Log
}

/** A session that a request belongs to. */
export interface Session {
  readonly caller: Caller
  /** Its life was just extended: the browser has to hear of it. */
  readonly isExtended: boolean
}

/**
 * Why a browser that has a session's cookie has no session: the API key of the session is not valid
 * any more, or the session ended in another way, such as by its age or with the groups of a person.
 */
export type SessionEnd = 'key_revoked' | 'ended'

/**
 * Logins of the web UI. A session is as good as the API key it was opened with, and ends with it;
 * one of a person is as good as the groups that the provider states. Sessions survive restarts and
 * crashes; what is stored of one does not open it.
 */
export class Sessions {
  /** Whether the server is new, so there has never been a session. */
  readonly isFirstStart: boolean
  private readonly file: OwnRecords<SessionFile>
  private readonly access: Access
  private readonly openId: OpenId | undefined
  private readonly clock: Clock
  private readonly salt: string
  private readonly byHash: Map<string, SessionRecord>
  /** Changes are written one at a time. */
  private readonly changes = new KeyedMutex()
  /** Checks of groups in progress, by hash. */
  private readonly checks = new Map<string, Promise<SessionRecord | undefined>>()

  private constructor(
    file: OwnRecords<SessionFile>,
    { access, openId, clock }: SessionOptions,
    known: { salt: string; sessions: readonly SessionRecord[] } | undefined,
  ) {
    this.file = file
    this.access = access
    this.openId = openId
    this.clock = clock
    this.isFirstStart = known === undefined
    this.salt = known?.salt ?? randomHex(16)
    this.byHash = new Map(known?.sessions.map((session) => [session.hash, session]))
  }

  /** Reads the sessions of the server. A damaged file costs the sessions, not the start. */
  static async open(options: SessionOptions): Promise<Sessions> {
    const file = await sessionFormat.own(options.documents)
    const known = await file.read().catch((err: unknown) => {
      if (!(err instanceof DamagedDocument)) throw err
      options.log.warn({ err }, 'the session file is damaged; users of the web UI have to log in again')
      return { salt: randomHex(16), sessions: [] }
    })
    const sessions = new Sessions(file, options, known)
    if (known === undefined || known.sessions.length === 0)
      await sessions.write().catch((err: unknown) => {
        // A full disk is no reason not to start. The next session writes the file.
        if (findDiskFault(err) !== 'full') throw err
        options.log.warn({ err }, 'the disk is full; users of the web UI cannot log in')
      })
    return sessions
  }

  /**
   * Opens a session and returns its token, of which nothing but a hash is kept. Durable when this
   * returns. If the key has too many sessions, its oldest one ends.
   *
   * @throws DomainError Overloaded if there are too many sessions of all keys
   */
  async open({ userId }: Caller, account?: AccountSession): Promise<string> {
    const token = randomHex(32)
    const nowMs = this.clock.nowMs()
    const session: SessionRecord = {
      hash: sha256Hex(token),
      key_id: userId,
      key_proof: await this.access.proofOf(userId, this.salt),
      created_ms: nowMs,
      expires_ms: account?.ends_ms ?? nowMs + requestLimits.sessionMs,
      ...(account && { account }),
    }
    await this.change(() => {
      this.makeRoom(userId, nowMs)
      this.byHash.set(session.hash, session)
    })
    return token
  }

  /**
   * The session of a token; undefined if it has ended, its key is not valid any more, or no group
   * of the person gives access any more.
   */
  async find(token: string): Promise<Session | undefined> {
    const session = this.byHash.get(sha256Hex(token))
    const nowMs = this.clock.nowMs()
    if (session === undefined || session.expires_ms <= nowMs) return undefined
    if (session.account !== undefined) return await this.findAccount(session, session.account)
    const caller = await this.access.callerWith(session.key_id)
    if (caller === undefined) return undefined
    if (session.key_proof !== (await this.access.proofOf(session.key_id, this.salt))) return undefined
    const isExtended = session.expires_ms < nowMs + requestLimits.sessionMs - requestLimits.sessionExtendedEveryMs
    if (isExtended) await this.extend(session, nowMs)
    return { caller, isExtended }
  }

  /** Why `find` has found no session for a token. */
  whyEnded(token: string): SessionEnd {
    const session = this.byHash.get(sha256Hex(token))
    const isOver = session === undefined || session.expires_ms <= this.clock.nowMs()
    return isOver || session.account !== undefined ? 'ended' : 'key_revoked'
  }

  /**
   * Ends the session of a token, if there is one; durable when this returns.
   *
   * @returns what it kept of a sign-in through a provider
   */
  async end(token: string): Promise<AccountSession | undefined> {
    const hash = sha256Hex(token)
    const session = this.byHash.get(hash)
    if (session !== undefined) await this.change(() => this.byHash.delete(hash))
    return session?.account
  }

  /** Open sessions of each account, with the groups as the provider last stated them. */
  ofAccounts(): ReadonlyMap<string, { readonly sessions: number; readonly groups: readonly string[] }> {
    const nowMs = this.clock.nowMs()
    const found = new Map<string, { sessions: number; groups: readonly string[]; checkedMs: number }>()
    for (const { account, expires_ms } of this.byHash.values()) {
      if (account === undefined || expires_ms <= nowMs) continue
      const known = found.get(account.id)
      const latest = known && known.checkedMs > account.checked_ms ? known : undefined
      found.set(account.id, {
        sessions: (known?.sessions ?? 0) + 1,
        groups: latest?.groups ?? account.groups,
        checkedMs: latest?.checkedMs ?? account.checked_ms,
      })
    }
    return found
  }

  /** Ends every session of an account; durable when this returns. @returns how many there were */
  async endOfAccount(id: string): Promise<number> {
    const hashes = [...this.byHash.values()].filter(({ account }) => account?.id === id).map(({ hash }) => hash)
    if (hashes.length > 0)
      await this.change(() => {
        for (const hash of hashes) this.byHash.delete(hash)
      })
    return hashes.length
  }

  private async findAccount(session: SessionRecord, account: AccountSession): Promise<Session | undefined> {
    if (this.openId === undefined) return undefined
    const current = this.openId.isStale(account) ? await this.checked(session, account, this.openId) : session
    const caller = current?.account && this.openId.callerOf(current.account)
    return caller && { caller, isExtended: false }
  }

  /** The session with its groups as they are now; undefined if that ends it. Once at a time. */
  private checked(session: SessionRecord, account: AccountSession, openId: OpenId): Promise<SessionRecord | undefined> {
    const { hash } = session
    const check = async (): Promise<SessionRecord | undefined> => {
      try {
        const now = await openId.check(account)
        if (now === account) return session
        const renewed = now && { ...session, account: now }
        await this.change(() => {
          if (renewed === undefined) this.byHash.delete(hash)
          // It may have been ended meanwhile.
          else if (this.byHash.has(hash)) this.byHash.set(hash, renewed)
        })
        return renewed
      } catch (error) {
        // The session is of use again as soon as the provider answers.
        if (error instanceof SignInProblem) return undefined
        throw error
      }
    }
    const running = this.checks.get(hash) ?? check().finally(() => this.checks.delete(hash))
    this.checks.set(hash, running)
    return running
  }

  private async extend({ hash }: SessionRecord, nowMs: number): Promise<void> {
    await this.change(() => {
      const session = this.byHash.get(hash)
      if (session !== undefined) this.byHash.set(hash, { ...session, expires_ms: nowMs + requestLimits.sessionMs })
    })
  }

  /** The map is in order of creation. @throws DomainError Overloaded */
  private makeRoom(keyId: string, nowMs: number): void {
    for (const [hash, { expires_ms }] of this.byHash) if (expires_ms <= nowMs) this.byHash.delete(hash)
    const own = [...this.byHash.values()].filter((session) => session.key_id === keyId)
    for (const { hash } of own.slice(0, Math.max(own.length + 1 - requestLimits.sessionsPerKeyMax, 0))) {
      this.byHash.delete(hash)
    }
    if (this.byHash.size >= requestLimits.sessionsMax) {
      throw new DomainError('Overloaded', `Too many sessions: ${requestLimits.sessionsMax} is the maximum`)
    }
  }

  /** A failed change of the file does not leave the memory ahead of it. */
  private change(edit: () => void): Promise<void> {
    return this.changes.run('', async () => {
      const before = [...this.byHash]
      edit()
      try {
        await this.write()
      } catch (cause) {
        this.byHash.clear()
        for (const [hash, session] of before) this.byHash.set(hash, session)
        throw cause
      }
    })
  }

  private async write(): Promise<void> {
    await this.file.write({ version: 1, salt: this.salt, sessions: [...this.byHash.values()] })
  }
}
