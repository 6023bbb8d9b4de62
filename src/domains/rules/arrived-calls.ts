import type { Store } from '../../engine/store.ts'
import { callsTable } from '../../engine/tables/calls-table.ts'
import { responseLimits } from '../../lib/limits/responses.ts'
import { ruleLimits } from '../../lib/limits/rules.ts'
import { itemAt } from '../../lib/present.ts'
import { Semaphore } from '../../lib/semaphore.ts'
import type { Cell } from '../../lib/table.ts'
import type { CallsPlan } from '../../query/calls-plan.ts'
import { columnField } from '../../query/catalog.ts'
import { all, any, type Expression, fieldValue, not } from '../../query/expression.ts'
import { compilePlanned } from '../../query/sql/statements.ts'
import { yieldToEventLoop } from '../../runtime/platform/event-loop.ts'
import type { ProjectReader } from '../access/index.ts'
import { planRows, relationsOf, tablesOf } from '../calls/index.ts'
import type { StoredRule } from './stored-rule.ts'

/** A call that matches a rule. */
export interface ArrivedCall {
  readonly id: string
  /** Microseconds. */
  readonly writtenAt: number
}

/** The next calls that match a rule. */
interface ArrivedBatch {
  readonly calls: readonly ArrivedCall[]
  /** The time of the last of them in microseconds; undefined if no more match. */
  readonly through: number | undefined
}

/** Which calls a rule is for. */
export interface CallsOfRule {
  readonly plan: CallsPlan
  readonly condition: Expression
  /** Whether the calls cannot be found together with those of other rules. */
  readonly isAlone: boolean
}

/** The calls of a rule that were written after a time. */
interface Sought {
  readonly of: CallsOfRule
  /** Time of writing in microseconds. */
  readonly after: number
}

const writtenAt = { kind: 'column', column: 'written_at', type: 'time' } as const
export const startedAt = { kind: 'column', column: 'started_at', type: 'time' } as const
const traceId = { kind: 'column', column: 'trace_id', type: 'text' } as const
export const hasEnded = not({ kind: 'isNull', value: fieldValue(columnField('ended_at', 'time')) })
const written = (after: number, through?: number): Expression => ({ kind: 'within', field: writtenAt, after, through })
const order = [{ field: writtenAt, direction: 'asc' }] as const
const columns = callsTable.select('id', 'written_at')

/** @throws DomainError */
export function callsOfRule(
  reader: ProjectReader,
  { id: salt, filter, query, sample_rate: share }: Pick<StoredRule, 'id' | 'filter' | 'query' | 'sample_rate'>,
): CallsOfRule {
  const plan = planRows(reader, { filter, query: query ?? undefined })
  const sample: Expression[] = share < 1 ? [{ kind: 'sampled', field: traceId, salt, share }] : []
  // Ids choose the files to read; other tables have to be read as well.
  const isAlone = Object.keys(plan.anyOf).length > 0 || tablesOf(plan).length > 1
  return { plan, condition: all([plan.where, ...sample]), isAlone }
}

/** Reads the calls of several rules of a project in one statement. */
async function readArrived(
  store: Store,
  scope: { readonly projectId: string; readonly signal: AbortSignal },
  plan: CallsPlan,
  sought: readonly Sought[],
): Promise<ArrivedBatch[]> {
  const { projectId } = scope
  const after = Math.min(...sought.map((one) => one.after))
  const conditions = sought.map((one) =>
    one.after > after ? all([one.of.condition, written(one.after)]) : one.of.condition,
  )
  const [only, ...others] = conditions
  const isAny = only !== undefined && others.length === 0 ? only : any(conditions)
  const flags = sought.length === 1 ? [] : conditions
  const rows = await store.read(tablesOf(plan), scope, async (snapshot) => {
    const { feedback, queues } = await relationsOf(snapshot, plan)
    // A file is as old as its newest row, or younger.
    const fileMs = Math.floor(after / 1000) - responseLimits.liveOverlapMs
    const relation = snapshot.relation(callsTable.name, plan.anyOf, { writtenAfterMs: fileMs })
    const find = async (when: Expression, limit?: number) => {
      const where = all([hasEnded, when, isAny])
      const wanted = { relation, projectId, feedback, queues, where, columns: columns.columns, flags }
      return await snapshot.rows(compilePlanned({ ...wanted, sort: order, limit }))
    }
    const first = await find(written(after), ruleLimits.ruleBatchMax)
    const latest = first.at(-1)
    if (latest === undefined || first.length < ruleLimits.ruleBatchMax) return { first, last: [], through: undefined }
    const through = timeOf(latest)
    return {
      first: first.filter((cells) => timeOf(cells) < through),
      last: await find(written(through - 1, through)),
      through,
    }
  })
  const { through } = rows
  const found = [...rows.first, ...rows.last]
  return sought.map((_, index) => {
    const own = flags.length === 0 ? found : found.filter((cells) => cells[columns.columns.length + index] === 1)
    return { calls: own.map(callOf), through }
  })
}

const timeOf = (cells: readonly Cell[]): number => columns.read(cells).written_at

function callOf(cells: readonly Cell[]): ArrivedCall {
  const { id, written_at } = columns.read(cells)
  return { id, writtenAt: written_at }
}

interface Waiting {
  readonly reader: ProjectReader
  readonly sought: Sought
  readonly signal: AbortSignal
  readonly resolve: (found: ArrivedBatch) => void
  readonly reject: (cause: unknown) => void
}

/**
 * Finds the calls that match rules, in order of writing. DuckDB evaluates the conditions. Rules of
 * a project that ask at the same time share one statement: each statement takes time of the main
 * thread, however few calls it returns.
 */
export class ArrivedCalls {
  private readonly store: Store
  private readonly readers = new Semaphore(ruleLimits.ruleReadersMax)
  private waiting: Waiting[] = []

  constructor(store: Store) {
    this.store = store
  }

  /**
   * The ended calls that match a rule, are in its sample and were written after a time: all those
   * of the first times, of which there may be more than a batch if they were written at once.
   *
   * @throws DomainError
   */
  async after(reader: ProjectReader, of: CallsOfRule, after: number, signal: AbortSignal): Promise<ArrivedBatch> {
    const sought = { of, after }
    return await new Promise((resolve, reject) => {
      this.waiting.push({ reader, sought, signal, resolve, reject })
      if (this.waiting.length === 1) void yieldToEventLoop().then(() => this.readAll())
    })
  }

  private readAll(): void {
    const { waiting } = this
    this.waiting = []
    for (const ofProject of Map.groupBy(waiting, ({ reader }) => reader.projectId).values()) {
      for (const together of groups(ofProject)) void this.readTogether(together)
    }
  }

  private async readTogether(together: Together): Promise<void> {
    try {
      const found = await this.read(together)
      for (const [index, { resolve }] of together.entries()) resolve(itemAt(found, index))
    } catch (cause) {
      if (together.length === 1) return together[0].reject(cause)
      // One of them may be the reason.
      for (const one of together) void this.readTogether([one])
    }
  }

  private async read(together: Together): Promise<ArrivedBatch[]> {
    const [{ reader, sought: first }] = together
    const { projectId } = reader
    const signal = whenAllAborted(together.map((one) => one.signal))
    const sought = together.map((one) => one.sought)
    return await this.readers.run(() => readArrived(this.store, { projectId, signal }, first.of.plan, sought))
  }
}

/** Rules whose calls are read in one statement. */
type Together = [Waiting, ...Waiting[]]

/** Divides rules into those that are read together: none waits for another that is far behind. */
function groups(waiting: readonly Waiting[]): Together[] {
  const byPosition = waiting.toSorted((a, b) => a.sought.after - b.sought.after)
  const made: Together[] = []
  for (const one of byPosition) {
    const last = made.at(-1)
    if (last !== undefined && last.length < ruleLimits.rulesReadTogether && fitsTogether(last[0], one)) last.push(one)
    else made.push([one])
  }
  return made
}

const fitsTogether = ({ sought: a }: Waiting, { sought: b }: Waiting): boolean =>
  !a.of.isAlone && !b.of.isAlone && b.after - a.after < ruleLimits.ruleOverlapMs * 1000

function whenAllAborted(signals: readonly AbortSignal[]): AbortSignal {
  const [only, ...others] = signals
  if (only !== undefined && others.length === 0) return only
  const controller = new AbortController()
  const check = () => signals.every(({ aborted }) => aborted) && controller.abort()
  for (const signal of signals) signal.addEventListener('abort', check, { once: true })
  check()
  return controller.signal
}
