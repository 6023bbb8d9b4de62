import type { Table } from '../../model/table.ts'
import type { Clock } from '../../platform/clock.ts'
import { IncreasingClock } from '../../platform/increasing-clock.ts'
import type { Store } from '../../store/store.ts'
import type { Wire } from '../calls/plan.ts'
import { TableRows } from '../table-rows.ts'
import { AnnotationProgress } from './annotation-progress.ts'
import { KeyLocks } from './key-locks.ts'
import { QueueItems } from './queue-items.ts'
import { progressTable, queuesTable } from './queue-tables.ts'
import { Queues } from './queues.ts'

/** Lists of calls that people look at one by one, and how far they are. */
export class AnnotationQueues {
  readonly queues: Queues
  readonly items: QueueItems
  readonly progress: AnnotationProgress

  constructor(options: { store: Store; clock: Clock; wire: Wire; queryTimeoutMs: number }) {
    const { store, wire, queryTimeoutMs } = options
    const clock = new IncreasingClock(options.clock)
    const locks = new KeyLocks()
    const rowsOf = (table: Table, direction: 'asc' | 'desc') =>
      new TableRows({
        store,
        table,
        queryTimeoutMs,
        fields: {
          columns: table.columns.filter(({ kept }) => kept !== 'log'),
          neutralName: (name) => name,
          wireName: (name) => name,
        },
        order: [{ field: 'created_at', direction }],
      })
    this.queues = new Queues({ store, clock, locks, rows: rowsOf(queuesTable, 'desc') })
    this.items = new QueueItems({ store, clock, wire, locks, queryTimeoutMs, queues: this.queues })
    this.progress = new AnnotationProgress({
      store,
      clock,
      locks,
      rows: rowsOf(progressTable, 'asc'),
      queues: this.queues,
      items: this.items,
    })
  }
}
