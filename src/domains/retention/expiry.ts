import type { Store } from '../../engine/store.ts'
import { callsTable } from '../../engine/tables/calls-table.ts'
import { feedbackTable } from '../../engine/tables/feedback-table.ts'
import { filesTable } from '../../engine/tables/files-table.ts'
import { logsTable } from '../../engine/tables/logs-table.ts'
import { metricsTable } from '../../engine/tables/metrics-table.ts'
import { objectsTable } from '../../engine/tables/objects-table.ts'
import { progressTable, queueItemsTable } from '../../engine/tables/queue-tables.ts'
import { tableRows } from '../../engine/tables/stored-tables.ts'
import { retentionLimits } from '../../lib/limits/retention.ts'
import type { Row } from '../../lib/table.ts'
import type { Log } from '../../runtime/log.ts'
import type { Clock } from '../../runtime/platform/clock.ts'
import type { Retention, RetentionPolicy } from './retention.ts'
import { compileOrphans, compileUnnamedFiles } from './sql/retention.ts'

/** Rows that belong to another row and are deleted with it, in order. */
const belonging = [
  { table: feedbackTable, column: 'call_id', to: callsTable },
  { table: queueItemsTable, column: 'call_id', to: callsTable },
  { table: progressTable, column: 'item_id', to: queueItemsTable },
] as const

/** Where values name files. */
const naming = [
  { table: callsTable, columns: ['inputs', 'output', 'attributes', 'summary', 'otel_dump'] },
  { table: objectsTable, columns: ['val'] },
  { table: tableRows, columns: ['val'] },
  { table: feedbackTable, columns: ['payload'] },
] as const

interface RemoveOptions {
  /** Calls from before this time have expired (milliseconds). */
  readonly beforeMs: number
  readonly nowMs: number
  readonly signal: AbortSignal
}

/** Deletes what expired calls leave behind: their feedback, queue items and files. */
class Leftovers {
  private readonly store: Store
  private readonly clock: Clock
  /** When the files of a project were last compared with what names them (milliseconds). */
  private readonly comparedMs = new Map<string, number>()

  constructor({ store, clock }: { store: Store; clock: Clock }) {
    this.store = store
    this.clock = clock
  }

  /** @returns the number of rows deleted */
  async remove(projectId: string, { beforeMs, nowMs, signal }: RemoveOptions): Promise<number> {
    let removed = 0
    for (const { table, column, to } of belonging) {
      // Feedback may arrive before its call.
      const search = {
        column,
        createdBefore: (nowMs - retentionLimits.orphanGraceMs) * 1000,
        limit: retentionLimits.orphansTogether,
      }
      const find = () =>
        this.store.read([table.name, to.name], { projectId, signal }, async (snapshot) => {
          const rowsOf = ({ name }: { readonly name: string }) => ({ relation: snapshot.relation(name), projectId })
          return (await snapshot.rows(compileOrphans(rowsOf(table), rowsOf(to), search))).map(({ id }) => id)
        })
      removed += await this.removeAll(table.name, find, (id, micros) => table.tombstone(projectId, id, micros))
    }
    // Reads every value of the project.
    if (nowMs - (this.comparedMs.get(projectId) ?? 0) < retentionLimits.fileComparisonMs) return removed
    this.comparedMs.set(projectId, nowMs)
    return removed + (await this.removeFiles(projectId, beforeMs, signal))
  }

  private async removeFiles(projectId: string, beforeMs: number, signal: AbortSignal): Promise<number> {
    const files = filesTable.name
    if (this.store.isEmpty(files)) return 0
    const find = () =>
      this.store.readLong(
        [files, ...naming.map(({ table }) => table.name)],
        { projectId, signal },
        async (snapshot) => {
          const namers = naming.map(({ table, columns }) => ({ relation: snapshot.relation(table.name), columns }))
          const search = { createdBefore: beforeMs * 1000, limit: retentionLimits.orphansTogether }
          const sql = compileUnnamedFiles({ relation: snapshot.relation(files), projectId }, namers, search)
          return (await snapshot.rows(sql)).map(({ id }) => id)
        },
      )
    return await this.removeAll(files, find, (digest, micros) => filesTable.tombstone(projectId, digest, micros))
  }

  private async removeAll(
    tableName: string,
    find: () => Promise<string[]>,
    tombstone: (id: string, nowMicros: number) => Row,
  ): Promise<number> {
    if (this.store.isEmpty(tableName)) return 0
    for (let removed = 0; ; ) {
      const ids = await find()
      const nowMicros = this.clock.nowMs() * 1000
      if (ids.length > 0)
        await this.store.write(
          tableName,
          ids.map((id) => tombstone(id, nowMicros)),
        )
      removed += ids.length
      if (ids.length < retentionLimits.orphansTogether) return removed
    }
  }
}

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
    this.timer = setInterval(() => this.sweepIfDue(), retentionLimits.expiryCheckMs)
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
    this.notBeforeMs = nowMs + retentionLimits.expirySweepMs
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
    if (removed > 0)
      this.log.info({ project: projectId, rows: removed }, 'deleted records that belonged to expired calls')
  }
}

/**
 * Rows from before this time (milliseconds) have expired: a whole hour, so that files are rewritten
 * once an hour at most.
 */
export const expiredBeforeMs = (days: number, nowMs: number): number =>
  Math.floor((nowMs - days * dayMs) / hourMs) * hourMs
