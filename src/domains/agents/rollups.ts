import { formatTime } from '../../lib/time.ts'
import { type AgentSpan, costOf, durationMs, levelsMax, parentOf, textOf } from './agent-span.ts'
import type { Agent } from './model/agents.ts'

type Statistics = Omit<Agent, 'project_id' | 'agent_name'>

/** Statistics of the agents that spans name, and of their versions. */
export interface Rollup extends Statistics {
  readonly agent_name: string
  readonly agent_version: string
}

interface Sum {
  readonly agent: string
  readonly version: string
  invocations: number
  spans: number
  errors: number
  input: number
  output: number
  cost: number | null
  invocationMs: number
  spanMs: number
  first: number
  last: number
}

/**
 * One row per agent, or per version of an agent. Tokens and costs of a span that names no agent are
 * those of the agent above it. @param byVersion whether to return a row per version
 */
export function rollUp(spans: readonly AgentSpan[], byVersion: boolean): Rollup[] {
  const byId = new Map(spans.map((span) => [`${span.traceId} ${span.id}`, span]))
  const sums = new Map<string, Sum>()
  for (const span of spans) {
    const above = agentAbove(span, byId)
    if (above === undefined) continue
    const { agent, named } = above
    const version = byVersion ? (textOf(named.attributes['agent_version']) ?? '') : ''
    const key = JSON.stringify([agent, version])
    const sum = sums.get(key) ?? newSum(agent, version)
    sums.set(key, sum)
    if (named === span) addSpan(sum, span)
    if (span.countsUsage) addUsage(sum, span)
  }
  return [...sums.values()].map(rollupOf)
}

const agentOf = ({ attributes }: AgentSpan): string | null => textOf(attributes['agent_name'])

/** The agent that names the span itself, or the nearest one above it, and that span. */
function agentAbove(
  span: AgentSpan,
  byId: ReadonlyMap<string, AgentSpan>,
): { agent: string; named: AgentSpan } | undefined {
  let above: AgentSpan | undefined = span
  for (let levels = 0; above !== undefined && levels < levelsMax; levels++) {
    const agent = agentOf(above)
    if (agent !== null) return { agent, named: above }
    above = parentOf(above, byId)
  }
  return undefined
}

const newSum = (agent: string, version: string): Sum => ({
  agent,
  version,
  invocations: 0,
  spans: 0,
  errors: 0,
  input: 0,
  output: 0,
  cost: null,
  invocationMs: 0,
  spanMs: 0,
  first: Number.POSITIVE_INFINITY,
  last: Number.NEGATIVE_INFINITY,
})

function addSpan(sum: Sum, span: AgentSpan): void {
  const ms = durationMs(span)
  sum.spans++
  sum.spanMs += ms
  if (span.kind === 'agent') {
    sum.invocations++
    sum.invocationMs += ms
  }
  if (span.status === 'ERROR') sum.errors++
  sum.first = Math.min(sum.first, span.startedAt)
  sum.last = Math.max(sum.last, span.startedAt)
}

function addUsage(sum: Sum, { usage }: AgentSpan): void {
  sum.input += usage?.input ?? 0
  sum.output += usage?.output ?? 0
  const cost = costOf(usage)
  if (cost !== null) sum.cost = (sum.cost ?? 0) + cost
}

const rollupOf = (sum: Sum): Rollup => ({
  agent_name: sum.agent,
  agent_version: sum.version,
  invocation_count: sum.invocations,
  span_count: sum.spans,
  error_count: sum.errors,
  total_input_tokens: sum.input,
  total_output_tokens: sum.output,
  total_duration_ms: sum.invocations > 0 ? sum.invocationMs : sum.spanMs,
  total_cost_usd: sum.cost,
  first_seen: Number.isFinite(sum.first) ? formatTime(sum.first) : null,
  last_seen: Number.isFinite(sum.last) ? formatTime(sum.last) : null,
})
