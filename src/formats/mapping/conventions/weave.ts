import { keysOf } from '../../../lib/present.ts'
import type { Convention, Source } from './convention.ts'
import { genAi } from './gen-ai.ts'

const renamed = (name: string): string[] => (name.startsWith('gen_ai.') ? [name.replace('gen_ai.', 'weave.')] : [])

type NamesOf<Member extends string> = Readonly<Partial<Record<Member, readonly string[]>>>

function renamedAll<Member extends string>(table: NamesOf<Member>): NamesOf<Member> {
  const all: Partial<Record<Member, readonly string[]>> = {}
  for (const member of keysOf(table)) all[member] = (table[member] ?? []).flatMap(renamed)
  return all
}

const renamedSources = (sources: readonly Source[] = []): string[] =>
  sources.flatMap((source) => (typeof source === 'string' ? renamed(source) : []))

/** The vendor's own prefix for the names of the GenAI semantic conventions. */
export const weave: Convention = {
  inputs: renamedSources(genAi.inputs),
  output: renamedSources(genAi.output),
  usage: renamedAll(genAi.usage ?? {}),
  attributes: renamedAll(genAi.attributes ?? {}),
  conversation: (genAi.conversation ?? []).flatMap(renamed),
}
