import type { Store } from '../../engine/store.ts'
import { type AuditRow, auditPartition, auditTable } from '../../engine/tables/audit-table.ts'
import { DomainError, quoted } from '../../lib/errors.ts'
import { requestLimits } from '../../lib/limits/requests.ts'
import { oneOf } from '../../lib/present.ts'
import { formatTime, parseTime } from '../../lib/time.ts'
import { allOf, compares, equals, isOneOf } from '../../query/grammar.ts'
import { ascendingBy } from '../../query/sort.ts'
import { tableCatalog } from '../../query/table-catalog.ts'
import type { Log } from '../../runtime/log.ts'
import { type Clock, MonotonicClock } from '../../runtime/platform/clock.ts'
import { randomHex } from '../../runtime/platform/crypto.ts'
import { Caller } from '../access/index.ts'
import { TableRows } from '../records/index.ts'
import type { AuditEntries, AuditRequest } from './model/audit.ts'

/** Kind of an audited action. */
const auditKinds = ['sign-in', 'admin', 'change', 'ingest', 'read'] as const
export type AuditKind = (typeof auditKinds)[number]

/** One request as the audit log keeps it. */
export interface AuditEntry {
  readonly kind: AuditKind
  readonly operation: string
  readonly userId: string
  readonly userName: string
  readonly projectIds: readonly string[]
  /** Ids that the request named. */
  readonly itemIds: readonly string[]
  /** Number of ids or items that the request named. */
  readonly items: number
  readonly status: number
  readonly address: string
  readonly requestId: string | undefined
  /** Why, in the words of the person who made the change. */
  readonly reason?: string | undefined
}

/**
 * The query for the requested entries; undefined for all.
 *
 * @throws DomainError InvalidRequest for a malformed time
 */
function auditCondition(request: AuditRequest): { $expr: object } | undefined {
  const { kinds, ext_user_id, operation, since, until, is_failed } = request
  const conditions = [
    ...(kinds?.length ? [isOneOf('kind', kinds)] : []),
    ...(ext_user_id == null ? [] : [equals('ext_user_id', ext_user_id)]),
    ...(operation == null ? [] : [equals('operation', operation)]),
    ...(since == null ? [] : [compares('created_at', '$gte', secondsOf(since))]),
    ...(until == null ? [] : [compares('created_at', '$lt', secondsOf(until))]),
    ...(is_failed == null ? [] : [compares('status', is_failed ? '$gte' : '$lt', 400)]),
  ]
  return conditions.length === 0 ? undefined : { $expr: allOf(...conditions) }
}

function secondsOf(text: string): number {
  const micros = parseTime(text)
  if (micros === undefined) throw new DomainError('InvalidRequest', `Invalid time ${quoted(text)}: use ISO 8601`)
  return micros / 1_000_000
}

const reader = new Caller({ userId: 'server', userName: 'server', role: 'admin', scope: '*' }).read(auditPartition)

const cells = auditTable.select(
  'id',
  'kind',
  'operation',
  'ext_user_id',
  'ext_username',
  'project_ids',
  'item_ids',
  'items',
  'status',
  'requests',
  'address',
  'request_id',
  'reason',
  'created_at',
  'last_at',
)

interface AuditOptions {
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  /** Whether reads are recorded too. */
  readonly withReads: boolean
  /** Whether addresses of clients are recorded. */
  readonly withAddresses: boolean
  readonly keptMs: number
}

/**
 * The audit log. Sign-ins and administration are durable before they are answered; changes within a
 * second; telemetry and reads are counted and written once a minute. See
 * docs/decisions/177-audit-log.md.
 */
export class AuditLog {
  private readonly options: AuditOptions
  private readonly rows: TableRows
  /** Entries come in the order in which they were recorded, also those of one millisecond. */
  private readonly clock: MonotonicClock
  private pending: AuditRow[] = []
  /** Rows of the running minute. */
  private readonly counted = new Map<string, AuditRow>()
  private countedSinceMs = 0
  private writing: Promise<void> = Promise.resolve()
  private readonly timer: ReturnType<typeof setInterval>
  private sweptMs = Number.NEGATIVE_INFINITY

  constructor(options: AuditOptions) {
    this.options = options
    this.clock = new MonotonicClock(options.clock)
    this.rows = new TableRows({
      store: options.store,
      table: auditTable,
      rules: {
        catalog: tableCatalog(auditTable),
        otherwise: [{ field: 'created_at', direction: 'desc' }],
        tieBreaker: ascendingBy('id'),
      },
    })
    this.timer = setInterval(() => void this.tick(), requestLimits.auditWriteMs)
  }

  /**
   * Records a request. Of sign-ins and administration, the entry is durable when the promise
   * fulfils; a failure to write it is logged and does not fail the request, which has happened.
   */
  record(entry: AuditEntry): Promise<void> | undefined {
    const { kind } = entry
    if (kind === 'read' && !this.options.withReads && entry.status !== 403) return undefined
    if (kind === 'ingest' || kind === 'read') {
      this.count(entry)
      return undefined
    }
    if (this.pending.length >= requestLimits.auditPendingMax) {
      this.count(entry)
      return undefined
    }
    this.pending.push(this.rowOf(entry))
    return kind === 'change' ? undefined : this.flush()
  }

  /** Entries, the newest first, including those that are not written yet. */
  async query(request: AuditRequest): Promise<AuditEntries> {
    await this.flushAll()
    const limit = request.limit ?? requestLimits.auditListedDefault
    const offset = request.offset ?? 0
    const query = auditCondition(request)
    const found = await this.rows.select(reader, cells, { ...(query && { query }), limit: limit + 1, offset })
    return {
      entries: found.slice(0, limit).map(({ project_ids, item_ids, created_at, last_at, kind, ...row }) => ({
        ...row,
        kind: oneOf(auditKinds, kind, 'The kind of an audit entry'),
        project_ids: [...project_ids],
        item_ids: [...item_ids],
        created_at: formatTime(created_at),
        last_at: formatTime(last_at),
      })),
      has_more: found.length > limit,
    }
  }

  /** Writes what is not written yet. */
  async close(): Promise<void> {
    clearInterval(this.timer)
    await this.flushAll()
  }

  private async tick(): Promise<void> {
    const nowMs = this.options.clock.nowMs()
    if (Math.abs(nowMs - this.countedSinceMs) >= requestLimits.auditCountedMs) await this.flushAll()
    else if (this.pending.length > 0) await this.flush()
    if (Math.abs(nowMs - this.sweptMs) < requestLimits.auditSweepMs) return
    this.sweptMs = nowMs
    await this.forgetOld(nowMs).catch((err: unknown) => {
      this.options.log.error({ err }, 'deleting old entries of the audit log failed; it will be retried')
    })
  }

  private async flushAll(): Promise<void> {
    this.pending.push(...this.counted.values())
    this.counted.clear()
    await this.flush()
  }

  /** Writes pending rows in one batch, after those being written. */
  private flush(): Promise<void> {
    this.writing = this.writing.then(async () => {
      const rows = this.pending
      if (rows.length === 0) return
      this.pending = []
      try {
        await this.options.store.write(
          auditTable.name,
          rows.map((row) => auditTable.row(row)),
        )
      } catch (err) {
        this.options.log.error({ err, entries: rows.length }, 'entries of the audit log could not be written')
      }
    })
    return this.writing
  }

  private count(entry: AuditEntry): void {
    if (this.counted.size === 0) this.countedSinceMs = this.options.clock.nowMs()
    const { kind, operation, userId, projectIds, status, address } = entry
    const key = JSON.stringify([kind, operation, userId, projectIds, status, address])
    const known = this.counted.get(key)
    if (known !== undefined) {
      const last_at = this.clock.nowMicros()
      const requests = known.requests + 1
      this.counted.set(key, { ...known, requests, items: known.items + entry.items, last_at })
      return
    }
    if (this.counted.size >= requestLimits.auditCountedMax) void this.flushAll()
    this.counted.set(key, { ...this.rowOf(entry), item_ids: [], request_id: null, reason: null })
  }

  private rowOf(entry: AuditEntry): AuditRow {
    const nowMicros = this.clock.nowMicros()
    return {
      project_id: auditPartition,
      id: randomHex(16),
      kind: entry.kind,
      operation: entry.operation,
      ext_user_id: entry.userId,
      ext_username: entry.userName,
      project_ids: entry.projectIds,
      item_ids: entry.itemIds,
      items: entry.items,
      status: entry.status,
      requests: 1,
      address: this.options.withAddresses ? entry.address : null,
      request_id: entry.requestId ?? null,
      reason: entry.reason ?? null,
      created_at: nowMicros,
      last_at: nowMicros,
    }
  }

  private async forgetOld(nowMs: number): Promise<void> {
    const { store, keptMs, log } = this.options
    if (keptMs === 0 || store.isEmpty(auditTable.name)) return
    const query = auditCondition({ until: formatTime((nowMs - keptMs) * 1000) })
    for (let forgotten = 0; ; ) {
      const found = await this.rows.select(reader, auditTable.select('id'), {
        ...(query && { query }),
        limit: requestLimits.auditSweepBatch,
      })
      if (found.length > 0) {
        const rows = found.map(({ id }) => auditTable.tombstone(auditPartition, id, nowMs * 1000))
        await store.write(auditTable.name, rows)
      }
      forgotten += found.length
      if (found.length < requestLimits.auditSweepBatch) {
        if (forgotten > 0) log.info({ forgotten }, 'deleted old entries of the audit log')
        return
      }
    }
  }
}
