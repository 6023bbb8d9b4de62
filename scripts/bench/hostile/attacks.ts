import net from 'node:net'
import { gzipSync } from 'node:zlib'
import { MiB } from '../../../src/lib/bytes.ts'
import type { Attacker } from './attacker.ts'

export interface Attack {
  readonly name: string
  /** @param scale 1, or less for a smoke test */
  run(attacker: Attacker, scale: number): Promise<void>
}

const bodyBytes = (scale: number): number => Math.floor((32 * MiB - 4096) * scale)

/** A body of about the maximum size: a list that repeats `element`. */
function repeated(element: string, scale: number, first = ''): string {
  const count = Math.floor(bodyBytes(scale) / (element.length + 1))
  return `{"project_id":"mallory/read","rows":[${first}${`${element},`.repeat(count)}${element}]}`
}

const compressed = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(gzipSync(text, { level: 9 }))

function members(count: number): string {
  const parts: string[] = []
  for (let i = count; i > 0; i--) parts.push(`"${i}":1`)
  return parts.join(',')
}

const bodyOf = (name: string, text: (scale: number) => string, together = 1): Attack => ({
  name,
  run: async (attacker, scale) => {
    const body = compressed(text(scale))
    await Promise.all(Array.from({ length: together }, () => attacker.postCompressed('/calls/query_stats', body)))
  },
})

/** RE2 limits repetitions to a thousand; alternatives combine many of them. 1,880 characters. */
const pattern = `(?:${Array.from({ length: 134 }, (_, i) => `c(a|b){1,${900 + (i % 100)}}`).join('|')})$`

/** All its alternatives remain possible until the end of the text. */
const slowPattern = `(?:${Array.from({ length: 40 }, (_, i) => `(a|b){1,${900 + i}}c`).join('|')})$`

const scoring = (
  name: string,
  className: string,
  fields: object,
  output: (scale: number) => string,
  expected?: boolean,
) => ({
  name,
  run: async (attacker: Attacker, scale: number) => {
    const text = output(scale)
    await attacker.call('scored', expected ? { expected: `${text}x` } : {}, expected ? `y${text}` : text)
    const scorer = await attacker.object('scorer', className, fields)
    if (scorer === undefined) return
    await attacker.post('/calls/score', { project_id: attacker.projectId, call_ids: ['scored'], scorer_refs: [scorer] })
    await attacker.sleep(12_000 * scale)
  },
})

const patternProperties = (count: number): object => ({
  type: 'object',
  patternProperties: Object.fromEntries(
    Array.from({ length: count }, (_, i) => [`^(a|b|c){1,${500 + (i % 400)}}x${i}$`, { type: 'string' }]),
  ),
})

/** Attacks found by independent reviewers, and similar ones. */
export const attacks: readonly Attack[] = [
  scoring(
    'a pattern of 1,880 characters on 2 MB',
    'RegexScorer',
    { pattern },
    // Without a `c` the pattern could not match anywhere, and the text would be skipped at once.
    (scale) => `c${'ab'.repeat(MiB * scale)}`,
  ),
  scoring(
    'a pattern that takes a minute on 5,000 characters',
    'RegexScorer',
    { pattern: slowPattern },
    (scale) => `c${'ab'.repeat(2_500 * scale)}`,
  ),
  {
    name: 'a JSON Schema with 2,000 patternProperties',
    run: async (attacker, scale) => {
      const field_schema = patternProperties(Math.ceil(2_000 * scale))
      const spec = await attacker.object('spec', 'AnnotationSpec', { name: 'spec', field_schema })
      if (spec === undefined) return
      await attacker.call('annotated', {}, 1)
      const payload = {
        value: Object.fromEntries(Array.from({ length: 2_000 }, (_, i) => [`${'ab'.repeat(50)}${i}`, 'x'])),
      }
      await attacker.post('/feedback/create', {
        project_id: attacker.projectId,
        ext_ref: `ext:///${attacker.projectId}/call/annotated`,
        feedback_type: 'ext.annotation.spec',
        annotation_ref: spec,
        payload,
      })
    },
  },
  scoring(
    'the edit distance of 100,000 characters',
    'EditDistanceScorer',
    {},
    (scale) => 'ab'.repeat(49_000 * scale),
    true,
  ),
  scoring('a text of 1 MB searched for in one of 2 MB', 'ContainsScorer', {}, (scale) => 'a'.repeat(MiB * scale), true),
  bodyOf('16 bodies of 31 KiB, small lists', (scale) => repeated('[]', scale), 16),
  bodyOf('16 bodies of 31 KiB, nested', (scale) => repeated('[{}]', scale), 16),
  bodyOf('a body of 153 KiB, numbers with fractions', (scale) => repeated('1.0', scale)),
  bodyOf(
    'a body whose places are all wrong',
    (scale) => `{"project_id":"mallory/read","filter":${repeated('{"a":1}', scale)}}`,
  ),
  bodyOf('a body with lone surrogates', (scale) => repeated('{"a":1}', scale, '"\\ud800",')),
  bodyOf(
    'two million names that are numbers',
    (scale) => `{"project_id":"mallory/read","x":{${members(Math.ceil(2e6 * scale))}}}`,
  ),
  {
    name: '600,000 rows in one table/create',
    run: async (attacker, scale) => {
      const rows = Array.from({ length: Math.ceil(600_000 * scale) }, (_, i) => `{"n":${i},"text":"row ${i}"}`).join(
        ',',
      )
      await attacker.post('/table/create', `{"table":{"project_id":"${attacker.projectId}","rows":[${rows}]}}`)
    },
  },
  {
    name: '100,000 calls in one batch',
    run: async (attacker, scale) => {
      const calls = Array.from({ length: Math.ceil(100_000 * scale) }, (_, i) => {
        const id = `batched-${i}`
        const start = { project_id: attacker.projectId, id, trace_id: id, op_name: 'ask', attributes: {} }
        return {
          mode: 'start',
          req: { start: { ...start, started_at: '2026-01-01T00:00:00Z', inputs: { question: i } } },
        }
      })
      await attacker.post('/call/upsert_batch', { batch: calls })
    },
  },
  {
    name: '14 Parquet answers that no client reads',
    run: async (attacker, scale) => {
      for (let i = 0; i < 20 * scale; i++)
        await attacker.call(`large-${i}`, { text: words(2 * MiB * scale) }, words(1000))
      const question = { project_id: attacker.projectId }
      const leave = () =>
        attacker.beginAndLeave('/calls/stream_query', question, { accept: 'application/vnd.apache.parquet' })
      await Promise.all(Array.from({ length: 14 }, leave))
    },
  },
  {
    name: '64 live tails of one key',
    run: async (attacker) => {
      const project = encodeURIComponent(attacker.projectId)
      const tails = Array.from({ length: 64 }, () => tail(attacker, `/calls/live?project_id=${project}`))
      await attacker.sleep(1_000)
      for (const stop of await Promise.all(tails)) stop()
    },
  },
  {
    name: '5,000 wrong keys',
    run: async (attacker, scale) => {
      const knock = async () => {
        for (let i = 0; i < 250 * scale && !attacker.isOver; i++)
          await attacker.post('/call/read', {}, { key: crypto.randomUUID().replaceAll('-', '').padEnd(40, '0') })
      }
      await Promise.all(Array.from({ length: 20 }, knock))
    },
  },
  {
    name: '1,000 connections with half a request',
    run: async (attacker, scale) => {
      const { hostname, port } = new URL(attacker.url)
      const sockets = Array.from({ length: Math.ceil(1_000 * scale) }, () => {
        const socket = net.connect(Number(port), hostname)
        socket.on('error', () => {})
        socket.write('POST /call/read HTTP/1.1\r\nHost: tracelake\r\nContent-Le')
        return socket
      })
      await attacker.sleep(2_000)
      for (const socket of sockets) socket.destroy()
    },
  },
]

const words = (length: number): string => {
  let text = ''
  while (text.length < length) text += Math.random().toString(36).slice(2)
  return text.slice(0, length)
}

async function tail(attacker: Attacker, path: string): Promise<() => void> {
  const abort = new AbortController()
  await fetch(attacker.url + path, {
    headers: { authorization: `Bearer ${attacker.writeKey}` },
    signal: abort.signal,
  }).catch(() => {})
  return () => abort.abort()
}
