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

/** Whose inputs and outputs count where a span follows several conventions, first to last. */
const payloadOrder: readonly Convention[] = [
  vercelAi,
  genAiLegacy,
  openInference,
  mlflow,
  genAi,
  pydanticAi,
  openLit,
  traceloop,
  googleAdk,
  genAiEvents,
  langfuse,
  generic,
]

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

/** A name of a table, cut at its dots. */
export interface AttributeName {
  readonly name: string
  readonly path: readonly string[]
}

/** A source of a table; `attribute` is undefined where all attributes of the events are meant. */
export type Place = AttributeName | { readonly event: string; readonly attribute: AttributeName | undefined }

const attributeName = (name: string): AttributeName => ({ name, path: name.split('.') })

function placeOf(source: Source): Place {
  if (typeof source === 'string') return attributeName(source)
  const { event, attribute } = source
  return { event, attribute: attribute === undefined ? undefined : attributeName(attribute) }
}

/** All conventions put together: for each thing that a call has, the names it may have in a span, in the order in which they are tried. */
export const conventionTables = {
  inputs: payloadOrder.flatMap(({ inputs = [] }) => inputs).map(placeOf) as readonly Place[],
  output: payloadOrder.flatMap(({ output = [] }) => output).map(placeOf) as readonly Place[],
  usage: merged<UsageMember>(otherOrder.map(({ usage = {} }) => usage)),
  attributes: merged<AttributeMember>(otherOrder.map(({ attributes = {} }) => attributes)),
  call: merged<CallMember>(otherOrder.map(({ call = {} }) => call)),
  conversation: otherOrder
    .flatMap(({ conversation = [] }) => conversation)
    .map(attributeName) as readonly AttributeName[],
}

function merged<Member extends string>(
  tables: readonly Readonly<Partial<Record<Member, readonly string[]>>>[],
): ReadonlyMap<Member, readonly AttributeName[]> {
  const all = new Map<Member, AttributeName[]>()
  for (const table of tables) {
    for (const [member, names] of Object.entries(table) as [Member, readonly string[]][]) {
      all.set(member, [...(all.get(member) ?? []), ...names.map(attributeName)])
    }
  }
  return all
}
