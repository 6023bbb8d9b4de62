import type { CallDraft } from '../../conformance/support/call-shapes.ts'
import { Project } from '../../conformance/support/project.ts'
import { sharedInRun } from './run-wide.ts'
import { sharedWorld } from './world.ts'

type Draft = CallDraft & { id: string }

/** A project of large things, on the server that all tests share. */
export const large = {
  projectId: 'acme/large',
  /** A trace of 10,000 calls. */
  wideTraceId: 'wide',
  wideCalls: 10_000,
  /** A trace that is 200 calls deep. */
  deepTraceId: 'deep',
  depth: 200,
  /** Traces of one call each, whose inputs are about so many characters of JSON. */
  payloads: { megabyte: 1_000_000, twentyMegabytes: 20_000_000 },
  /** A member of every object in the payloads. */
  payloadMember: 'payload_member',
} as const

const startedMs = Date.UTC(2026, 0, 5, 9)
const at = (ms: number): string => new Date(startedMs + ms).toISOString()
const batchSize = 1_000

/** Stores the project, once in a run. */
export const largeProject = (): Promise<AsyncDisposable> =>
  sharedInRun('large project', async () => {
    const { server } = await sharedWorld()
    const project = new Project(server.client, 'acme', 'large')
    const calls = [...wideTrace(), ...deepTrace()]
    for (let from = 0; from < calls.length; from += batchSize)
      await project.complete(...calls.slice(from, from + batchSize))
    for (const [id, characters] of Object.entries(large.payloads))
      await project.complete({
        id,
        trace_id: id,
        op_name: 'read',
        started_at: at(0),
        ended_at: at(5),
        inputs: payload(characters),
      })
    return { [Symbol.asyncDispose]: async () => {} }
  })

/** 100 agents of 99 calls each, every 500th of which fails. */
function* wideTrace(): Generator<Draft> {
  const kinds = ['openai.chat.completions.create', 'tool.search', 'retrieve', 'format']
  const shared = { trace_id: large.wideTraceId }
  yield { ...shared, id: 'wide-root', op_name: 'crawl', started_at: at(0), ended_at: at(100_000) }
  for (let agent = 0, made = 1; agent < 100; agent++) {
    const parent_id = `wide-${agent}`
    yield {
      ...shared,
      id: parent_id,
      parent_id: 'wide-root',
      op_name: 'agent',
      started_at: at(agent * 1000),
      ended_at: at(agent * 1000 + 999),
    }
    made++
    for (let step = 0; step < 99 && made < large.wideCalls; step++, made++) {
      const begin = agent * 1000 + step * 10
      yield {
        ...shared,
        id: `wide-${agent}-${step}`,
        parent_id,
        op_name: kinds[step % kinds.length]!,
        started_at: at(begin),
        ended_at: at(begin + 9),
        ...(made % 500 === 0 && { exception: 'TimeoutError: no answer' }),
      }
    }
  }
}

function* deepTrace(): Generator<Draft> {
  for (let level = 0; level < large.depth; level++)
    yield {
      id: `deep-${level}`,
      trace_id: large.deepTraceId,
      parent_id: level === 0 ? null : `deep-${level - 1}`,
      op_name: `level_${level}`,
      started_at: at(level),
      ended_at: at(1000 - level),
    }
}

function payload(characters: number): Record<string, unknown> {
  const row = (index: number) => ({ [large.payloadMember]: index, words: 'the quick brown fox '.repeat(9) })
  const rows = Math.floor(characters / JSON.stringify(row(10_000)).length)
  return { rows: Array.from({ length: rows }, (_, index) => row(index)), note: 'the end' }
}
