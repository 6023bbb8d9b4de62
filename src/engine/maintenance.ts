import { storageLimits } from '../lib/limits/storage.ts'
import type { Log } from '../runtime/log.ts'
import type { DiskSpace } from './disk-space.ts'
import type { LockWatch } from './folder/lock-watch.ts'
import type { TableStore } from './table/table-store.ts'

/**
 * Periodic work on the tables of a store, until it is stopped or the lock on the folder is lost.
 */
export class Maintenance {
  private readonly tables: ReadonlyMap<string, TableStore>
  private readonly lock: LockWatch
  private readonly space: DiskSpace
  private readonly log: Log
  private readonly timer: ReturnType<typeof setInterval>

  constructor(parts: {
    readonly tables: ReadonlyMap<string, TableStore>
    readonly lock: LockWatch
    readonly space: DiskSpace
    readonly log: Log
  }) {
    this.tables = parts.tables
    this.lock = parts.lock
    this.space = parts.space
    this.log = parts.log
    this.timer = setInterval(() => this.run(), storageLimits.flushCheckMs)
  }

  stop(): void {
    clearInterval(this.timer)
  }

  private run(): void {
    void this.lock.check()
    void this.space.check()
    if (this.lock.lost !== undefined) {
      this.stop()
      return
    }
    for (const table of this.tables.values()) this.runFor(table)
  }

  private runFor(table: TableStore): void {
    const failed = (what: string) => (err: unknown) =>
      this.log.error({ err, table: table.table.name }, `${what} failed; retrying`)
    // The failure was logged when it began; /health shows it until it ends.
    table.probeLog().catch(() => {})
    // The table logs failures itself.
    table.followOthers().catch(() => {})
    table.flushIfDue().catch(failed('flush'))
    table.removeReplaced().catch(failed('removing replaced files'))
    for (const upkeep of table.upkeep) upkeep.runIfDue().catch(failed(upkeep.what))
  }
}
