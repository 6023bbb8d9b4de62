import type { Snapshot } from '../../engine/reads/snapshot.ts'
import type { Store } from '../../engine/store.ts'
import { callsTable } from '../../engine/tables/calls-table.ts'
import { costsTable } from '../../engine/tables/costs-table.ts'
import { HeldBytes } from '../../lib/concurrency.ts'
import { DomainError, tooMany } from '../../lib/errors.ts'
import { operationLimits } from '../../lib/limits/operations.ts'
import { responseLimits } from '../../lib/limits/responses.ts'
import { itemAt } from '../../lib/present.ts'
import { TimeSlice } from '../../runtime/platform/event-loop.ts'
import type { ProjectReader } from '../access/index.ts'
import { HeavyQuestions, planRows, relationsOf, tablesOf } from '../calls/index.ts'
import type { Costs, PriceBook } from '../costs/index.ts'
import type { CallsUsageRequest, TraceUsageRequest } from './model/usage.ts'
import { ownUsage, type UsageByModel } from './own-usage.ts'
import { compileTraceSizes, compileUsageRows, isOneOf } from './plan/usage-rows.ts'
import { rollUp, subtrees, type UsageCall } from './roll-up.ts'

/**
 * The JSON text of `CallUsage` in pieces. Yields to other requests: a response may contain hundreds
 * of thousands of calls.
 */
export async function* usageTexts(
  usage: ReadonlyMap<string, UsageByModel>,
  unfinishedIds: readonly string[],
  repeatedIds?: readonly string[],
): AsyncGenerator<string[]> {
  const slice = new TimeSlice()
  let piece = ['{"call_usage":{']
  let separator = ''
  let chars = 0
  for (const [id, byModel] of usage) {
    const text = `${separator}${JSON.stringify(id)}:${JSON.stringify(Object.fromEntries(byModel))}`
    piece.push(text)
    chars += text.length
    separator = ','
    if (slice.expired) await slice.yield()
    if (chars < responseLimits.streamChunkBytes) continue
    yield piece
    piece = []
    chars = 0
  }
  const repeated = repeatedIds === undefined ? '' : `,"repeated_call_ids":${JSON.stringify(repeatedIds)}`
  yield [...piece, `},"unfinished_call_ids":${JSON.stringify(unfinishedIds)}${repeated}}`]
}

/** A snapshot and its reader. */
interface UsageRead {
  readonly snapshot: Snapshot
  readonly reader: ProjectReader
  /** Undefined if costs are not requested. */
  readonly prices: PriceBook | undefined
}

/** Ids of the calls that were read. */
interface FoundCalls {
  readonly running: readonly string[]
  /** Calls whose own usage statistics count elsewhere; none where descendants are included. */
  readonly repeated: readonly string[]
}

const noneFound: FoundCalls = { running: [], repeated: [] }

/** Token usage and costs of calls and their descendants. */
export class Usage {
  private readonly store: Store
  private readonly costs: Costs
  private readonly heavy: HeavyQuestions

  /** @param options `heavy`: by default, DuckDB reads all */
  constructor(options: { store: Store; costs: Costs; heavy?: HeavyQuestions }) {
    this.store = options.store
    this.costs = options.costs
    this.heavy = options.heavy ?? new HeavyQuestions()
  }

  /**
   * Usage of all matching calls, each with its matching descendants: JSON text of `CallUsage` in
   * pieces.
   *
   * @throws DomainError InvalidRequest, InvalidField; RequestCancelled
   */
  async *ofMatching(reader: ProjectReader, request: TraceUsageRequest, signal: AbortSignal): AsyncGenerator<string[]> {
    const held = new HeldBytes('use a smaller `limit`, or narrow the request with `filter` or `query`')
    const calls = await this.matching(reader, request, { held, signal })
    yield* usageTexts(await rollUp(calls, held), runningIn(calls))
  }

  /**
   * Usage of the given calls with their descendants; empty for unknown calls. JSON text as above.
   *
   * @throws DomainError RequestTooLarge if a trace has more calls than the limit; InvalidRequest;
   *   RequestCancelled
   */
  async *ofCalls(reader: ProjectReader, request: CallsUsageRequest, signal: AbortSignal): AsyncGenerator<string[]> {
    const limit = limitOf(request.limit)
    const ids = [...new Set(request.call_ids)]
    if (ids.length > operationLimits.filterValuesMax) {
      throw new DomainError('InvalidRequest', tooMany('`call_ids`', ids.length, operationLimits.filterValuesMax))
    }
    const found = new Map<string, UsageByModel>(ids.map((id) => [id, new Map()]))
    const isOwn = request.with_descendants === false
    const { running, repeated } =
      ids.length === 0 ? noneFound : await this.addUsage(reader, request, { found, limit, signal })
    yield* usageTexts(found, running.toSorted(), isOwn ? repeated.toSorted() : undefined)
  }

  private async matching(
    reader: ProjectReader,
    request: TraceUsageRequest,
    { held, signal }: { held: HeldBytes; signal: AbortSignal },
  ): Promise<UsageCall[]> {
    const { filter, query, engine } = request
    const plan = planRows(reader, { filter, query, limit: limitOf(request.limit) })
    const scope = { tables: [...tablesOf(plan), costsTable.name], projectId: reader.projectId, signal, engine }
    return await this.heavy.read(this.store, scope, async (snapshot, search) => {
      const found = await search.narrowed({ plan, relations: await relationsOf(snapshot, plan) })
      const { calls: relation, feedback, queues } = found.relations
      const read = await this.read(snapshot, reader, request)
      return await callsOf(read, { ...found.plan, relation, feedback, queues }, held)
    })
  }

  /** Fills in the usage of the given calls, with that of their descendants if requested. */
  private async addUsage(
    reader: ProjectReader,
    request: CallsUsageRequest,
    { found, limit, signal }: { found: Map<string, UsageByModel>; limit: number; signal: AbortSignal },
  ): Promise<FoundCalls> {
    const { projectId } = reader
    const ids = [...found.keys()]
    return await this.store.read([callsTable.name, costsTable.name], { projectId, signal }, async (snapshot) => {
      const read = await this.read(snapshot, reader, request)
      const running: string[] = []
      const remedy = 'request fewer `call_ids` at a time, or calls deeper in the trace'
      const kept = new HeldBytes(remedy)
      if (request.with_descendants === false) {
        const relation = await snapshot.relationWhere(callsTable.name, { id: ids })
        const calls = await callsOf(read, { relation, projectId, where: isOneOf('id', ids) }, kept)
        for (const { id, usage } of calls) found.set(id, usage)
        return { running: runningIn(calls), repeated: calls.filter(({ isRepeated }) => isRepeated).map(({ id }) => id) }
      }
      for (const traces of await traceBatches(read, ids, limit)) {
        const relation = await snapshot.relationWhere(callsTable.name, { trace_id: traces })
        const held = new HeldBytes(remedy)
        const calls = await callsOf(read, { relation, projectId, where: isOneOf('trace_id', traces) }, held)
        const below = await subtrees(calls, ids)
        for (const [id, usage] of await rollUp(below, held)) {
          if (!found.has(id)) continue
          kept.add(usage.size * responseLimits.usageOfModelBytes)
          found.set(id, usage)
        }
        for (const id of runningIn(below)) {
          kept.add(id.length)
          running.push(id)
        }
      }
      return { running, repeated: [] }
    })
  }

  private async read(
    snapshot: Snapshot,
    reader: ProjectReader,
    { include_costs }: { include_costs?: boolean | undefined },
  ): Promise<UsageRead> {
    const prices = include_costs === true ? await this.costs.priceBook(snapshot, reader) : undefined
    return { snapshot, reader, prices }
  }
}

/** Traces of the calls, in groups of at most `limit` calls. */
async function traceBatches(read: UsageRead, ids: readonly string[], limit: number): Promise<string[][]> {
  const traceIds = (await traceSizes(read, 'id', ids)).map(([traceId]) => traceId)
  if (traceIds.length === 0) return []
  const batches: string[][] = []
  let room = 0
  for (const [traceId, size] of await traceSizes(read, 'trace_id', traceIds)) {
    if (size > limit) {
      throw new DomainError('RequestTooLarge', `A trace has ${size} calls, more than \`limit\` (${limit})`)
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

async function traceSizes(
  { snapshot, reader: { projectId } }: UsageRead,
  column: 'id' | 'trace_id',
  values: readonly string[],
): Promise<[string, number][]> {
  const relation = await snapshot.relationWhere(callsTable.name, { [column]: values })
  const sql = compileTraceSizes(relation, projectId, column, values)
  return (await snapshot.rows(sql)).map(({ traceId, calls }) => [traceId, calls])
}

/** Calls with their own usage, in batches, yielding to other requests in between. */
async function callsOf(
  { snapshot, prices }: UsageRead,
  wanted: Parameters<typeof compileUsageRows>[0],
  held: HeldBytes,
): Promise<UsageCall[]> {
  const calls: UsageCall[] = []
  await snapshot.forEachChunk(compileUsageRows(wanted), (rows) => {
    for (const [row, id] of rows.id.entries()) {
      const usage = ownUsage(itemAt(rows.usage, row), itemAt(rows.startedAt, row), prices)
      held.add(bytesOf(id, usage))
      calls.push({
        ...{ id, parentId: itemAt(rows.parentId, row), usage },
        isElsewhere: rows.isElsewhere[row] === 1,
        isRepeated: usage.size > 0 && rows.isLeftOut[row] === 1,
        isRunning: rows.endedAt[row] === null,
      })
    }
  })
  return calls
}

function bytesOf(id: string, usage: UsageByModel): number {
  let bytes = responseLimits.usageCallBytes + id.length
  for (const model of usage.keys()) bytes += responseLimits.usageOfModelBytes + model.length
  return bytes
}

function limitOf(limit: number = operationLimits.usageCallsDefault): number {
  if (limit >= 1 && limit <= operationLimits.usageCallsMax) return limit
  throw new DomainError('InvalidRequest', `\`limit\` must be from 1 to ${operationLimits.usageCallsMax}, not ${limit}`)
}

const runningIn = (calls: readonly UsageCall[]): string[] =>
  calls
    .filter(({ isRunning }) => isRunning)
    .map(({ id }) => id)
    .sort()
