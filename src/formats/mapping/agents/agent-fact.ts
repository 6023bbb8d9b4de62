import { isJsonObject } from '../../../lib/json-value.ts'
import { parseTime } from '../../../lib/time.ts'
import { sha256Hex } from '../../../runtime/platform/crypto.ts'
import { numberIn, textIn, valueIn } from '../logs/attribute-values.ts'
import type { LogEvent } from '../logs/log-event.ts'
import { threadNameOf } from '../spans/span-attributes.ts'

/** When an event happened: as its attribute says, else its record. Microseconds. */
export function eventTime(event: LogEvent, nowMicros: number): number {
  const text = textIn(event.attributes, 'event.timestamp')
  return (text === undefined ? undefined : parseTime(text)) ?? event.time ?? nowMicros
}

/** The session that an attribute names, as threads are named. */
export function sessionOf(event: LogEvent, attribute: string): string | undefined {
  const name = textIn(event.attributes, attribute)
  return name === undefined ? undefined : threadNameOf(name)
}

/** The attributes that are there, under other names. */
export function attributesOf(
  event: LogEvent,
  names: Readonly<Record<string, string>>,
): Readonly<Record<string, unknown>> {
  const found: Record<string, unknown> = {}
  for (const [name, attribute] of Object.entries(names)) {
    const value = valueIn(event.attributes, attribute)
    if (value !== undefined && value !== '') found[name] = value
  }
  const version = textIn(event.group.resource, 'service.version') ?? textIn(event.attributes, 'app.version')
  return version === undefined ? found : { ...found, agent_version: version }
}

/** Counts that are there, under other names. */
export function countsOf(event: LogEvent, names: Readonly<Record<string, string>>): Record<string, number> {
  const found: Record<string, number> = {}
  for (const [name, attribute] of Object.entries(names)) {
    const count = numberIn(event.attributes, attribute)
    if (count !== undefined && count >= 0) found[name] = count
  }
  return found
}

/** An object, as it is or wrapped: what tools are called with. */
export function inputsOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (value === undefined || value === null || value === '') return undefined
  return isJsonObject(value) ? value : { input: value }
}

/** Position of an event in its session. */
interface Place {
  /** Session (conversation) of the agent. */
  readonly session: string
  /** Prompt that the event belongs to; undefined if it follows only from the time. */
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

/** Input and output of a model, sent separately from the request. */
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

/** Facts about calls in an event of a coding agent. */
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
