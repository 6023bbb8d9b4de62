import type { Convention, Source } from './convention.ts'
import { genAi } from './gen-ai.ts'

const renamed = (name: string): string[] => (name.startsWith('gen_ai.') ? [name.replace('gen_ai.', 'weave.')] : [])

const renamedAll = <Names extends Readonly<Record<string, readonly string[]>>>(table: Names): Names =>
  Object.fromEntries(Object.entries(table).map(([member, names]) => [member, names.flatMap(renamed)])) as never

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
