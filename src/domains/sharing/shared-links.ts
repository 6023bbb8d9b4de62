import { type Static, Type } from '@sinclair/typebox'
import { KeyedMutex } from '../../lib/concurrency.ts'
import { DomainError, quoted } from '../../lib/errors.ts'
import { requestLimits } from '../../lib/limits/requests.ts'
import type { Documents } from '../../runtime/documents/documents.ts'
import type { Log } from '../../runtime/log.ts'
import type { Clock } from '../../runtime/platform/clock.ts'
import { equalInConstantTime, randomHex, sha256Hex } from '../../runtime/platform/crypto.ts'
import {
  type Access,
  Caller,
  DamagedDocument,
  DocumentFormat,
  FailedAttempts,
  type OwnRecords,
  type ProjectWriter,
} from '../access/index.ts'

interface SharedLinksOptions {
  readonly documents: Documents
  readonly access: Access
  readonly clock: Clock
  readonly log: Log
}

/** A link without its hash. Times are milliseconds since 1970. */
export type SharedLink = Omit<LinkRecord, 'hash' | 'revoked_ms'>

/** What became of a link that does not open its trace any more. */
export type LinkEnd = 'expired' | 'revoked'

/** What a visitor holds: the public id of a link, and its secret. */
export interface LinkCredential {
  readonly id: string
  readonly secret: string
}

/**
 * Read-only links to single traces. A link ends at its time, when somebody revokes it, and with the
 * API key that made it. Links survive restarts and crashes; what is stored of one does not open it.
 * See docs/decisions/235-read-only-links.md.
 */
export class SharedLinks {
  private readonly file: OwnRecords<LinkFile>
  private readonly access: Access
  private readonly clock: Clock
  private readonly failures: FailedAttempts
  private readonly byId: Map<string, LinkRecord>
  /** Changes are written one at a time. */
  private readonly changes = new KeyedMutex()

  private constructor(
    file: OwnRecords<LinkFile>,
    { access, clock, log }: SharedLinksOptions,
    known: readonly LinkRecord[],
  ) {
    this.file = file
    this.access = access
    this.clock = clock
    this.failures = new FailedAttempts({
      clock,
      log,
      attemptsMax: requestLimits.wrongLoginsMax,
      refillMs: requestLimits.wrongLoginRefillMs,
      what: 'requests with invalid links',
    })
    this.byId = new Map(known.map((link) => [link.id, link]))
  }

  /** Reads the links of the server. A damaged file costs the links, not the start. */
  static async open(options: SharedLinksOptions): Promise<SharedLinks> {
    const file = await linkFormat.own(options.documents)
    const known = await file.read().catch((err: unknown) => {
      if (!(err instanceof DamagedDocument)) throw err
      options.log.warn({ err }, 'the file of shared links is damaged; links have to be made again')
      return undefined
    })
    return new SharedLinks(file, options, known?.links ?? [])
  }

  /**
   * Makes a link, whose secret is only in this result. Durable when this returns.
   *
   * @throws DomainError InvalidRequest if the trace or the server has too many links
   */
  async create(
    { projectId, userId }: ProjectWriter,
    { traceId, lifeMs }: { readonly traceId: string; readonly lifeMs: number },
  ): Promise<{ readonly link: SharedLink; readonly secret: string }> {
    const secret = randomHex(32)
    const nowMs = this.clock.nowMs()
    const link: LinkRecord = {
      id: randomHex(8),
      hash: sha256Hex(secret),
      project_id: projectId,
      trace_id: traceId,
      user_id: userId,
      created_ms: nowMs,
      expires_ms: nowMs + lifeMs,
      revoked_ms: null,
    }
    await this.change(() => {
      this.makeRoom(link, nowMs)
      this.byId.set(link.id, link)
    })
    return { link: shown(link), secret }
  }

  /** The links that open their trace now and satisfy `isWanted`, newest first. */
  async list(isWanted: (link: SharedLink) => boolean): Promise<readonly SharedLink[]> {
    const live: SharedLink[] = []
    for (const link of this.byId.values())
      if (isWanted(link) && (await this.endOf(link)) === undefined) live.unshift(shown(link))
    return live
  }

  /** Ends a link; it opens nothing when this returns. Idempotent. @throws DomainError NotFound */
  async revoke({ projectId }: ProjectWriter, id: string): Promise<SharedLink> {
    return await this.change(() => {
      const link = this.byId.get(id)
      if (link?.project_id !== projectId) {
        throw new DomainError('NotFound', `Cannot revoke the link ${quoted(id)}: the project has no such link`)
      }
      this.byId.set(id, { ...link, revoked_ms: link.revoked_ms ?? this.clock.nowMs() })
      return shown(link)
    })
  }

  /** Forgets the links to the traces of a project, which is being erased. */
  async forget(projectId: string): Promise<void> {
    const gone = [...this.byId.values()].filter((link) => link.project_id === projectId)
    if (gone.length === 0) return
    await this.change(() => {
      for (const { id } of gone) this.byId.delete(id)
    })
  }

  /**
   * The link of a visitor, or how it ended.
   *
   * @param address of the client; beyond ten wrong links a minute, it gets 429 for further ones
   * @throws DomainError Unauthorized if there is no such link, TooManyRequests
   */
  async redeem(
    { id, secret }: LinkCredential,
    address: string,
  ): Promise<{ readonly link: SharedLink; readonly end: LinkEnd | undefined }> {
    const link = this.byId.get(id)
    // A wrong secret and an unknown link are indistinguishable from outside.
    const isRight = equalInConstantTime(sha256Hex(secret), link?.hash ?? sha256Hex(''))
    if (link === undefined || !isRight) {
      this.failures.add(address)
      throw new DomainError('Unauthorized', 'This link is not valid: ask the sender for a new one')
    }
    return { link: shown(link), end: await this.endOf(link) }
  }

  /** The visitor of a link, who may read its project; `SharedReads` narrows this to its trace. */
  visitorOf({ id, project_id }: SharedLink): Caller {
    return new Caller({ userId: `link-${id}`, userName: `Link ${id}`, role: 'read', scope: project_id })
  }

  private async endOf({ expires_ms, revoked_ms, user_id }: LinkRecord): Promise<LinkEnd | undefined> {
    if (revoked_ms !== null) return 'revoked'
    if (expires_ms <= this.clock.nowMs()) return 'expired'
    return (await this.access.isRevoked(user_id)) ? 'revoked' : undefined
  }

  /** Ended links are kept for a while, so that their visitors learn why. */
  private makeRoom({ project_id, trace_id }: LinkRecord, nowMs: number): void {
    const isOpen = ({ revoked_ms, expires_ms }: LinkRecord) => revoked_ms === null && expires_ms > nowMs
    const links = [...this.byId.values()]
    const ended = links.filter((link) => !isOpen(link))
    ended.forEach(({ id, expires_ms }, index) => {
      const isOld = expires_ms + requestLimits.sharedLinkKeptMs <= nowMs
      if (isOld || index < ended.length - requestLimits.sharedLinksMax) this.byId.delete(id)
    })
    const open = links.filter(isOpen)
    const ofTrace = open.filter((other) => other.project_id === project_id && other.trace_id === trace_id)
    if (ofTrace.length >= requestLimits.sharedLinksPerTraceMax) {
      throw new DomainError(
        'InvalidRequest',
        `The trace already has ${ofTrace.length} links, the maximum: revoke one of them first`,
      )
    }
    if (open.length >= requestLimits.sharedLinksMax) {
      throw new DomainError(
        'InvalidRequest',
        `There are already ${open.length} links, the maximum: revoke some of them first`,
      )
    }
  }

  /** A failed change of the file does not leave the memory ahead of it. */
  private change<T>(edit: () => T): Promise<T> {
    return this.changes.run('', async () => {
      const before = [...this.byId]
      try {
        const result = edit()
        await this.file.write({ version: 1, links: [...this.byId.values()] })
        return result
      } catch (cause) {
        this.byId.clear()
        for (const [id, link] of before) this.byId.set(id, link)
        throw cause
      }
    })
  }
}

const shown = ({ hash: _, revoked_ms: __, ...link }: LinkRecord): SharedLink => link

/** A link to a trace as it is stored: its secret is not. Times are milliseconds since 1970. */
const LinkRecord = Type.Object({
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
type LinkRecord = Static<typeof LinkRecord>

const LinkFile = Type.Object({ version: Type.Literal(1), links: Type.Array(LinkRecord) })
type LinkFile = Static<typeof LinkFile>
const linkFormat = new DocumentFormat('shared-links.json', 'file of shared links', LinkFile)
