import type { Store } from '../../engine/store.ts'
import { callsTable } from '../../engine/tables/calls-table.ts'
import { costsTable } from '../../engine/tables/costs-table.ts'
import { feedbackTable } from '../../engine/tables/feedback-table.ts'
import { callKind } from '../../formats/mapping/kinds/call-kind.ts'
import type { CallKind, TraceRequest, TraceSkeleton } from '../../formats/schemas/traces.ts'
import { DomainError, quoted } from '../../lib/errors.ts'
import { explorationLimits } from '../../lib/limits/exploration.ts'
import { itemAt, present } from '../../lib/present.ts'
import { formatTime, parseTime } from '../../lib/time.ts'
import type { ProjectReader } from '../access/index.ts'
import type { Costs } from '../costs/index.ts'
import { compileTraceCalls } from './sql/trace-calls.ts'
import { TraceCalls } from './trace-calls.ts'
import { traceFeedback } from './trace-feedback.ts'
import { sumUp, type TraceTotals } from './trace-totals.ts'
import { arrangeTree, type TraceTree } from './trace-tree.ts'

/** Which calls of a trace are wanted. */
interface Choice {
  /** Number of the call below which they are; undefined for the whole trace. */
  readonly below: number | undefined
  readonly depth: number | undefined
  readonly limit: number
  /** How many of them may be failed calls and their ancestors if not all fit. */
  readonly errorsMax: number
  /** Whether a call is wanted, apart from the ancestors of those that are. */
  readonly isWanted: ((call: number) => boolean) | undefined
  readonly isError: (call: number) => boolean
}

interface Chosen {
  /** Depth first. */
  readonly calls: Int32Array
  /** Whether neither the limit nor the depth has left out any. */
  readonly isComplete: boolean
}

/**
 * Chooses calls. Where not all fit: failed calls with their ancestors up to `errorsMax`, then level
 * by level.
 */
function chooseCalls(tree: TraceTree, choice: Choice): Chosen {
  const { below, depth, limit, isWanted } = choice
  const top = below === undefined ? 0 : itemAt(tree.depth, below) + 1
  const scope = below === undefined ? tree.order : subtree(tree, below)
  const wanted = isWanted === undefined ? scope : withAncestors(tree, scope, isWanted, below)
  const calls = depth === undefined ? wanted : wanted.filter((call) => itemAt(tree.depth, call) - top < depth)
  if (calls.length <= limit) return { calls, isComplete: calls.length === wanted.length }
  const chosen = new Set<number>()
  const byLevel = calls.toSorted((a, b) => itemAt(tree.depth, a) - itemAt(tree.depth, b) || a - b)
  for (const call of byLevel) {
    if (chosen.size >= choice.errorsMax) break
    if (choice.isError(call)) addWithAncestors(tree, call, below, chosen, choice.errorsMax)
  }
  for (const call of byLevel) {
    if (chosen.size >= limit) break
    chosen.add(call)
  }
  return { calls: calls.filter((call) => chosen.has(call)), isComplete: false }
}

/** The descendants of a call, which follow it in the order. */
function subtree({ order, depth }: TraceTree, call: number): Int32Array {
  const from = order.indexOf(call) + 1
  let to = from
  while (to < order.length && itemAt(depth, itemAt(order, to)) > itemAt(depth, call)) to++
  return order.subarray(from, to)
}

function withAncestors(
  tree: TraceTree,
  calls: Int32Array,
  isWanted: (call: number) => boolean,
  below: number | undefined,
): Int32Array {
  const kept = new Set<number>()
  for (const call of calls) if (isWanted(call)) addWithAncestors(tree, call, below, kept, Number.POSITIVE_INFINITY)
  return calls.filter((call) => kept.has(call))
}

/** Adds a call and its ancestors, unless there is no room for all of them. */
function addWithAncestors(
  { parent }: TraceTree,
  call: number,
  below: number | undefined,
  chosen: Set<number>,
  max: number,
): void {
  const path: number[] = []
  for (let at = call; at !== -1 && at !== below && !chosen.has(at); at = itemAt(parent, at)) path.push(at)
  if (chosen.size + path.length > max) return
  for (const at of path) chosen.add(at)
}

/** A trace as read and arranged, and the calls of it that are wanted, depth first. */
interface ReadTrace {
  readonly traceId: string
  readonly calls: TraceCalls
  readonly tree: TraceTree
  readonly totals: TraceTotals
  readonly feedback: ReadonlyMap<string, number>
  readonly chosen: Chosen
}

/** Distinct texts, and the position of each. */
class Dictionary<Text extends string = string> {
  readonly texts: Text[] = []
  private readonly positions = new Map<Text, number>()

  at(text: Text): number {
    const known = this.positions.get(text)
    if (known !== undefined) return known
    this.positions.set(text, this.texts.length)
    return this.texts.push(text) - 1
  }
}

/** The JSON text of `TraceSkeleton`, one member at a time. */
function* skeletonTexts(trace: ReadTrace): Generator<string[]> {
  let separator = '{'
  for (const [name, value] of members(trace)) {
    yield [`${separator}${JSON.stringify(name)}:${JSON.stringify(value())}`]
    separator = ','
  }
  yield ['}']
}

/** Members in the order of the response; each column is made when its turn comes. */
function members({ traceId, calls, tree, totals, feedback, chosen }: ReadTrace) {
  const kinds = new Dictionary<CallKind>()
  const [ops, models, statuses] = [new Dictionary(), new Dictionary(), new Dictionary()]
  const positions = new Int32Array(calls.ids.length).fill(-1)
  chosen.calls.forEach((call, position) => {
    positions[call] = position
  })
  const column = <T>(of: (call: number) => T): T[] => Array.from(chosen.calls, of)
  const columns = {
    op: column((call) => ops.at(itemAt(calls.shared, call).op)),
    kind: column((call) => kinds.at(kindOf(calls, tree, call))),
    model: column((call) => positionOrNone(models, calls.modelOf(call))),
    status: column((call) => statuses.at(itemAt(calls.shared, call).status)),
  }
  const startedAt = calls.startedAt[0]
  const values: { readonly [Name in keyof TraceSkeleton]: () => TraceSkeleton[Name] } = {
    trace_id: () => traceId,
    call_count: () => calls.ids.length,
    is_complete: () => chosen.isComplete,
    started_at: () => timeOrNull(startedAt),
    ended_at: () => timeOrNull(endOf(calls, tree)),
    read_at: () => timeOrNull(latest(calls.writtenAt)),
    thread_id: () => calls.threadId,
    ops: () => ops.texts,
    kinds: () => kinds.texts,
    models: () => models.texts,
    statuses: () => statuses.texts,
    call_ids: () => column((call) => itemAt(calls.ids, call)),
    parent: () => column((call) => (tree.parent[call] === -1 ? -1 : itemAt(positions, itemAt(tree.parent, call)))),
    depth: () => column((call) => itemAt(tree.depth, call)),
    op: () => columns.op,
    kind: () => columns.kind,
    status: () => columns.status,
    name: () => column((call) => itemAt(calls.names, call)),
    start_ms: () =>
      column((call) => (itemAt(calls.startedAt, call) - present(startedAt, 'The start of the trace')) / 1000),
    duration_ms: () =>
      column((call) => {
        const endedAt = itemAt(calls.endedAt, call)
        return endedAt === null ? null : (endedAt - itemAt(calls.startedAt, call)) / 1000
      }),
    child_count: () => column((call) => itemAt(tree.childCount, call)),
    descendant_count: () => column((call) => itemAt(totals.descendantCount, call)),
    model: () => columns.model,
    tokens_in: () => column((call) => calls.usage[call]?.tokensIn ?? null),
    tokens_out: () => column((call) => calls.usage[call]?.tokensOut ?? null),
    tokens_cached: () => column((call) => calls.usage[call]?.tokensCached ?? null),
    cost: () => column((call) => calls.usage[call]?.cost ?? null),
    total_tokens: () => column((call) => itemAt(totals.tokens, call)),
    total_cost: () => column((call) => (Number.isNaN(totals.cost[call]) ? null : itemAt(totals.cost, call))),
    feedback_count: () => column((call) => feedback.get(itemAt(calls.ids, call)) ?? 0),
    is_usage_repeated: () => column((call) => totals.usageRepeated[call] === 1),
    has_error_inside: () => column((call) => itemAt(totals.errorsInside, call) > 0),
  }
  return Object.entries<() => unknown>(values)
}

const positionOrNone = (texts: Dictionary, text: string | null): number => (text === null ? -1 : texts.at(text))

function kindOf({ shared, usage }: TraceCalls, { childCount }: TraceTree, call: number): CallKind {
  const { kind, operation, op } = itemAt(shared, call)
  return callKind({ stated: kind, operation, op, isModelCall: usage[call] !== undefined && childCount[call] === 0 })
}

/** The end of the last call; undefined while a root is running. */
function endOf({ endedAt }: TraceCalls, { parent }: TraceTree): number | undefined {
  if (endedAt.some((end, call) => end === null && parent[call] === -1)) return undefined
  return latest(endedAt)
}

function latest(times: readonly (number | null)[]): number | undefined {
  let last: number | undefined
  for (const time of times) if (time !== null && (last === undefined || time > last)) last = time
  return last
}

const timeOrNull = (micros: number | undefined): string | null => (micros === undefined ? null : formatTime(micros))

/** A trace as it is stored. */
interface StoredTrace {
  readonly calls: TraceCalls
  /** By call id. */
  readonly feedback: ReadonlyMap<string, number>
  /** Calls with feedback given since the requested time. */
  readonly judged: ReadonlySet<string>
}

const tooLarge = 'the trace has too many calls to be shown as a whole'

/** Traces as trees of calls without their payloads. See docs/decisions/078-traces-as-columns.md. */
export class Traces {
  private readonly store: Store
  private readonly costs: Costs

  constructor({ store, costs }: { store: Store; costs: Costs }) {
    this.store = store
    this.costs = costs
  }

  /**
   * The JSON text of `TraceSkeleton` in pieces.
   *
   * @throws DomainError InvalidRequest for limits out of range or a trace that is too large;
   *   NotFound for an unknown parent; RequestCancelled
   */
  async *texts(reader: ProjectReader, request: TraceRequest, signal: AbortSignal): AsyncGenerator<string[]> {
    const limit = limitOf(request.limit)
    const stated = request.since == null ? undefined : present(parseTime(request.since), 'The checked time')
    const since = stated === undefined ? undefined : stated - explorationLimits.traceOverlapMs * 1000
    const { calls, feedback, judged } = await this.read(reader, request.trace_id, since, signal)
    const tree = await arrangeTree(calls.ids, calls.parentIds)
    const totals = await sumUp(calls, tree)
    const below = parentOf(calls, request)
    const hasChanged = (call: number) =>
      (since !== undefined && itemAt(calls.writtenAt, call) >= since) || judged.has(itemAt(calls.ids, call))
    const chosen = chooseCalls(tree, {
      below,
      depth: request.depth ?? undefined,
      limit,
      errorsMax: Math.floor(limit * explorationLimits.traceErrorsShare),
      isWanted: since === undefined ? undefined : hasChanged,
      isError: (call) => itemAt(calls.shared, call).status === 'error',
    })
    yield* skeletonTexts({ traceId: request.trace_id, calls, tree, totals, feedback, chosen })
  }

  private async read(
    reader: ProjectReader,
    traceId: string,
    since: number | undefined,
    signal: AbortSignal,
  ): Promise<StoredTrace> {
    const { projectId } = reader
    const tables = [callsTable.name, costsTable.name, feedbackTable.name]
    return await this.store.read(tables, { projectId, signal }, async (snapshot) => {
      const traceIds = [traceId]
      const scope = {
        projectId,
        traceIds,
        calls: await snapshot.relationWhere(callsTable.name, { trace_id: traceIds }),
      }
      const calls = new TraceCalls(await this.costs.priceBook(snapshot, reader), tooLarge)
      await snapshot.forEachChunk(compileTraceCalls(scope), (columns) => calls.add(columns))
      const feedback = new Map<string, number>()
      const judged = new Set<string>()
      for (const { call_id: id, count, last } of await traceFeedback(snapshot, scope)) {
        feedback.set(id, count)
        if (since !== undefined && last >= since) judged.add(id)
      }
      return { calls, feedback, judged }
    })
  }
}

function parentOf({ ids }: TraceCalls, { trace_id, parent_id }: TraceRequest): number | undefined {
  if (parent_id == null) return undefined
  const found = ids.indexOf(parent_id)
  if (found !== -1) return found
  throw new DomainError('NotFound', `Cannot read trace ${quoted(trace_id)}: it has no call ${quoted(parent_id)}`)
}

function limitOf(limit: number | null | undefined): number {
  const requested = limit ?? explorationLimits.traceRowsDefault
  if (requested >= 1 && requested <= explorationLimits.traceRowsMax) return requested
  throw new DomainError(
    'InvalidRequest',
    `\`limit\` must be from 1 to ${explorationLimits.traceRowsMax}, not ${requested}`,
  )
}
