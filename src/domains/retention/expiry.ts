import type { Store } from '../../engine/store.ts'
import { callsTable } from '../../engine/tables/calls-table.ts'
import { logsTable } from '../../engine/tables/logs-table.ts'
import { metricsTable } from '../../engine/tables/metrics-table.ts'
import { limits } from '../../lib/limits.ts'
import type { Log } from '../../runtime/log.ts'
import type { Clock } from '../../runtime/platform/clock.ts'
import { Leftovers } from './leftovers.ts'
import type { Retention, RetentionPolicy } from './retention.ts'

const dayMs = 86_400_000
const hourMs = 3_600_000

/** Tables whose rows expire, and by which time. */
const expiring = [
  { table: callsTable, column: 'started_at' },
  { table: logsTable, column: 'time' },
  { table: metricsTable, column: 'time' },
] as const

/** Erases what projects need no longer keep, at the start and then every hour. */
export class Expiry {
  private readonly store: Store
  private readonly retention: Retention
  private readonly leftovers: Leftovers
  private readonly clock: Clock
  private readonly log: Log
  private readonly abort = new AbortController()
  private readonly timer: ReturnType<typeof setInterval>
  private running: Promise<void> | undefined
  private notBeforeMs = 0

  constructor(options: { store: Store; retention: Retention; clock: Clock; log: Log }) {
    this.store = options.store
    this.retention = options.retention
    this.clock = options.clock
    this.log = options.log
    this.leftovers = new Leftovers(options)
    // The clock decides, so that the pause counts from the last sweep.
    this.timer = setInterval(() => this.sweepIfDue(), limits.expiryCheckMs)
  }

  /** A project keeps less from now on. */
  sweepSoon(): void {
    this.notBeforeMs = 0
  }

  async stop(): Promise<void> {
    clearInterval(this.timer)
    this.abort.abort()
    await this.running
  }

  private sweepIfDue(): void {
    const nowMs = this.clock.nowMs()
    if (this.running !== undefined || nowMs < this.notBeforeMs) return
    this.notBeforeMs = nowMs + limits.expirySweepMs
    if (this.retention.all().length === 0) return
    this.running = this.sweep(nowMs)
      .catch((err: unknown) => {
        if (!this.abort.signal.aborted) this.log.error({ err }, 'erasing expired rows failed; it will be retried')
      })
      .finally(() => {
        this.running = undefined
      })
  }

  private async sweep(nowMs: number): Promise<void> {
    const { signal } = this.abort
    const policies = this.retention.all().filter(({ projectId }) => !this.store.erasure.hides(projectId))
    for (const { table, column } of expiring) {
      const rows = policies.map(({ projectId, days }) => ({
        projectId,
        before: { column, micros: expiredBeforeMs(days, nowMs) * 1000 },
      }))
      const erased = await this.store.erasure.eraseRows(table.name, rows, { signal })
      if (erased.rows > 0) this.log.info({ table: table.name, rows: erased.rows }, 'erased expired rows')
      if (erased.damaged.length > 0)
        this.log.warn({ table: table.name, files: erased.damaged }, 'damaged files may contain expired rows')
    }
    for (const policy of policies) await this.sweepLeftovers(policy, nowMs)
  }

  private async sweepLeftovers({ projectId, days }: RetentionPolicy, nowMs: number): Promise<void> {
    const { signal } = this.abort
    const removed = await this.leftovers.remove(projectId, { beforeMs: expiredBeforeMs(days, nowMs), nowMs, signal })
    if (removed > 0) this.log.info({ project: projectId, rows: removed }, 'deleted what belonged to expired calls')
  }
}

/**
 * Rows from before this time (milliseconds) have expired: a whole hour, so that files are rewritten
 * once an hour at most.
 */
const expiredBeforeMs = (days: number, nowMs: number): number => Math.floor((nowMs - days * dayMs) / hourMs) * hourMs
