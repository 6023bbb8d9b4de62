import type { CallRecord } from '../conformance/support/call-shapes.ts'
import type { Project } from '../conformance/support/project.ts'

/** What a session has become, in figures and as a tree. */
export interface SessionFigures {
  readonly lines: readonly string[]
  /** What its calls tell, of the columns of the table of sources. */
  readonly told: readonly string[]
  readonly turns: number
  /** Requests to models and uses of tools below the turns. */
  readonly models: number
  readonly tools: number
  readonly withoutCost: number
  /** Calls made of spans that have usage. */
  readonly usageOfSpans: number
}

/** Reads the calls of a project with one session. */
export async function sessionOf(project: Project): Promise<SessionFigures> {
  const calls = await project.query({ include_costs: true })
  const turns = calls.filter(({ id, turn_id }) => id === turn_id)
  const below = calls.filter(({ parent_id }) => turns.some(({ id }) => id === parent_id))
  const models = below.filter((call) => usageOf(call).length > 0)
  const ofEvents = calls.filter((call) => !isOfSpan(call))
  return {
    lines: linesBelow(ofEvents, null, '  '),
    told: toldBy(ofEvents),
    turns: turns.length,
    models: models.length,
    tools: below.filter(({ attributes }) => attributes['kind'] === 'tool').length,
    withoutCost: models.filter((call) => !(costOf(call) > 0)).length,
    usageOfSpans: calls.filter((call) => isOfSpan(call) && usageOf(call).length > 0).length,
  }
}

function toldBy(calls: readonly CallRecord[]): string[] {
  const usage = calls.flatMap(usageOf)
  const has = {
    inputs: calls.some(({ inputs }) => Object.keys(inputs).length > 0),
    output: calls.some((call) => call.output !== null && usageOf(call).length > 0),
    model: usage.some(([model]) => model !== 'unknown'),
    usage: usage.length > 0,
    'cached usage': usage.some(([, tokens]) => (tokens['cache_read_input_tokens'] ?? 0) > 0),
    cost: calls.some((call) => costOf(call) > 0),
    kind: calls.every(({ attributes }) => typeof attributes['kind'] === 'string'),
    thread: calls.every(({ thread_id }) => thread_id !== null),
    user: calls.some(({ attributes }) => Object.hasOwn(attributes, 'user_id') || Object.hasOwn(attributes, 'user')),
  }
  return Object.entries(has).flatMap(([column, isTold]) => (isTold ? [column] : []))
}

function linesBelow(calls: readonly CallRecord[], parentId: string | null, indent: string): string[] {
  return calls
    .filter(({ parent_id }) => parent_id === parentId)
    .flatMap((call) => [indent + lineOf(call), ...linesBelow(calls, call.id, `${indent}  `)])
}

function lineOf(call: CallRecord): string {
  const name = call.display_name ?? call.op_name.replace(/^.*\/op\/([^:]*):.*$/, '$1')
  const usage = usageOf(call).map(
    ([model, tokens]) =>
      `${model}: ${tokens['input_tokens']} in (${tokens['cache_read_input_tokens'] ?? 0} cached), ` +
      `${tokens['output_tokens']} out, $${costOf(call).toFixed(6)}`,
  )
  return [name, ...usage].join('  ')
}

type Counts = Readonly<Record<string, number>>

const usageOf = ({ summary }: CallRecord): [string, Counts][] =>
  Object.entries((summary as { usage?: Record<string, Counts> } | null)?.usage ?? {})

const isOfSpan = ({ attributes }: CallRecord): boolean => Object.hasOwn(attributes, 'otel_span')

function costOf({ summary }: CallRecord): number {
  const own = (summary as { ext?: { costs?: Record<string, Counts> } } | null)?.ext
  const figures = Object.values(own?.costs ?? {}).flatMap((costs) => Object.entries(costs))
  return figures.reduce((sum, [name, value]) => (name.endsWith('_total_cost') ? sum + value : sum), 0)
}
