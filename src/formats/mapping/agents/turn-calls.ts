import type { CompletedCall, StartedCall } from '../../schemas/calls.ts'
import {
  type Agent,
  type AgentFact,
  type BeginningFact,
  type ContentFact,
  type PromptFact,
  traceIdOf,
  turnIdOf,
  type WorkFact,
  workIdOf,
} from './agent-fact.ts'

/** A call without its project. Inputs that are undefined are not known, or written already. */
export type AgentCall = Opened<StartedCall> | Opened<CompletedCall>

type Opened<C extends { inputs: unknown }> = Omit<C, 'project_id' | 'inputs'> & {
  readonly inputs?: C['inputs'] | undefined
}

/** A prompt and the work that it caused. */
interface Turn {
  readonly id: string
  readonly prompt: PromptFact | undefined
  readonly works: WorkFact[]
}

/**
 * The calls described by the events of a session (or of one of its prompts): a call for each prompt
 * (the turn), and below it one for each request to a model and each use of a tool. The order in
 * which the events arrived does not matter. See docs/decisions/091-coding-agents.md.
 */
export function turnCalls(agent: Agent, facts: Iterable<AgentFact>): AgentCall[] {
  const sorted = [...facts].sort((a, b) => a.time - b.time || a.order - b.order)
  const contents = new Map<string, ContentFact[]>()
  for (const fact of sorted)
    if (fact.kind === 'content') contents.set(fact.work, [...(contents.get(fact.work) ?? []), fact])
  const turns = new Map<string, Turn>()
  const calls: AgentCall[] = []
  const beginnings = beginningsOf(sorted)
  let last: string | undefined
  for (const fact of sorted) {
    if (fact.kind === 'prompt') {
      last = promptOf(agent, fact) ?? ''
      const turn = turnIn(turns, agent, fact, last)
      turns.set(last, { ...turn, prompt: turn.prompt ?? fact })
    }
    if (fact.kind !== 'model' && fact.kind !== 'tool') continue
    const prompt = agent.hasTurnsByTime ? last : fact.prompt
    const turn = prompt === undefined ? undefined : turnIn(turns, agent, fact, prompt)
    turn?.works.push(fact)
    calls.push(
      workCall(agent, fact, { turn, beginning: beginnings.get(fact), contents: contents.get(fact.work) ?? [] }),
    )
  }
  return [...[...turns.values()].map((turn) => turnCall(agent, turn, contents)), ...calls]
}

/** The turn and the call that an event belongs to, as far as it says so itself. */
export function callsOf(
  agent: Agent,
  fact: AgentFact,
): { readonly turnId: string | null; readonly callId: string | null } {
  const prompt = promptOf(agent, fact)
  const turnId = prompt === undefined ? null : turnIdOf(agent.name, fact.session, prompt)
  return { turnId, callId: 'work' in fact ? workIdOf(agent.name, fact.session, fact.work) : turnId }
}

/** Identity of a prompt in its session. */
const promptOf = (agent: Agent, fact: AgentFact): string | undefined =>
  agent.hasTurnsByTime ? (fact.kind === 'prompt' ? String(fact.time) : undefined) : fact.prompt

function turnIn(turns: Map<string, Turn>, agent: Agent, { session }: AgentFact, prompt: string | undefined): Turn {
  const key = prompt ?? ''
  const turn = turns.get(key) ?? { id: turnIdOf(agent.name, session, key), prompt: undefined, works: [] }
  turns.set(key, turn)
  return turn
}

/** Gives each beginning to the next request from its source. */
function beginningsOf(sorted: readonly AgentFact[]): Map<WorkFact, BeginningFact> {
  const open = new Map<string, BeginningFact>()
  const found = new Map<WorkFact, BeginningFact>()
  for (const fact of sorted) {
    if (fact.kind === 'beginning') open.set(fact.source ?? '', fact)
    if (fact.kind !== 'model') continue
    const beginning = open.get(fact.source ?? '')
    if (beginning !== undefined) found.set(fact, beginning)
    open.delete(fact.source ?? '')
  }
  return found
}

interface WorkContext {
  readonly turn: Turn | undefined
  readonly beginning: BeginningFact | undefined
  readonly contents: readonly ContentFact[]
}

const startOf = ({ time, durationMs }: WorkFact, beginning?: BeginningFact): number =>
  Math.min(time, beginning?.startedAt ?? Math.round(time - Math.max(0, durationMs) * 1000))

function workCall(agent: Agent, fact: WorkFact, { turn, beginning, contents }: WorkContext): AgentCall {
  const id = workIdOf(agent.name, fact.session, fact.work)
  const inputs = fact.inputs ?? contents.findLast(({ inputs: given }) => given !== undefined)?.inputs
  return {
    id,
    trace_id: traceIdOf(turn?.id ?? id),
    parent_id: turn?.id ?? null,
    op_name: agent.ops[fact.kind],
    display_name: fact.name?.slice(0, 128) || null,
    thread_id: fact.session,
    turn_id: turn?.id ?? null,
    started_at: startOf(fact, beginning) / 1e6,
    ended_at: fact.time / 1e6,
    exception: fact.error ?? null,
    attributes: { agent_name: agent.name, ...fact.attributes },
    inputs: inputs ?? beginning?.inputs,
    output: fact.output ?? outputOf(contents),
    summary: fact.usage === undefined ? {} : { usage: { [fact.usage.model]: fact.usage.tokens } },
  }
}

const outputOf = (contents: readonly ContentFact[]): unknown =>
  contents.findLast(({ output }) => output !== undefined)?.output

/** A turn without work is still running; it ends with its last work so far. */
function turnCall(agent: Agent, turn: Turn, contents: ReadonlyMap<string, readonly ContentFact[]>): AgentCall {
  const { id, prompt, works } = turn
  const any = prompt ?? works[0]!
  const startedAt = Math.min(
    ...[prompt?.time, ...works.map((work) => startOf(work))].filter((time) => time !== undefined),
  )
  const start = {
    id,
    trace_id: traceIdOf(id),
    parent_id: null,
    op_name: agent.ops.turn,
    thread_id: any.session,
    turn_id: id,
    started_at: startedAt / 1e6,
    attributes: { kind: 'agent', agent_name: agent.name, ...prompt?.attributes },
    ...(prompt?.text !== undefined && { inputs: { messages: [{ role: 'user', content: prompt.text }] } }),
  }
  if (works.length === 0) return start
  const replies = works.filter(({ kind, isReply }) => kind === 'model' && isReply)
  const reply = replies.map(({ work }) => outputOf(contents.get(work) ?? [])).findLast((output) => output !== undefined)
  return {
    ...start,
    ended_at: Math.max(...works.map(({ time }) => time)) / 1e6,
    exception: null,
    output: reply,
    summary: {},
  }
}
