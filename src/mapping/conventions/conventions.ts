import type { AttributeMember, CallMember, Convention, Source, UsageMember } from './convention.ts'
import { genAi } from './gen-ai.ts'
import { genAiEvents, genAiLegacy } from './gen-ai-legacy.ts'
import { generic, openLit } from './generic.ts'
import { googleAdk } from './google-adk.ts'
import { langfuse } from './langfuse.ts'
import { mlflow } from './mlflow.ts'
import { openInference } from './openinference.ts'
import { own } from './own.ts'
import { pydanticAi } from './pydantic-ai.ts'
import { traceloop } from './traceloop.ts'
import { vercelAi } from './vercel-ai.ts'

const laterPayloads: readonly Convention[] = [pydanticAi, openLit, traceloop, googleAdk, genAiEvents, langfuse, generic]

/** Precedence for inputs if a span follows several conventions, first to last. */
const inputsOrder: readonly Convention[] = [vercelAi, genAiLegacy, openInference, mlflow, genAi, ...laterPayloads]

/**
 * Precedence for output: the same, except that messages contain more than MLflow's version of them.
 */
const outputOrder: readonly Convention[] = [vercelAi, genAiLegacy, openInference, genAi, mlflow, ...laterPayloads]

/** Precedence for everything else: the common convention first, then those that build on it. */
const otherOrder: readonly Convention[] = [
  own,
  genAi,
  genAiLegacy,
  traceloop,
  openInference,
  vercelAi,
  mlflow,
  pydanticAi,
  googleAdk,
  langfuse,
  generic,
]

/**
 * Conventions whose conversation ids take precedence over the span's explicit thread; those of all
 * others come after it.
 */
const leadingConversations: ReadonlySet<Convention> = new Set([genAi, googleAdk])

/** A name in a table, split at its dots. */
export interface AttributeName {
  readonly name: string
  readonly path: readonly string[]
  /** Text under this name is JSON. */
  readonly holdsJson: boolean
  /** A group under this name counts only with numbered members. */
  readonly isList: boolean
}

/** A source in a table; `attribute` is undefined to use all attributes of the events. */
export type Place = AttributeName | { readonly event: string; readonly attribute: AttributeName | undefined }

const attributeNames = (names: readonly string[], { valuesAreJson }: Convention, isList = false): AttributeName[] =>
  names.map((name) => ({ name, path: name.split('.'), holdsJson: valuesAreJson === true, isList }))

const placesOf = (sources: readonly Source[], convention: Convention): Place[] =>
  sources.flatMap((source): Place[] => {
    if (typeof source === 'string') return attributeNames([source], convention)
    if ('list' in source) return attributeNames([source.list], convention, true)
    const { event, attribute } = source
    return [{ event, attribute: attribute === undefined ? undefined : attributeNames([attribute], convention)[0] }]
  })

/**
 * All conventions combined: for each member of a call, its possible names in a span in order of
 * precedence.
 */
export const conventionTables = {
  inputs: inputsOrder.flatMap((one) => placesOf(one.inputs ?? [], one)) as readonly Place[],
  output: outputOrder.flatMap((one) => placesOf(one.output ?? [], one)) as readonly Place[],
  usage: merged<UsageMember>(({ usage }) => usage),
  attributes: merged<AttributeMember>(({ attributes }) => attributes),
  call: merged<CallMember>(({ call }) => call),
  leadingConversations: conversationsOf((one) => leadingConversations.has(one)),
  otherConversations: conversationsOf((one) => !leadingConversations.has(one)),
}

function conversationsOf(isWanted: (one: Convention) => boolean): readonly AttributeName[] {
  return otherOrder.filter(isWanted).flatMap((one) => attributeNames(one.conversation ?? [], one))
}

function merged<Member extends string>(
  tableOf: (one: Convention) => Readonly<Partial<Record<Member, readonly string[]>>> | undefined,
): ReadonlyMap<Member, readonly AttributeName[]> {
  const all = new Map<Member, AttributeName[]>()
  for (const one of otherOrder) {
    for (const [member, names] of Object.entries(tableOf(one) ?? {}) as [Member, readonly string[]][]) {
      all.set(member, [...(all.get(member) ?? []), ...attributeNames(names, one)])
    }
  }
  return all
}
