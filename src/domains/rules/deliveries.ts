import type { Store } from '../../engine/store.ts'
import { ruleDeliveriesTable, rulesPartition } from '../../engine/tables/rules-tables.ts'
import { ruleLimits } from '../../lib/limits/rules.ts'
import { oneOf } from '../../lib/present.ts'
import { formatTime } from '../../lib/time.ts'
import { equals } from '../../query/grammar.ts'
import type { Clock } from '../../runtime/platform/clock.ts'
import type { TableRows } from '../records/index.ts'
import type { Delivery } from './model/rules.ts'
import { partitionReader, partitionRows, type RuleEvent, ruleEventTypes } from './rule-progress.ts'

const deliveryStates: readonly Delivery['state'][] = ['pending', 'delivered', 'failed']

/** A webhook request as stored; times in microseconds. */
export interface StoredDelivery {
  readonly id: string
  readonly ruleId: string
  readonly type: RuleEvent['type']
  readonly state: Delivery['state']
  readonly attempts: Delivery['attempts']
  readonly body: string
  readonly createdAt: number
  readonly nextAttemptAt: number | null
}

const cells = ruleDeliveriesTable.select(
  'id',
  'rule_id',
  'type',
  'state',
  'attempts',
  'body',
  'created_at',
  'next_attempt_at',
)

/** Webhook requests: pending ones, and the last of each rule. */
export class Deliveries {
  private readonly store: Store
  private readonly clock: Clock
  private readonly rows: TableRows

  constructor({ store, clock }: { store: Store; clock: Clock }) {
    this.store = store
    this.clock = clock
    this.rows = partitionRows(store, ruleDeliveriesTable, 'created_at')
  }

  /** Those that have yet to be delivered, the oldest first. */
  async pending(): Promise<StoredDelivery[]> {
    if (this.store.isEmpty(ruleDeliveriesTable.name)) return []
    return await this.select({ query: { $expr: equals('state', 'pending') } })
  }

  async find(id: string): Promise<StoredDelivery | undefined> {
    return (await this.select({ query: { $expr: equals('id', id) } }))[0]
  }

  /** The last deliveries of a rule, the newest first. */
  async last(ruleId: string, limit: number): Promise<StoredDelivery[]> {
    return await this.select({
      query: { $expr: equals('rule_id', ruleId) },
      sort_by: [{ field: 'created_at', direction: 'desc' }],
      limit,
    })
  }

  async save(delivery: StoredDelivery): Promise<void> {
    const row = ruleDeliveriesTable.row({
      project_id: rulesPartition,
      id: delivery.id,
      rule_id: delivery.ruleId,
      type: delivery.type,
      state: delivery.state,
      attempts: JSON.stringify(delivery.attempts),
      body: delivery.body,
      created_at: delivery.createdAt,
      next_attempt_at: delivery.nextAttemptAt,
      updated_at: this.clock.nowMs() * 1000,
    })
    await this.store.write(ruleDeliveriesTable.name, [row])
  }

  /** Removes the deliveries of a rule except the newest ones. */
  async prune(ruleId: string, kept: number = ruleLimits.deliveriesKept): Promise<void> {
    const newestFirst = await this.last(ruleId, ruleLimits.rulesMax)
    const nowMicros = this.clock.nowMs() * 1000
    const old = newestFirst.slice(kept)
    if (old.length === 0) return
    await this.store.write(
      ruleDeliveriesTable.name,
      old.map(({ id }) => ruleDeliveriesTable.tombstone(rulesPartition, id, nowMicros)),
    )
  }

  private async select(request: Parameters<TableRows['select']>[2]): Promise<StoredDelivery[]> {
    const rows = await this.rows.select(partitionReader, cells, request)
    return rows.map(({ rule_id, created_at, next_attempt_at, attempts, type, state, ...same }) => ({
      ...same,
      ruleId: rule_id,
      type: oneOf(ruleEventTypes, type, 'The type of a delivery'),
      state: oneOf(deliveryStates, state, 'The state of a delivery'),
      attempts: attemptsIn(attempts),
      createdAt: created_at,
      nextAttemptAt: next_attempt_at,
    }))
  }
}

/** Attempts that were stored before answers were kept have none. */
const attemptsIn = (text: string): Delivery['attempts'] =>
  (JSON.parse(text) as Delivery['attempts']).map((attempt) => ({ ...attempt, answer: attempt.answer ?? null }))

/** A delivery as the API shows it. */
export const deliveryOf = ({ createdAt, nextAttemptAt, ruleId, body, ...same }: StoredDelivery): Delivery => ({
  id: same.id,
  rule_id: ruleId,
  type: same.type,
  state: same.state,
  attempts: same.attempts,
  body: JSON.parse(body),
  created_at: formatTime(createdAt),
  next_attempt_at: nextAttemptAt === null ? null : formatTime(nextAttemptAt),
})
