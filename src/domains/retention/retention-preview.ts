import type { Store } from '../../engine/store.ts'
import { callsTable } from '../../engine/tables/calls-table.ts'
import { logsTable } from '../../engine/tables/logs-table.ts'
import { metricsTable } from '../../engine/tables/metrics-table.ts'
import type { Clock } from '../../runtime/platform/clock.ts'
import type { ProjectReader } from '../access/index.ts'
import { expiredBeforeMs } from './expiry.ts'
import { compileExpired } from './sql/retention.ts'

/** What a retention would delete. */
interface RetentionPreview {
  /** Rows from before this time would be deleted (milliseconds). */
  readonly beforeMs: number
  readonly calls: ExpiredRows
  readonly logRecords: ExpiredRows
  readonly metricPoints: ExpiredRows
}

interface ExpiredRows {
  readonly expired: number
  readonly all: number
}

/** Counts what a retention would delete, without deleting it. */
export class RetentionPreviews {
  private readonly store: Store
  private readonly clock: Clock

  constructor({ store, clock }: { store: Store; clock: Clock }) {
    this.store = store
    this.clock = clock
  }

  async count(reader: ProjectReader, days: number, signal: AbortSignal): Promise<RetentionPreview> {
    const { projectId } = reader
    const beforeMs = expiredBeforeMs(days, this.clock.nowMs())
    const count = async ({ name }: { readonly name: string }, column: string): Promise<ExpiredRows> => {
      if (this.store.isEmpty(name)) return { expired: 0, all: 0 }
      return await this.store.read([name], { projectId, signal }, async (snapshot) => {
        const rows = { relation: snapshot.relation(name), projectId }
        const [counted] = await snapshot.rows(compileExpired(rows, { column, micros: beforeMs * 1000 }))
        return counted ?? { expired: 0, all: 0 }
      })
    }
    return {
      beforeMs,
      calls: await count(callsTable, 'started_at'),
      logRecords: await count(logsTable, 'time'),
      metricPoints: await count(metricsTable, 'time'),
    }
  }
}
