import type { Store } from '../../engine/store.ts'
import { callsTable } from '../../engine/tables/calls-table.ts'
import { responseLimits } from '../../lib/limits/responses.ts'
import { ruleLimits } from '../../lib/limits/rules.ts'
import type { Cell } from '../../lib/table.ts'
import type { CallsPlan } from '../../query/calls-plan.ts'
import { columnField } from '../../query/catalog.ts'
import { all, any, type Expression, fieldValue, not } from '../../query/expression.ts'
import { compilePlanned } from '../../query/sql/statements.ts'
import type { ProjectReader } from '../access/index.ts'
import { planRows, relationsOf, tablesOf } from '../calls/index.ts'
import type { StoredRule } from './stored-rule.ts'

/** A call that matches a rule. */
export interface ArrivedCall {
  readonly id: string
  /** Microseconds. */
  readonly writtenAt: number
}

/** What a rule found. */
export interface ArrivedBatch {
  readonly calls: readonly ArrivedCall[]
  /** Up to when these are all, in microseconds; undefined if there are no more. */
  readonly through: number | undefined
}

/** Which calls a rule is for. */
export interface CallsOfRule {
  readonly plan: CallsPlan
  readonly condition: Expression
  /** Whether the calls cannot be found together with those of other rules. */
  readonly isAlone: boolean
}

/** What a rule looks for. */
export interface Sought {
  readonly of: CallsOfRule
  /** Time of writing in microseconds. */
  readonly after: number
}

const writtenAt = { kind: 'column', column: 'written_at', type: 'time' } as const
const traceId = { kind: 'column', column: 'trace_id', type: 'text' } as const
const hasEnded = not({ kind: 'isNull', value: fieldValue(columnField('ended_at', 'time')) })
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

/** Reads what several rules of a project look for, in one statement. */
export async function readArrived(
  store: Store,
  scope: { readonly projectId: string; readonly signal: AbortSignal },
  sought: readonly Sought[],
): Promise<ArrivedBatch[]> {
  const { projectId } = scope
  const { plan } = sought[0]!.of
  const after = Math.min(...sought.map((one) => one.after))
  const conditions = sought.map((one) =>
    one.after > after ? all([one.of.condition, written(one.after)]) : one.of.condition,
  )
  const flags = sought.length === 1 ? [] : conditions
  const rows = await store.read(tablesOf(plan), scope, async (snapshot) => {
    const { feedback, queues } = await relationsOf(snapshot, plan)
    // A file is as old as its newest row, or younger.
    const fileMs = Math.floor(after / 1000) - responseLimits.liveOverlapMs
    const relation = snapshot.relation(callsTable.name, plan.anyOf, { writtenAfterMs: fileMs })
    const find = async (when: Expression, limit?: number) => {
      const where = all([hasEnded, when, conditions.length === 1 ? conditions[0]! : any(conditions)])
      const wanted = { relation, projectId, feedback, queues, where, columns: columns.columns, flags }
      return await snapshot.rows(compilePlanned({ ...wanted, sort: order, limit }))
    }
    const first = await find(written(after), ruleLimits.ruleBatchMax)
    if (first.length < ruleLimits.ruleBatchMax) return { first, last: [], through: undefined }
    const through = timeOf(first.at(-1)!)
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
