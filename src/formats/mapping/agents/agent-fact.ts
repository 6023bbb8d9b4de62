import { sha256Hex } from '../../../runtime/platform/crypto.ts'
import type { LogEvent } from '../logs/log-event.ts'

/** Where an event stands in its session. */
interface Place {
  /** Session (conversation) of the agent. */
  readonly session: string
  /** Prompt that the event belongs to; undefined if only its time tells. */
  readonly prompt: string | undefined
  /** Microseconds since 1970 UTC. */
  readonly time: number
  /** Order of events of the same time. */
  readonly order: number
}

/** A prompt of the user: the start of a turn. */
export interface PromptFact extends Place {
  readonly kind: 'prompt'
  readonly text: string | undefined
  readonly attributes: Readonly<Record<string, unknown>>
}

/** A request to a model or a use of a tool, which has ended. */
export interface WorkFact extends Place {
  readonly kind: 'model' | 'tool'
  /** Identifies the work in its session; what else is known of it names it too. */
  readonly work: string
  readonly durationMs: number
  readonly source: string | undefined
  /** Shown instead of the op. */
  readonly name: string | undefined
  readonly inputs: Readonly<Record<string, unknown>> | undefined
  readonly output: unknown
  readonly usage: { readonly model: string; readonly tokens: Readonly<Record<string, number>> } | undefined
  readonly error: string | undefined
  /** The agent's own requests (titles of sessions, summaries) are not part of the conversation. */
  readonly isReply: boolean
  readonly attributes: Readonly<Record<string, unknown>>
}

/** What a model was asked and answered, sent apart from the request. */
export interface ContentFact extends Place {
  readonly kind: 'content'
  readonly work: string
  readonly inputs: Readonly<Record<string, unknown>> | undefined
  readonly output: unknown
}

/** The beginning of the next request to a model that has the same source. */
export interface BeginningFact extends Place {
  readonly kind: 'beginning'
  readonly source: string | undefined
  readonly inputs: Readonly<Record<string, unknown>> | undefined
  /** Microseconds since 1970 UTC. */
  readonly startedAt: number | undefined
}

/** What an event of a coding agent says about calls. */
export type AgentFact = PromptFact | WorkFact | ContentFact | BeginningFact

/** A coding agent whose events become calls. */
export interface Agent {
  readonly name: string
  /** Names of the events that say something about calls. */
  readonly events: readonly string[]
  /** Libraries of its spans. */
  readonly scopes: RegExp
  /** Names of ops. */
  readonly ops: { readonly turn: string; readonly model: string; readonly tool: string }
  /** Events name no prompt: those after a prompt, up to the next one, belong to it. */
  readonly hasTurnsByTime: boolean
  /** Which events are considered together: those of a session, or of a prompt in it. */
  readonly groupsBy: 'session' | 'prompt'
  /** Whether the event is one of the agent's, whatever it says. */
  owns(event: LogEvent): boolean
  /** Undefined for events that say nothing about calls. */
  factOf(event: LogEvent, nowMicros: number): AgentFact | undefined
}

/** Ids derive from what the agent names, so that an event that is sent again changes nothing. */
const idOf = (...parts: readonly string[]): string => sha256Hex(JSON.stringify(parts)).slice(0, 32)

export const turnIdOf = (agent: string, session: string, prompt: string): string => idOf(agent, 'turn', session, prompt)

export const workIdOf = (agent: string, session: string, work: string): string => idOf(agent, 'work', session, work)

export const traceIdOf = (rootId: string): string => idOf('trace', rootId)
