import type { Store } from '../../engine/store.ts'
import { callsTable } from '../../engine/tables/calls-table.ts'
import { ruleLimits } from '../../lib/limits/rules.ts'
import { Semaphore } from '../../lib/semaphore.ts'
import { columnField } from '../../query/catalog.ts'
import { all, any, type Expression, fieldValue, textConstant } from '../../query/expression.ts'
import { compilePlanned } from '../../query/sql/statements.ts'
import type { ProjectReader } from '../access/index.ts'
import { relationsOf, tablesOf } from '../calls/index.ts'
import { type CallsOfRule, callsOfRule, hasEnded, startedAt } from './arrived-calls.ts'
import { withBoth } from './calls-worker.ts'
import { isNoScore } from './rule-scoring.ts'
import { countRows } from './sql/count-rows.ts'
import type { StoredRule } from './stored-rule.ts'

/** A call in the order of their starts, in microseconds. */
export interface CallPlace {
  readonly startedAt: number
  readonly id: string
}

/** A stored call that a rule would score. */
export interface MatchingCall extends CallPlace {
  readonly traceId: string
  readonly opName: string
}

/** Starts of calls, in microseconds; the end is exclusive. */
export interface StartRange {
  readonly start: number
  readonly end: number
}

const cells = callsTable.select('id', 'started_at', 'trace_id', 'op_name')
const id = columnField('id')
const startsWithin = (after: number | undefined, through: number | undefined): Expression => ({
  kind: 'within',
  field: startedAt,
  after,
  through,
})
const inRange = ({ start, end }: StartRange): Expression => startsWithin(start - 1, end - 1)

/** Comes after a place in the order of starts. */
const isAfter = (place: CallPlace): Expression =>
  any([
    startsWithin(place.startedAt, undefined),
    all([
      startsWithin(place.startedAt - 1, place.startedAt),
      {
        kind: 'compare',
        comparison: '>',
        as: 'text',
        left: fieldValue(id),
        right: { kind: 'constant', constant: textConstant(place.id) },
      },
    ]),
  ])

/**
 * Finds stored calls that rules score: those that have ended, match and are in the sample, as for
 * new calls.
 */
export class MatchingCalls {
  private readonly store: Store
  private readonly readers = new Semaphore(ruleLimits.ruleReadersMax)

  constructor(store: Store) {
    this.store = store
  }

  /** The newest of them. @throws DomainError */
  async newest(reader: ProjectReader, rule: StoredRule, limit: number, signal: AbortSignal): Promise<MatchingCall[]> {
    return await this.find(reader, of(reader, rule), [], { direction: 'desc', limit }, signal)
  }

  /** The next ones in the order of their starts. @throws DomainError */
  async page(
    reader: ProjectReader,
    rule: StoredRule,
    range: StartRange,
    after: CallPlace | undefined,
    signal: AbortSignal,
  ): Promise<MatchingCall[]> {
    const conditions = [inRange(range), ...(after === undefined ? [] : [isAfter(after)])]
    const order = { direction: 'asc', limit: ruleLimits.backfillPage } as const
    return await this.find(reader, of(reader, rule), conditions, order, signal)
  }

  /** How many there are. @throws DomainError */
  async count(reader: ProjectReader, rule: StoredRule, range: StartRange, signal: AbortSignal): Promise<number> {
    const calls = of(reader, rule)
    const [row] = await this.read(reader, calls, [inRange(range)], {}, signal, (snapshot, sql) =>
      snapshot.rows(countRows(sql)),
    )
    return row?.n ?? 0
  }

  private async find(
    reader: ProjectReader,
    calls: CallsOfRule,
    conditions: readonly Expression[],
    { direction, limit }: { readonly direction: 'asc' | 'desc'; readonly limit: number },
    signal: AbortSignal,
  ): Promise<MatchingCall[]> {
    const sort = [startedAt, id].map((field) => ({ field, direction }))
    const rows = await this.read(reader, calls, conditions, { sort, limit }, signal, (snapshot, sql) =>
      snapshot.rows(sql),
    )
    return rows.map((row) => {
      const { started_at, trace_id, op_name, ...rest } = cells.read(row)
      return { ...rest, startedAt: started_at, traceId: trace_id, opName: op_name }
    })
  }

  private async read<T>(
    { projectId }: ProjectReader,
    { plan, condition }: CallsOfRule,
    conditions: readonly Expression[],
    more: Pick<Parameters<typeof compilePlanned>[0], 'sort' | 'limit'>,
    signal: AbortSignal,
    use: (snapshot: Parameters<Parameters<Store['read']>[2]>[0], sql: ReturnType<typeof compilePlanned>) => Promise<T>,
  ): Promise<T> {
    const read = async () =>
      await this.store.read(tablesOf(plan), { projectId, signal }, async (snapshot) => {
        const { feedback, queues } = await relationsOf(snapshot, plan)
        const relation = snapshot.relation(callsTable.name, plan.anyOf)
        const where = all([hasEnded, condition, ...conditions])
        return await use(
          snapshot,
          compilePlanned({ relation, projectId, feedback, queues, where, columns: cells.columns, ...more }),
        )
      })
    return await this.readers.run(read)
  }
}

const of = (reader: ProjectReader, rule: StoredRule): CallsOfRule =>
  callsOfRule(reader, { ...rule, query: withBoth(rule.query, isNoScore) })
