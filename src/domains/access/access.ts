import { DomainError } from '../../lib/errors.ts'
import { requestLimits } from '../../lib/limits/requests.ts'
import { ConfigError } from '../../runtime/config/config-error.ts'
import type { Documents } from '../../runtime/documents/documents.ts'
import type { Log } from '../../runtime/log.ts'
import type { Clock } from '../../runtime/platform/clock.ts'
import { slowHash } from '../../runtime/platform/crypto.ts'
import { Accounts } from './accounts.ts'
import { Caller, keyTextOf } from './caller.ts'
import { FailedAttempts } from './failed-attempts.ts'
import { hashKey, isKey, type KeyHash, type KeyRecord, keyIdOf } from './key-file.ts'
import { isValidKey, KeyRing } from './key-ring.ts'
import { KeyUses } from './key-uses.ts'

/**
 * Maximum age of the server's view of the key file: keys revoked elsewhere are rejected within this
 * time.
 */
const reloadIntervalMs = 250
const adminKeyCharsMin = 8
const adminId = 'admin'

export interface AccessOptions {
  readonly documents: Documents
  readonly adminKey: string | undefined
  readonly clock: Clock
  readonly log: Log
}

/**
 * Authenticates callers. Knows the API keys of the server and the admin key preset by the
 * environment.
 */
export class Access {
  /**
   * The caller of operations without authentication: role `read`, access to no project (`<` cannot
   * occur in a project id).
   */
  readonly anonymous: Caller = new Caller({
    userId: 'anonymous',
    userName: 'anonymous',
    role: 'read',
    scope: '<nothing>',
  })
  /** Text of the admin key if it was just created; the only chance to show it. */
  readonly firstAdminKey: string | undefined

  private readonly ring: KeyRing
  private readonly clock: Clock
  private readonly presetAdmin: KeyHash | undefined
  private readonly presetText: string | undefined
  private presetProof: { readonly salt: string; readonly proof: Promise<string> } | undefined
  private readonly failures: FailedAttempts
  private readonly uses: KeyUses
  /** The people who have signed in without a key. */
  readonly accounts: Accounts
  private keys: ReadonlyMap<string, KeyRecord> = new Map()
  private names: ReadonlyMap<string, string> = new Map([[adminId, adminId]])
  private namedAccounts = -1
  private seenVersion: string | undefined
  private lastCheckMs = Number.NEGATIVE_INFINITY
  private looking: Promise<void> | undefined

  private constructor(
    ring: KeyRing,
    uses: KeyUses,
    accounts: Accounts,
    { clock, log, adminKey }: AccessOptions,
    firstAdminKey: string | undefined,
  ) {
    // Valid keys are accepted beyond the limit, so clients that share an address are not locked
    // out. Invalid ones are no longer looked up on disk.
    this.failures = new FailedAttempts({
      clock,
      log,
      attemptsMax: requestLimits.wrongKeysMax,
      refillMs: requestLimits.wrongKeyRefillMs,
      what: 'requests with invalid API keys',
    })
    this.ring = ring
    this.uses = uses
    this.accounts = accounts
    this.clock = clock
    this.presetAdmin = adminKey === undefined ? undefined : hashKey(adminKey)
    this.presetText = adminKey
    this.firstAdminKey = firstAdminKey
  }

  /**
   * Reads the keys of the server. Where there is no key file, it makes an admin key, unless
   * `adminKey` presets one.
   *
   * @throws Error if the key file is damaged
   * @throws ConfigError if `adminKey` is shorter than 8 characters
   */
  static async open(options: AccessOptions): Promise<Access> {
    const { documents, adminKey, clock } = options
    if (adminKey !== undefined && adminKey.length < adminKeyCharsMin) {
      throw new ConfigError(
        `TRACELAKE_ADMIN_KEY must have at least ${adminKeyCharsMin} characters, not ${adminKey.length}`,
      )
    }
    const ring = new KeyRing(documents, clock)
    const firstAdminKey = adminKey === undefined ? await ring.createFirst() : undefined
    const access = new Access(ring, await KeyUses.open(options), await Accounts.open(options), options, firstAdminKey)
    await access.refresh(0)
    return access
  }

  /**
   * The owner of the API key in a request.
   *
   * @param addressOf address of the client; called only if the key is invalid
   * @throws DomainError Unauthorized, TooManyRequests
   */
  async authenticate(headers: Headers, addressOf: () => string = () => 'unknown'): Promise<Caller> {
    const text = keyTextOf(headers)
    if (text === undefined) throw new DomainError('Unauthorized', 'This operation requires an API key')
    const caller = await this.identify(text, () => !this.failures.isBarred(addressOf()))
    if (caller === undefined) {
      this.failures.add(addressOf())
      throw new DomainError('Unauthorized', 'Invalid API key')
    }
    return caller
  }

  /**
   * The owner of an API key; undefined for a wrong secret, a revoked key and an unknown key, which
   * are indistinguishable from outside.
   *
   * @param mayLook whether to look an unknown key up on disk, where it may be new
   */
  async identify(text: string, mayLook: () => boolean = () => true): Promise<Caller | undefined> {
    if (this.presetAdmin !== undefined && isKey(text, this.presetAdmin)) return presetCaller
    await this.refresh(reloadIntervalMs)
    const id = keyIdOf(text) ?? ''
    // A key that was just created must work at once.
    if (!this.keys.has(id) && mayLook()) await this.refreshFromOthers()
    const key = this.keys.get(id)
    const caller = key !== undefined && isKey(text, key) ? this.callerOf(key) : undefined
    if (caller !== undefined) this.uses.note(id)
    return caller
  }

  /** The owner of the key with an id, as it is now; undefined if the key is not valid any more. */
  async callerWith(keyId: string): Promise<Caller | undefined> {
    if (keyId === adminId) return this.presetAdmin && presetCaller
    await this.refresh(reloadIntervalMs)
    const key = this.keys.get(keyId)
    const caller = key && this.callerOf(key)
    if (caller !== undefined) this.uses.note(keyId)
    return caller
  }

  /**
   * The operator of the server as a caller: the preset admin key, otherwise the oldest admin key
   * whose scope is all projects; undefined if there is none.
   */
  async operator(): Promise<Caller | undefined> {
    if (this.presetAdmin !== undefined) return presetCaller
    await this.refreshFromOthers()
    const callers = [...this.keys.values()].map((key) => this.callerOf(key))
    return callers.find((caller) => caller?.isOperator)
  }

  /**
   * Tells the present key with an id from others: ids of created keys are never reused, but that of
   * the preset key is always the same. The key may be a guessable password, so its hash is slow.
   */
  async proofOf(keyId: string, salt: string): Promise<string | null> {
    if (keyId !== adminId || this.presetText === undefined) return null
    if (this.presetProof?.salt !== salt) this.presetProof = { salt, proof: slowHash(this.presetText, salt) }
    return await this.presetProof.proof
  }

  /**
   * Names by user id (`ext_user_id` → `ext_username`), including revoked keys and people who have
   * left. As fresh as the last request.
   */
  usernames(): ReadonlyMap<string, string> {
    if (this.namedAccounts !== this.accounts.version) this.nameAll()
    return this.names
  }

  /**
   * Owners of keys that can write to a project, and everyone who has signed in with an account,
   * whose grants are known only then; by name.
   */
  async peopleWhoMayWrite(projectId: string): Promise<{ user_id: string; name: string; is_account: boolean }[]> {
    await this.refresh(reloadIntervalMs)
    const keys = [...this.keys.values()].filter((key) => this.callerOf(key)?.canWrite(projectId))
    return [
      ...(this.presetAdmin === undefined ? [] : [{ user_id: adminId, name: adminId, is_account: false }]),
      ...keys.map(({ id, name }) => ({ user_id: id, name, is_account: false })),
      ...this.accounts.names.map(([id, name]) => ({ user_id: id, name, is_account: true })),
    ].toSorted((a, b) => a.name.localeCompare(b.name) || (a.user_id < b.user_id ? -1 : 1))
  }

  /**
   * When the key with an id was last used, by a request or by a session of the web UI; null if not
   * known.
   */
  lastUsedAt(id: string): string | null {
    return this.uses.lastUsedAt(id)
  }

  /** Whether an id is that of a revoked key. Ids of people and of the preset key never are. */
  async isRevoked(id: string): Promise<boolean> {
    await this.refresh(reloadIntervalMs)
    return typeof this.keys.get(id)?.revoked_at === 'string'
  }

  /** Writes what is not on disk yet. */
  close(): Promise<void> {
    return this.uses.close()
  }

  /** All keys ever created, oldest first; the preset key is not among them. */
  async listKeys(): Promise<readonly KeyRecord[]> {
    return await this.ring.list()
  }

  /**
   * Creates a key that works at once. Its `text` is available only in this result.
   *
   * @throws DomainError InvalidRequest for an invalid name, role, scope or time
   */
  async createKey(requested: Parameters<KeyRing['create']>[0]): Promise<{ record: KeyRecord; text: string }> {
    const made = await this.ring.create(requested)
    await this.refresh(0)
    return made
  }

  /** Replaces a key by a new one. @throws DomainError NotFound, InvalidRequest */
  async rotateKey(...of: Parameters<KeyRing['rotate']>): ReturnType<KeyRing['rotate']> {
    const made = await this.ring.rotate(...of)
    await this.refresh(0)
    return made
  }

  /** Revokes a key; it is rejected when this returns. Idempotent. @throws DomainError NotFound */
  async revokeKey(id: string): Promise<KeyRecord> {
    const record = await this.ring.revoke(id)
    await this.refresh(0)
    return record
  }

  private callerOf(key: KeyRecord): Caller | undefined {
    const { id, name, role, scope } = key
    return isValidKey(key, this.clock.nowMs()) ? new Caller({ userId: id, userName: name, role, scope }) : undefined
  }

  private async refresh(olderThanMs: number): Promise<void> {
    // A clock that was set back must not hide a revocation until it catches up.
    if (Math.abs(this.clock.nowMs() - this.lastCheckMs) < olderThanMs) return
    // A reload that started before this call may have missed the change.
    if (olderThanMs === 0) await this.looking
    this.looking ??= this.reload().finally(() => {
      this.looking = undefined
    })
    await this.looking
  }

  /** Reads what others have just changed, too. Requests with known keys do not wait for this. */
  private async refreshFromOthers(): Promise<void> {
    await this.ring.newestVersion()
    await this.refresh(0)
  }

  private nameAll(): void {
    this.namedAccounts = this.accounts.version
    const keys = [...this.keys.values()].map(({ id, name }) => [id, name] as const)
    this.names = new Map([[adminId, adminId], ...this.accounts.names, ...keys])
  }

  private async reload(): Promise<void> {
    const version = await this.ring.version()
    if (version !== this.seenVersion) {
      const records = await this.ring.list()
      this.keys = new Map(records.map((key) => [key.id, key]))
      this.nameAll()
      this.seenVersion = version
    }
    this.lastCheckMs = this.clock.nowMs()
  }
}

const presetCaller = new Caller({ userId: adminId, userName: adminId, role: 'admin', scope: '*' })
