import type { Snapshot, StreamSnapshot } from '../../../engine/reads/snapshot.ts'
import type { Store } from '../../../engine/store.ts'
import { callsTable } from '../../../engine/tables/calls-table.ts'
import { costsTable } from '../../../engine/tables/costs-table.ts'
import { feedbackTable } from '../../../engine/tables/feedback-table.ts'
import { DomainError, tooMany } from '../../../lib/errors.ts'
import { explorationLimits } from '../../../lib/limits/exploration.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'
import type { Sql } from '../../../lib/sql.ts'
import { parseTime } from '../../../lib/time.ts'
import { parseSort } from '../../../query/sort.ts'
import { parsePage } from '../../../query/table-plan.ts'
import type { ProjectReader } from '../../access/index.ts'
import { HeavyQuestions, planPricedRows, pricedRelations, tablesOf } from '../../calls/index.ts'
import type { Costs } from '../../costs/index.ts'
import type { ThreadsRequest } from '../model/threads.ts'
import { type ThreadsPlan, threadsOrder } from '../plan/threads.ts'
import { compileThreads, type ThreadRow } from '../sql/threads.ts'
import { planOfNewest } from './newest-threads.ts'
import { linesWithDetails } from './thread-details.ts'

/** Threads, aggregated from their turns. */
export class Threads {
  private readonly store: Store
  private readonly costs: Costs
  private readonly heavy: HeavyQuestions

  /** @param options `heavy`: by default, DuckDB reads all */
  constructor({ store, costs, heavy }: { store: Store; costs: Costs; heavy?: HeavyQuestions }) {
    this.store = store
    this.costs = costs
    this.heavy = heavy ?? new HeavyQuestions()
  }

  /**
   * One JSON text per thread, in order. @throws DomainError InvalidField, InvalidRequest;
   * ValidationError
   */
  async *jsonLines(reader: ProjectReader, request: ThreadsRequest, signal: AbortSignal): AsyncGenerator<string[]> {
    const plan = planThreads(reader, request)
    if (plan.limit === 0) return
    const isDetailed = request.include_details === true
    const { matching, projectId } = plan
    const tables = new Set([
      callsTable.name,
      ...(isDetailed ? [costsTable.name, feedbackTable.name] : []),
      ...(matching === undefined ? [] : tablesOf(matching)),
    ])
    const { store, heavy } = this
    yield* store.stream([...tables], { projectId, signal }, (snapshot) =>
      this.linesIn(snapshot, reader, plan, { isDetailed, search: heavy.search(snapshot, request.engine, signal) }),
    )
  }

  private async *linesIn(
    snapshot: StreamSnapshot,
    reader: ProjectReader,
    planned: ThreadsPlan,
    { isDetailed, search }: { isDetailed: boolean; search: ReturnType<HeavyQuestions['search']> },
  ): AsyncGenerator<string[]> {
    const found = await this.matchingIn(snapshot, reader, planned.matching, search)
    const plan = { ...planned, matching: found?.plan }
    const newest = await planOfNewest(snapshot, plan)
    const calls = newest?.calls ?? snapshot.relation(callsTable.name)
    const sql = compileThreads(newest?.plan ?? plan, { calls, matching: found?.relations })
    yield* isDetailed ? this.detailedLines(snapshot, reader, plan, sql) : snapshot.texts(sql)
  }

  /** The calls of which a thread needs one, if it does. */
  private async matchingIn(
    snapshot: Snapshot,
    reader: ProjectReader,
    plan: ThreadsPlan['matching'],
    search: ReturnType<HeavyQuestions['search']>,
  ) {
    if (plan === undefined) return undefined
    const relations = await pricedRelations(this.costs, snapshot, plan, reader)
    return await search.narrowed({ plan, relations })
  }

  private async *detailedLines(
    snapshot: StreamSnapshot,
    reader: ProjectReader,
    plan: ThreadsPlan,
    sql: Sql<ThreadRow>,
  ): AsyncGenerator<string[]> {
    const prices = await this.costs.priceBook(snapshot, reader)
    const rows = await snapshot.rows(sql)
    const threads = rows.map(({ line, thread_id: threadId, first_turn_id: firstTurnId, last_turn_id: lastTurnId }) => ({
      line,
      threadId,
      firstTurnId,
      lastTurnId,
    }))
    for (let from = 0; from < threads.length; from += explorationLimits.detailedThreadsRead) {
      const some = threads.slice(from, from + explorationLimits.detailedThreadsRead)
      yield await linesWithDetails({ snapshot, reader, plan, prices }, some)
    }
  }
}

function planThreads(reader: ProjectReader, request: ThreadsRequest): ThreadsPlan {
  const { after_datetime: after, before_datetime: before, thread_ids } = request.filter ?? {}
  const threadIds = thread_ids ?? []
  if (threadIds.length > operationLimits.filterValuesMax) {
    throw new DomainError(
      'InvalidRequest',
      tooMany('values in `filter.thread_ids`', threadIds.length, operationLimits.filterValuesMax),
    )
  }
  const { limit, offset } = parsePage(request)
  if (request.include_details === true && (limit ?? 0) > explorationLimits.detailedThreadsMax) {
    throw new DomainError(
      'InvalidRequest',
      `\`limit\` must be at most ${explorationLimits.detailedThreadsMax} with \`include_details\`, not ${limit}`,
    )
  }
  return {
    projectId: reader.projectId,
    matching: request.query == null ? undefined : planPricedRows(reader, { query: request.query }),
    after: after == null ? undefined : parseTime(after),
    before: before == null ? undefined : parseTime(before),
    threadIds,
    sort: parseSort(request.sort_by, threadsOrder),
    limit: limit ?? (request.include_details === true ? explorationLimits.detailedThreadsDefault : undefined),
    offset,
  }
}
