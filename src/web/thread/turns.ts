import { itemAt } from '../../lib/present.ts'

/** A call of a thread without its payloads, with usage and costs. */
export interface ThreadCall {
  readonly id: string
  readonly trace_id: string
  readonly parent_id?: string | null
  readonly turn_id?: string | null
  readonly op_name: string
  readonly display_name?: string | null
  readonly started_at: string
  readonly ended_at?: string | null
  readonly exception?: string | null
  readonly summary?: ThreadCallSummary
}

interface ThreadCallSummary {
  readonly usage?: Readonly<Record<string, Readonly<Record<string, unknown>> | null>>
  readonly ext?: {
    readonly status?: string
    readonly latency_ms?: number | null
    readonly costs?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  }
}

const levelsMax = 50

/** One exchange of a conversation: user message, tool calls, response. */
export interface Turn {
  readonly id: string
  /** From 1. */
  readonly number: number
  readonly traceId: string
  /** Call to open for it. */
  readonly callId: string
  /** Call whose messages are those of the turn; undefined if it has to be found in the trace. */
  readonly messagesId: string | undefined
  readonly startedAt: number
  readonly isRunning: boolean
  /** Milliseconds. */
  readonly latency: number
  readonly modelMs: number
  readonly toolMs: number
  readonly tools: number
  readonly tokens: number
  /** NaN if no price is known. */
  readonly cost: number
  readonly errors: number
  /** What ended the turn, if it has no answer; null for none. */
  readonly failure: string | null
}

/**
 * Puts the calls of a thread into turns: by their turn id, else by that of the next call above that
 * has one, and where a trace has none, as a turn of its own. What is above the turns of a trace is
 * in none.
 */
export function turnsOf(calls: readonly ThreadCall[], now: number): Turn[] {
  const withTurns = new Set(calls.filter(({ turn_id }) => turn_id).map(({ trace_id }) => trace_id))
  const groups = new Map<string, ThreadCall[]>()
  const byId = new Map(calls.map((call) => [call.id, call]))
  for (const call of calls) {
    const turnId = turnIdOf(call, byId)
    if (turnId === undefined && withTurns.has(call.trace_id)) continue
    const key = turnId ?? call.trace_id
    const group = groups.get(key)
    if (group) group.push(call)
    else groups.set(key, [call])
  }
  const turns = [...groups].map(([id, group]) => turnOf(id, group, now))
  return turns.sort((a, b) => a.startedAt - b.startedAt).map((turn, index) => ({ ...turn, number: index + 1 }))
}

/** Clients may state the turn of its first call alone. */
function turnIdOf(call: ThreadCall, byId: ReadonlyMap<string, ThreadCall>): string | undefined {
  let each: ThreadCall | undefined = call
  // Clients choose the ids, so parents may form a ring.
  for (let level = 0; each && level < levelsMax; level++) {
    if (each.turn_id) return each.turn_id
    each = byId.get(each.parent_id ?? '')
  }
  return undefined
}

function turnOf(id: string, calls: readonly ThreadCall[], now: number): Turn {
  const parents = new Set(calls.map(({ parent_id }) => parent_id))
  const leaves = calls.filter((call) => !parents.has(call.id))
  const models = leaves.filter(hasUsage)
  const counting = callsThatCount(calls)
  // A single call without usage is an agent whose inside has no thread id.
  const tools = leaves.filter((call) => !hasUsage(call) && (calls.length > 1 || call.parent_id))
  const startedAt = Math.min(...calls.map(({ started_at }) => Date.parse(started_at)))
  const endedAt = Math.max(...calls.map((call) => endOf(call, now)))
  const top = calls.find((call) => call.id === id) ?? itemAt(calls, 0)
  return {
    id,
    number: 0,
    traceId: top.trace_id,
    callId: top.id,
    messagesId: (models.findLast((call) => !isCheck(call, calls)) ?? models.at(-1))?.id,
    startedAt,
    isRunning: calls.some(({ ended_at }) => !ended_at),
    latency: endedAt - startedAt,
    modelMs: sum(models, latencyOf),
    toolMs: sum(tools, latencyOf),
    tools: tools.length,
    tokens: sum(counting, (call) => sum(Object.values(call.summary?.usage ?? {}), tokensOf)),
    cost: costOf(counting),
    errors: calls.filter(({ summary, exception }) => exception || summary?.ext?.status === 'error').length,
    failure: top.exception ?? null,
  }
}

/** Ops that look at an answer instead of giving one. */
const checkPattern = /guard|moderat|judge|scorer|safety/i

/** Whether a call belongs to a check of the answer: a guardrail asks a model, too. */
function isCheck(call: ThreadCall, calls: readonly ThreadCall[]): boolean {
  let each: ThreadCall | undefined = call
  // Clients choose the ids, so parents may form a ring.
  for (let level = 0; each && level < levelsMax; level++) {
    if (checkPattern.test(each.op_name)) return true
    const parentId: string | null | undefined = each.parent_id
    each = calls.find(({ id }) => id === parentId)
  }
  return false
}

/** Calls without those that state what calls below them state, too. */
function callsThatCount(calls: readonly ThreadCall[]): ThreadCall[] {
  const byId = new Map(calls.map((call) => [call.id, call]))
  const above = new Set<string>()
  for (const call of calls.filter(statesUsage)) {
    let parentId = call.parent_id
    // Also ends where clients made a ring of parents.
    while (parentId && !above.has(parentId)) {
      above.add(parentId)
      parentId = byId.get(parentId)?.parent_id
    }
  }
  return calls.filter(({ id }) => !above.has(id))
}

const hasUsage = ({ summary }: ThreadCall): boolean => Object.keys(summary?.usage ?? {}).length > 0

/** Zeros state nothing. */
const statesUsage = ({ summary }: ThreadCall): boolean =>
  Object.values(summary?.usage ?? {}).some((usage) => tokensOf(usage) > 0)

const latencyOf = ({ summary }: ThreadCall): number => summary?.ext?.latency_ms ?? 0

const endOf = ({ ended_at, started_at }: ThreadCall, now: number): number =>
  ended_at ? Date.parse(ended_at) : Math.max(now, Date.parse(started_at))

function tokensOf(usage: Readonly<Record<string, unknown>> | null): number {
  const total = usage?.['total_tokens']
  if (typeof total === 'number') return total
  return ['prompt_tokens', 'input_tokens', 'completion_tokens', 'output_tokens'].reduce((tokens, name) => {
    const value = usage?.[name]
    return tokens + (typeof value === 'number' ? value : 0)
  }, 0)
}

function costOf(calls: readonly ThreadCall[]): number {
  let total = Number.NaN
  for (const { summary } of calls) {
    for (const cost of Object.values(summary?.ext?.costs ?? {})) {
      for (const [name, value] of Object.entries(cost)) {
        if (name.endsWith('_total_cost') && typeof value === 'number') total = (total || 0) + value
      }
    }
  }
  return total
}

const sum = <Item>(items: readonly Item[], of: (item: Item) => number): number =>
  items.reduce((total, item) => total + of(item), 0)
