import { DomainError } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { ProjectReader } from '../../model/caller.ts'
import type { CallsUsageQuestion, CallUsage, TraceUsageQuestion } from '../../model/usage.ts'
import { compileTraceSizes, compileUsageRows, isOneOf } from '../../query/sql/usage-rows.ts'
import type { Snapshot } from '../../store/snapshot.ts'
import type { Store } from '../../store/store.ts'
import { callsTable } from '../calls/calls-table.ts'
import { planCalls, relationsOf, type Wire } from '../calls/plan.ts'
import type { Costs } from '../costs/costs.ts'
import { costsTable } from '../costs/costs-table.ts'
import type { PriceBook } from '../costs/price-book.ts'
import { feedbackTable } from '../feedback/feedback-table.ts'
import { rollUp, type UsageByModel, type UsageCall } from './roll-up.ts'

/** Tokens and costs of calls with all that happened below them. */
export class Usage {
  private readonly store: Store
  private readonly costs: Costs
  private readonly wire: Wire
  private readonly queryTimeoutMs: number

  constructor(options: { store: Store; costs: Costs; wire: Wire; queryTimeoutMs: number }) {
    this.store = options.store
    this.costs = options.costs
    this.wire = options.wire
    this.queryTimeoutMs = options.queryTimeoutMs
  }

  /** Usage of every matching call, with that of the matching calls below it. @throws DomainError InvalidRequest, InvalidField */
  async ofMatching(reader: ProjectReader, question: TraceUsageQuestion): Promise<CallUsage> {
    const { filter, query } = question
    const limit = limitOf(question.limit)
    const plan = planCalls(reader, { filter, query, limit }, this.wire, new Map())
    await using snapshot = await this.snapshot()
    const { calls: relation, feedback } = relationsOf(snapshot, plan, filter)
    const calls = await this.calls(snapshot, { ...plan, relation, feedback })
    const totals = rollUp(calls, await this.pricesFor(snapshot, reader, question))
    return answer(totals, calls)
  }

  /**
   * Usage of each named call, with that of all calls below it; empty where there is no such call.
   *
   * @throws DomainError RequestTooLarge where one trace has more calls than the limit; InvalidRequest
   */
  async ofCalls(reader: ProjectReader, question: CallsUsageQuestion): Promise<CallUsage> {
    const limit = limitOf(question.limit)
    const ids = [...new Set(question.call_ids)]
    if (ids.length > limits.filterValuesMax) {
      throw new DomainError(
        'InvalidRequest',
        `Read usage: ${ids.length} calls are more than the ${limits.filterValuesMax} allowed`,
      )
    }
    const found = new Map<string, UsageByModel>(ids.map((id) => [id, new Map()]))
    const running: UsageCall[] = []
    if (ids.length > 0) {
      await using snapshot = await this.snapshot()
      const prices = await this.pricesFor(snapshot, reader, question)
      for (const traces of await this.batches(snapshot, reader, ids, limit)) {
        const { projectId } = reader
        const relation = snapshot.relation(callsTable.name, { projectId, anyOf: new Map([['trace_id', traces]]) })
        const calls = await this.calls(snapshot, { relation, projectId, where: isOneOf('trace_id', traces) })
        const below = subtrees(calls, ids)
        for (const [id, usage] of rollUp(below, prices)) if (found.has(id)) found.set(id, usage)
        running.push(...below.filter(({ isRunning }) => isRunning))
      }
    }
    return answer(found, running)
  }

  /** Traces of the calls, in groups of at most `limit` calls. */
  private async batches(
    snapshot: Snapshot,
    reader: ProjectReader,
    ids: readonly string[],
    limit: number,
  ): Promise<string[][]> {
    const traceIds = (await this.traceSizes(snapshot, reader, 'id', ids)).map(([traceId]) => traceId)
    if (traceIds.length === 0) return []
    const batches: string[][] = []
    let room = 0
    for (const [traceId, size] of await this.traceSizes(snapshot, reader, 'trace_id', traceIds)) {
      if (size > limit) {
        throw new DomainError(
          'RequestTooLarge',
          `Read usage: a trace has ${size} calls, more than the limit of ${limit}`,
        )
      }
      if (size > room) {
        batches.push([])
        room = limit
      }
      batches.at(-1)!.push(traceId)
      room -= size
    }
    return batches
  }

  private async traceSizes(
    snapshot: Snapshot,
    { projectId }: ProjectReader,
    column: 'id' | 'trace_id',
    values: readonly string[],
  ): Promise<[string, number][]> {
    const relation = snapshot.relation(callsTable.name, { projectId, anyOf: new Map([[column, values]]) })
    const sql = compileTraceSizes(relation, projectId, column, values)
    return (await snapshot.reader.rows(sql, { timeoutMs: this.queryTimeoutMs })) as [string, number][]
  }

  private async calls(snapshot: Snapshot, wanted: Parameters<typeof compileUsageRows>[0]): Promise<UsageCall[]> {
    const rows = await snapshot.reader.rows(compileUsageRows(wanted), { timeoutMs: this.queryTimeoutMs })
    return rows.map(([id, parentId, usage, startedAt, endedAt]) => ({
      id: id as string,
      parentId: parentId as string | null,
      usage: usage as string | null,
      startedAt: startedAt as number,
      isRunning: endedAt === null,
    }))
  }

  private async pricesFor(
    snapshot: Snapshot,
    reader: ProjectReader,
    { include_costs }: { include_costs?: boolean | undefined },
  ): Promise<PriceBook | undefined> {
    return include_costs === true ? await this.costs.priceBook(snapshot, reader) : undefined
  }

  private snapshot(): Promise<Snapshot> {
    return this.store.snapshot([callsTable.name, costsTable.name, feedbackTable.name])
  }
}

function limitOf(limit: number | undefined): number {
  if (limit !== undefined && limit < 1) throw new DomainError('InvalidRequest', `Read limit ${limit}: it is 1 or more`)
  return limit ?? limits.usageCallsDefault
}

/** The named calls and all calls below them. */
function subtrees(calls: readonly UsageCall[], ids: readonly string[]): UsageCall[] {
  const kept = new Set(ids)
  const childrenOf = Map.groupBy(calls, ({ parentId }) => parentId)
  for (const id of kept) {
    // A set that grows while it is walked visits what is added.
    for (const child of childrenOf.get(id) ?? []) kept.add(child.id)
  }
  return calls.filter(({ id }) => kept.has(id))
}

function answer(usage: ReadonlyMap<string, UsageByModel>, calls: readonly UsageCall[]): CallUsage {
  return {
    call_usage: Object.fromEntries([...usage].map(([id, byModel]) => [id, Object.fromEntries(byModel)])),
    unfinished_call_ids: calls
      .filter(({ isRunning }) => isRunning)
      .map(({ id }) => id)
      .sort(),
  }
}
