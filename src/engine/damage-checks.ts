import { limits } from '../lib/limits.ts'
import type { Log } from '../runtime/log.ts'
import { delay } from '../runtime/platform/event-loop.ts'
import type { TableStore } from './table/table-store.ts'

/** Looks for damaged data files in the background after a read has failed that may have met one. */
export class DamageChecks {
  private readonly tables: ReadonlyMap<string, TableStore>
  private readonly log: Log
  private checking: Promise<void> | undefined
  private isStopped = false

  constructor(tables: ReadonlyMap<string, TableStore>, log: Log) {
    this.tables = tables
    this.log = log
  }

  /** Checks all data files, unless a check is running or has just ended. */
  checkSoon(): void {
    if (this.checking !== undefined || this.isStopped) return
    this.checking = this.check()
      .catch((err: unknown) => this.log.error({ err }, 'looking for damaged files failed'))
      .finally(() => {
        this.checking = undefined
      })
  }

  /** Ends a running check after the current table. */
  stop(): void {
    this.isStopped = true
  }

  private async check(): Promise<void> {
    for (const table of this.tables.values()) if (!this.isStopped) await table.checkFiles()
    await delay(this.isStopped ? 0 : limits.fileCheckPauseMs)
  }
}
