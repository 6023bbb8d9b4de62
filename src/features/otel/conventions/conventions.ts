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

/** Whose inputs count where a span follows several conventions, first to last. */
const inputsOrder: readonly Convention[] = [vercelAi, genAiLegacy, openInference, mlflow, genAi, ...laterPayloads]

/** Whose output counts: the same, but messages say more than what MLflow has made of them. */
const outputOrder: readonly Convention[] = [vercelAi, genAiLegacy, openInference, genAi, mlflow, ...laterPayloads]

/** The same for everything else: the common convention knows best, then what builds on it. */
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

/** Whose ids of conversations count before the thread that a span names itself; those of all others count after it. */
const leadingConversations: ReadonlySet<Convention> = new Set([genAi, googleAdk])

/** A name of a table, cut at its dots. */
export interface AttributeName {
  readonly name: string
  readonly path: readonly string[]
  /** A text under this name is JSON. */
  readonly holdsJson: boolean
  /** A group under this name counts only with numbered members. */
  readonly isList: boolean
}

/** A source of a table; `attribute` is undefined where all attributes of the events are meant. */
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

/** All conventions put together: for each thing that a call has, the names it may have in a span, in the order in which they are tried. */
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
