import type { Store } from '../../engine/store.ts'
import type { DescribedTable } from '../../engine/tables/define-table.ts'
import { ruleProgressTable, rulesPartition } from '../../engine/tables/rules-tables.ts'
import { ascendingBy } from '../../query/sort.ts'
import { tableCatalog } from '../../query/table-catalog.ts'
import type { Clock } from '../../runtime/platform/clock.ts'
import { Caller } from '../access/index.ts'
import { TableRows } from '../records/index.ts'
import type { StoredRule } from './stored-rule.ts'

/** Reads the list of the rules of all projects. */
export const partitionReader = new Caller({ userId: 'server', userName: 'server', role: 'admin', scope: '*' }).read(
  rulesPartition,
)

/** Rows of a table of rules, in the order of one of its columns unless a query states another. */
export const partitionRows = (store: Store, table: DescribedTable, order: string): TableRows =>
  new TableRows({
    store,
    table,
    rules: {
      catalog: tableCatalog(table),
      otherwise: [{ field: order, direction: 'asc' }],
      tieBreaker: ascendingBy('id'),
    },
  })

export const ruleEventTypes = ['rule.firing', 'rule.resolved', 'rule.test'] as const

/** An event that a webhook reports. */
export interface RuleEvent {
  readonly deliveryId: string
  readonly type: (typeof ruleEventTypes)[number]
  readonly body: string
  /** Microseconds. */
  readonly at: number
}

/** What scores have cost on a day (UTC), in US dollars. */
export interface Spending {
  readonly day: string
  readonly cost: number
}

/** How far a rule has come; times in microseconds. */
export interface RuleProgress {
  /** Calls written up to then have been handled. */
  readonly position: number
  /** No call written up to `position` can still appear: the server was stopped cleanly. */
  readonly isExact: boolean
  readonly handled: number
  /** Calls that could not be handled and are not tried again. */
  readonly rejected: number
  readonly handledAt: number | null
  /** Calls that were not scored because the daily limit was spent. */
  readonly passed: number
  /** What scores have cost on a day. */
  readonly spending: Spending
  readonly alert: 'ok' | 'firing'
  readonly alertSince: number | null
  /** How often the alert has changed. */
  readonly changes: number
  /** The last change, for which there must be a delivery. */
  readonly event: RuleEvent | null
  readonly value: number | null
  readonly evaluatedAt: number | null
  readonly error: string | null
  readonly errorAt: number | null
  readonly retryAt: number | null
}

/**
 * That of a rule that has done nothing yet. It begins with the creation of the rule, not with the
 * start of the server: a crash may come before any progress is stored.
 */
export const freshProgress = ({ createdAt }: Pick<StoredRule, 'createdAt'>): RuleProgress => ({
  position: createdAt,
  isExact: true,
  handled: 0,
  rejected: 0,
  handledAt: null,
  passed: 0,
  spending: { day: '', cost: 0 },
  alert: 'ok',
  alertSince: null,
  changes: 0,
  event: null,
  value: null,
  evaluatedAt: null,
  error: null,
  errorAt: null,
  retryAt: null,
})

const cells = ruleProgressTable.select('id', 'progress')

/** The stored progress of rules. */
export class RuleProgressRecords {
  private readonly store: Store
  private readonly clock: Clock

  constructor({ store, clock }: { store: Store; clock: Clock }) {
    this.store = store
    this.clock = clock
  }

  /** That of all rules, by rule. */
  async all(): Promise<Map<string, RuleProgress>> {
    if (this.store.isEmpty(ruleProgressTable.name)) return new Map()
    const rows = await partitionRows(this.store, ruleProgressTable, 'id').select(partitionReader, cells, {})
    // Rows of older versions lack the newer members.
    const fresh = freshProgress({ createdAt: 0 })
    return new Map(rows.map(({ id, progress }) => [id, { ...fresh, ...JSON.parse(progress) }]))
  }

  async save(ruleId: string, progress: RuleProgress): Promise<void> {
    const row = ruleProgressTable.row({
      project_id: rulesPartition,
      id: ruleId,
      progress: JSON.stringify(progress),
      updated_at: this.clock.nowMs() * 1000,
    })
    await this.store.write(ruleProgressTable.name, [row])
  }

  async remove(ruleId: string): Promise<void> {
    const row = ruleProgressTable.tombstone(rulesPartition, ruleId, this.clock.nowMs() * 1000)
    await this.store.write(ruleProgressTable.name, [row])
  }
}
