import { callKind } from '../../formats/mapping/kinds/call-kind.ts'
import type { CallKind, TraceSkeleton } from '../../formats/schemas/traces.ts'
import { formatTime } from '../../lib/time.ts'
import type { Chosen } from './choose-calls.ts'
import type { TraceCalls } from './trace-calls.ts'
import type { TraceTotals } from './trace-totals.ts'
import type { TraceTree } from './trace-tree.ts'

/** A trace as read and arranged, and the calls of it that are wanted, depth first. */
export interface ReadTrace {
  readonly traceId: string
  readonly calls: TraceCalls
  readonly tree: TraceTree
  readonly totals: TraceTotals
  readonly feedback: ReadonlyMap<string, number>
  readonly chosen: Chosen
}

/** Distinct texts, and the position of each. */
class Dictionary {
  readonly texts: string[] = []
  private readonly positions = new Map<string, number>()

  at(text: string): number {
    const known = this.positions.get(text)
    if (known !== undefined) return known
    this.positions.set(text, this.texts.length)
    return this.texts.push(text) - 1
  }
}

/** The JSON text of `TraceSkeleton`, one member at a time. */
export function* skeletonTexts(trace: ReadTrace): Generator<string[]> {
  let separator = '{'
  for (const [name, value] of members(trace)) {
    yield [`${separator}${JSON.stringify(name)}:${JSON.stringify(value())}`]
    separator = ','
  }
  yield ['}']
}

/** Members in the order of the response; each column is made when its turn comes. */
function members({ traceId, calls, tree, totals, feedback, chosen }: ReadTrace) {
  const [ops, kinds, models, statuses] = [new Dictionary(), new Dictionary(), new Dictionary(), new Dictionary()]
  const positions = new Int32Array(calls.ids.length).fill(-1)
  chosen.calls.forEach((call, position) => {
    positions[call] = position
  })
  const column = <T>(of: (call: number) => T): T[] => Array.from(chosen.calls, of)
  const columns = {
    op: column((call) => ops.at(calls.shared[call]!.op)),
    kind: column((call) => kinds.at(kindOf(calls, tree, call))),
    model: column((call) => positionOrNone(models, calls.modelOf(call))),
    status: column((call) => statuses.at(calls.shared[call]!.status)),
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
    kinds: () => kinds.texts as TraceSkeleton['kinds'],
    models: () => models.texts,
    statuses: () => statuses.texts,
    call_ids: () => column((call) => calls.ids[call]!),
    parent: () => column((call) => (tree.parent[call] === -1 ? -1 : positions[tree.parent[call]!]!)),
    depth: () => column((call) => tree.depth[call]!),
    op: () => columns.op,
    kind: () => columns.kind,
    status: () => columns.status,
    name: () => column((call) => calls.names[call]!),
    start_ms: () => column((call) => (calls.startedAt[call]! - startedAt!) / 1000),
    duration_ms: () =>
      column((call) => (calls.endedAt[call] == null ? null : (calls.endedAt[call]! - calls.startedAt[call]!) / 1000)),
    child_count: () => column((call) => tree.childCount[call]!),
    descendant_count: () => column((call) => totals.descendantCount[call]!),
    model: () => columns.model,
    tokens_in: () => column((call) => calls.usage[call]?.tokensIn ?? null),
    tokens_out: () => column((call) => calls.usage[call]?.tokensOut ?? null),
    tokens_cached: () => column((call) => calls.usage[call]?.tokensCached ?? null),
    cost: () => column((call) => calls.usage[call]?.cost ?? null),
    total_tokens: () => column((call) => totals.tokens[call]!),
    total_cost: () => column((call) => (Number.isNaN(totals.cost[call]) ? null : totals.cost[call]!)),
    feedback_count: () => column((call) => feedback.get(calls.ids[call]!) ?? 0),
    has_error_inside: () => column((call) => totals.errorsInside[call]! > 0),
  }
  return Object.entries(values) as [string, () => unknown][]
}

const positionOrNone = (texts: Dictionary, text: string | null): number => (text === null ? -1 : texts.at(text))

function kindOf({ shared, usage }: TraceCalls, { childCount }: TraceTree, call: number): CallKind {
  const { kind, operation, op } = shared[call]!
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
