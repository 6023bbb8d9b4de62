import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { frameworks } from '../cases/frameworks.ts'
import { genAi } from '../cases/gen-ai.ts'
import { products } from '../cases/products.ts'
import { standards } from '../cases/standards.ts'
import type { SpanFixture } from './told.ts'

/** Spans of each source by its name. */
export type Sources = ReadonlyMap<string, readonly SpanFixture[]>

/** Cases that are about no framework. */
const others: ReadonlySet<string> = new Set(['no convention'])

/** Names of the same source in other cases. */
const names: Readonly<Record<string, string>> = {
  'the AI SDK': 'Vercel AI SDK',
  Traceloop: 'OpenLLMetry',
  'the newest GenAI semantic conventions': 'GenAI semantic conventions',
}

/** Cases of `users, tags and metadata` belong to a framework each. */
const ofUsers = 'users, tags and metadata'

/** The spans of the test cases. */
export function caseSources(): Sources {
  const found = new Map<string, SpanFixture[]>()
  const add = (source: string, fixture: SpanFixture) => {
    const name = names[source] ?? source
    found.set(name, [...(found.get(name) ?? []), fixture])
  }
  for (const cases of [standards, genAi, products, frameworks]) {
    for (const [source, table] of Object.entries(cases)) {
      for (const [title, { span, attributes = {}, events = [] }] of Object.entries(table)) {
        const fixture = { ...(span !== undefined && { name: span }), attributes: Object.entries(attributes), events }
        if (source === ofUsers) add(title, fixture)
        else if (!others.has(source)) add(source, fixture)
      }
    }
  }
  return found
}

interface TraceFile {
  observations: { name: string; metadata: unknown }[]
}

/**
 * The spans in a folder of traces as Langfuse exports them (`*.trace.json`), which keep the
 * attributes of the spans they were made of, without those it took inputs and output from.
 */
export function traceSources(folder: string): Sources {
  const found = new Map<string, SpanFixture[]>()
  for (const file of readdirSync(folder)
    .filter((name) => name.endsWith('.trace.json'))
    .sort()) {
    const { observations } = JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as TraceFile
    const fixtures = observations.flatMap(({ name, metadata }) => {
      const members = (typeof metadata === 'string' ? JSON.parse(metadata) : metadata) as { attributes?: object } | null
      return members?.attributes === undefined ? [] : [{ name, attributes: Object.entries(members.attributes) }]
    })
    if (fixtures.length > 0) found.set(file.replace('.trace.json', ''), fixtures)
  }
  return found
}
