import { keysOf } from '../../../lib/present.ts'
import { braintrust } from './braintrust.ts'
import { claudeCode, codex, codexSessions, geminiCli } from './coding-agents.ts'
import type { AttributeMember, CallMember, Convention, Source, UsageMember } from './convention.ts'
import { genAi } from './gen-ai.ts'
import { genAiEvents, genAiLegacy } from './gen-ai-legacy.ts'
import { generic, openLit } from './generic.ts'
import { googleAdk } from './google-adk.ts'
import { haystack } from './haystack.ts'
import { langfuse } from './langfuse.ts'
import { langSmith } from './langsmith.ts'
import { mastra } from './mastra.ts'
import { mlflow } from './mlflow.ts'
import { openInference, openInferenceResponse } from './openinference.ts'
import { own } from './own.ts'
import { logfireAgents, pydanticAi } from './pydantic-ai.ts'
import { springAi } from './spring-ai.ts'
import { traceloop } from './traceloop.ts'
import { vercelAi } from './vercel-ai.ts'
import { weave } from './weave.ts'

const laterPayloads: readonly Convention[] = [
  pydanticAi,
  openLit,
  traceloop,
  googleAdk,
  genAiEvents,
  langfuse,
  mastra,
  braintrust,
  haystack,
  springAi,
  claudeCode,
  generic,
  logfireAgents,
]

/** Precedence for inputs if a span follows several conventions, first to last. */
const inputsOrder: readonly Convention[] = [
  vercelAi,
  genAiLegacy,
  openInference,
  mlflow,
  genAi,
  weave,
  ...laterPayloads,
]

/**
 * Precedence for output: the same, except that messages contain more than MLflow's version of them.
 */
const outputOrder: readonly Convention[] = [
  vercelAi,
  genAiLegacy,
  openInference,
  genAi,
  weave,
  mlflow,
  ...laterPayloads,
]

/** Precedence for everything else: the common convention first, then those that build on it. */
const otherOrder: readonly Convention[] = [
  own,
  genAi,
  weave,
  genAiLegacy,
  traceloop,
  openInference,
  openInferenceResponse,
  vercelAi,
  mlflow,
  pydanticAi,
  googleAdk,
  langfuse,
  langSmith,
  mastra,
  braintrust,
  haystack,
  springAi,
  claudeCode,
  codex,
  codexSessions,
  geminiCli,
  generic,
]

/**
 * Conventions whose conversation ids take precedence over the span's explicit thread; those of all
 * others come after it.
 */
const leadingConversations: ReadonlySet<Convention> = new Set([genAi, weave, googleAdk])

/** A name in a table, split at its dots. */
export interface AttributeName {
  readonly name: string
  readonly path: readonly string[]
  /** Text under this name is JSON. */
  readonly holdsJson: boolean
  /** A group under this name counts only with numbered members. */
  readonly isList: boolean
  /** Counts only beside attributes with this prefix. */
  readonly onlyWith: string | undefined
  /** A value that is no UUID does not count. */
  readonly isUuid: boolean
}

/** Events of a span; `attribute` is undefined to use all their attributes. */
interface EventPlace {
  readonly event: string
  readonly attribute: AttributeName | undefined
}

/** Events that are one message each. */
interface MessagesPlace {
  readonly messages: ReadonlySet<string>
}

/** An attribute with a list of events. */
interface RecordedPlace {
  readonly recorded: AttributeName
  readonly names: ReadonlySet<string>
  readonly isExcept: boolean
}

/** A source in a table. */
export type Place = AttributeName | EventPlace | MessagesPlace | RecordedPlace

/**
 * All conventions combined: for each member of a call, its possible names in a span in order of
 * precedence.
 */
export interface ConventionTables {
  readonly inputs: readonly Place[]
  readonly output: readonly Place[]
  readonly usage: ReadonlyMap<UsageMember, readonly AttributeName[]>
  readonly attributes: ReadonlyMap<AttributeMember, readonly AttributeName[]>
  readonly call: ReadonlyMap<CallMember, readonly AttributeName[]>
  readonly usageElsewhere: readonly AttributeName[]
  readonly leadingConversations: readonly AttributeName[]
  readonly otherConversations: readonly AttributeName[]
}

/** The tables with all names. See docs/decisions/033-spans-as-calls.md. */
export const conventionTables: ConventionTables = {
  inputs: inputsOrder.flatMap((one) => placesOf(one.inputs ?? [], one)),
  output: outputOrder.flatMap((one) => placesOf(one.output ?? [], one)),
  usage: merged<UsageMember>(({ usage }) => usage),
  attributes: merged<AttributeMember>(({ attributes }) => attributes),
  call: merged<CallMember>(({ call }) => call),
  usageElsewhere: otherOrder.flatMap((one) => attributeNames(one.usageElsewhere ?? [], one)),
  leadingConversations: conversationsOf((one) => leadingConversations.has(one)),
  otherConversations: conversationsOf((one) => !leadingConversations.has(one)),
}

function attributeNames(
  names: readonly string[],
  convention: Convention,
  { isList = false, isUuid = false } = {},
): AttributeName[] {
  const { valuesAreJson, onlyWith } = convention
  const holdsJson = valuesAreJson === true
  return names.map((name) => ({ name, path: name.split('.'), holdsJson, isList, onlyWith, isUuid }))
}

function placesOf(sources: readonly Source[], convention: Convention): Place[] {
  return sources.flatMap((source): Place[] => {
    if (typeof source === 'string') return attributeNames([source], convention)
    if ('list' in source) return attributeNames([source.list], convention, { isList: true })
    if ('messages' in source) return [{ messages: new Set(source.messages) }]
    if ('recorded' in source) {
      const names = new Set(source.names)
      return attributeNames([source.recorded], convention).map((recorded) => ({
        recorded,
        names,
        isExcept: source.isExcept,
      }))
    }
    const { event, attribute } = source
    return [{ event, attribute: attribute === undefined ? undefined : attributeNames([attribute], convention)[0] }]
  })
}

function conversationsOf(isWanted: (one: Convention) => boolean): readonly AttributeName[] {
  return otherOrder
    .filter(isWanted)
    .flatMap((one) => [
      ...attributeNames(one.conversation ?? [], one),
      ...attributeNames(one.conversationIfUuid ?? [], one, { isUuid: true }),
    ])
}

function merged<Member extends string>(
  tableOf: (one: Convention) => Readonly<Partial<Record<Member, readonly string[]>>> | undefined,
): ReadonlyMap<Member, readonly AttributeName[]> {
  const all = new Map<Member, AttributeName[]>()
  for (const one of otherOrder) {
    const table = tableOf(one)
    if (table === undefined) continue
    for (const member of keysOf(table)) {
      all.set(member, [...(all.get(member) ?? []), ...attributeNames(table[member] ?? [], one)])
    }
  }
  return all
}
