import type { ProjectReader } from '../../foundation/access/caller.ts'
import { limits } from '../../limits.ts'
import { columnField } from '../../query/catalog.ts'
import { compilePlanned } from '../../query/compile.ts'
import { all, type Expression, fieldValue, not } from '../../query/expression.ts'
import { planRows, relationsOf, tablesOf } from '../../records/calls/plan.ts'
import type { StoredRule } from '../../records/rules/stored-rule.ts'
import type { Store } from '../../store/store.ts'
import { callsTable } from '../../tables/calls-table.ts'
import { Semaphore } from './semaphore.ts'

/** A call that matches a rule. */
export interface ArrivedCall {
  readonly id: string
  readonly traceId: string
  /** Microseconds. */
  readonly writtenAt: number
}

const writtenAt = { kind: 'column', column: 'written_at', type: 'time' } as const
const hasEnded = not({ kind: 'isNull', value: fieldValue(columnField('ended_at', 'time')) })
const written = (after: number, through?: number): Expression => ({ kind: 'within', field: writtenAt, after, through })
const order = [{ field: writtenAt, direction: 'asc' }] as const
const columns = callsTable.select('id', 'trace_id', 'written_at')

/** Finds the calls that match rules, in order of writing. DuckDB evaluates the conditions. */
export class ArrivedCalls {
  private readonly store: Store
  private readonly readers = new Semaphore(limits.ruleReadersMax)

  constructor(store: Store) {
    this.store = store
  }

  /**
   * The ended calls that match a rule and were written after a time: all those of the first times,
   * of which there may be more than a batch if they were written at once.
   *
   * @returns `through`: up to when these are all; undefined if there are no more
   * @throws DomainError
   */
  async after(
    reader: ProjectReader,
    { filter, query }: Pick<StoredRule, 'filter' | 'query'>,
    micros: number,
    signal: AbortSignal,
  ): Promise<{ calls: ArrivedCall[]; through: number | undefined }> {
    const plan = planRows(reader, { filter, query: query ?? undefined })
    const { projectId } = reader
    return await this.readers.run(() =>
      this.store.read(tablesOf(plan), { projectId, signal }, async (snapshot) => {
        const { feedback, queues } = await relationsOf(snapshot, plan)
        // A file is as old as its newest row, or younger.
        const fileMs = Math.floor(micros / 1000) - limits.liveOverlapMs
        const relation = snapshot.relation(callsTable.name, plan.anyOf, { writtenAfterMs: fileMs })
        const find = async (when: Expression, limit?: number) => {
          const where = all([plan.where, hasEnded, when])
          const wanted = { relation, projectId, feedback, queues, where, columns: columns.columns, sort: order, limit }
          return (await snapshot.rows(compilePlanned(wanted))).map((cells): ArrivedCall => {
            const { id, trace_id, written_at } = columns.read(cells)
            return { id, traceId: trace_id, writtenAt: written_at }
          })
        }
        const calls = await find(written(micros), limits.ruleBatchMax)
        if (calls.length < limits.ruleBatchMax) return { calls, through: undefined }
        const through = calls.at(-1)!.writtenAt
        const earlier = calls.filter((call) => call.writtenAt < through)
        return { calls: [...earlier, ...(await find(written(through - 1, through)))], through }
      }),
    )
  }
}
