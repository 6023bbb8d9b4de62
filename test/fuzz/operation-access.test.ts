import { beforeAll, expect, test } from 'bun:test'
import { KeyRing } from '../../src/domains/access/key-ring.ts'
import { auditTable } from '../../src/engine/tables/audit-table.ts'
import { tables } from '../../src/engine/tables/tables.ts'
import { systemClock } from '../../src/runtime/platform/clock.ts'
import { Random, seedOf } from '../golden/random.ts'
import { openFuzzApp } from './fuzz-app.ts'
import { type Known, Maker, type Operation, operationsOf } from './operations.ts'
import { storeRecords } from './stored-records.ts'

/** Well-formed requests for each operation. */
const rounds = Number(Bun.env['TRACELAKE_FUZZ_REQUESTS'] ?? 12)
const app = await openFuzzApp()
const home = 'fuzz/all'
let operations: Operation[]
let known: Known
let document: unknown
let away: string
let reader: string

beforeAll(async () => {
  document = await (await app.send('/openapi.json', {})).json()
  // Model lists do not belong to a project.
  operations = operationsOf(document).filter(({ path }) => !path.startsWith('/inference/'))
  known = await storeRecords(app, 'all')
  const ring = new KeyRing(app.folder, systemClock)
  away = (await ring.create({ name: 'away', role: 'write', scope: 'fuzz/other' })).text
  reader = (await ring.create({ name: 'reader', role: 'read', scope: '*' })).text
})

/** Operations allowed to a read-only key. */
const reads = new Set([
  'GET /aliases',
  'GET /annotation_queues/{queue_id}',
  'GET /calls/live',
  'GET /files/{entity}/{project}/{digest}',
  'GET /rules/{rule_id}',
  'GET /tags',
  'POST /agents/agent-versions/query',
  'POST /agents/conversations/chat',
  'POST /agents/conversations/spans',
  'POST /agents/query',
  'POST /agents/search',
  'POST /agents/spans/custom-attrs/schema',
  'POST /agents/spans/query',
  'POST /agents/spans/stats',
  'POST /agents/traces/chat',
  'POST /annotation_queues/query',
  'POST /annotation_queues/stats',
  'POST /annotation_queues/{queue_id}/items/query',
  'POST /call/messages',
  'POST /call/read',
  'POST /call/sizes',
  'POST /call/value',
  'POST /calls/fields',
  'POST /calls/query',
  'POST /calls/query_stats',
  'POST /calls/search',
  'POST /calls/stats',
  'POST /calls/stream_query',
  'POST /calls/usage',
  'POST /calls/values',
  'POST /completions/check',
  'POST /cost/query',
  'POST /datasets/columns',
  'POST /datasets/diff',
  'POST /datasets/export',
  'POST /datasets/inspect',
  'POST /evaluations/compare',
  'POST /evaluations/compare_rows',
  'POST /evaluations/count_rows',
  'POST /evaluations/leaderboard',
  'POST /evaluations/runs/query',
  'POST /evaluations/status',
  'POST /feedback/aggregate',
  'POST /feedback/payload_schema',
  'POST /feedback/query',
  'POST /feedback/stats',
  'POST /file/content',
  'POST /files/query_stats',
  'POST /logs/query',
  'POST /metrics/query',
  'POST /metrics/stats',
  'POST /obj/read',
  'POST /objs/query',
  'POST /project/stats',
  'POST /projects/query',
  'POST /refs/read_batch',
  'POST /retention/read',
  'POST /rules/query',
  'POST /rules/{rule_id}/deliveries/query',
  'POST /service/projects_info',
  'POST /table/query',
  'POST /table/query_stats',
  'POST /table/query_stats_batch',
  'POST /table/query_stream',
  'POST /threads/stream_query',
  'POST /trace/read',
  'POST /trace/usage',
  'POST /v2/{entity}/{project}/eval_results/query',
  'POST /logs/query',
])
const isRead = ({ name }: Operation) => reads.has(name) || name.startsWith('GET /v2/')

test('no operation gives access to a key of another project', async () => {
  const random = new Random(seedOf('requests with a key for another project'))
  const answered = await askAll(random, operations, away)
  expect([...answered.good]).toEqual([])
  expect(answered.forbidden.size).toBeGreaterThan(90)
}, 600_000)

test('a read key changes nothing', async () => {
  const random = new Random(seedOf('requests with a key that may only read'))
  const rowsBefore = rowsOf()
  const writes = operations.filter((operation) => !isRead(operation))
  const answered = await askAll(random, writes, reader)
  expect([...answered.good]).toEqual([])
  expect(answered.forbidden.size).toBeGreaterThan(50)
  const read = await askAll(random, operations.filter(isRead), reader)
  expect([...read.forbidden]).toEqual([])
  expect(read.good.size).toBeGreaterThan(30)
  expect(rowsOf()).toEqual(rowsBefore)
}, 600_000)

/** The audit log records refusals too. */
const stored = tables.filter((table) => table !== auditTable)
const rowsOf = () => Object.fromEntries(stored.map(({ name }) => [name, app.context.store.rowsOf(name)]))

/** The operations that returned project data, and those that were forbidden. */
async function askAll(random: Random, asked: readonly Operation[], key: string) {
  const maker = new Maker(random, document, known)
  const answered = { good: new Set<string>(), forbidden: new Set<string>() }
  for (let round = 0; round < rounds; round++) {
    for (const operation of asked) {
      const { path, body, type } = wellFormed(operation, maker)
      const { method, name } = operation
      const isForm = body instanceof FormData
      const headers: Record<string, string> = isForm ? {} : { 'content-type': type }
      const leave = new AbortController()
      const answer = await app.send(path, { method, body: body ?? null, key, headers, signal: leave.signal })
      leave.abort()
      if (!answer.bodyUsed) await answer.body?.cancel()
      const isAboutHome = isForm || decodeURIComponent(path).includes(home) || String(body).includes(home)
      if (answer.status === 403) answered.forbidden.add(name)
      else if (answer.ok && isAboutHome) answered.good.add(name)
    }
  }
  return answered
}

function wellFormed({ path, parameters, body }: Operation, maker: Maker) {
  const query = new URLSearchParams()
  let filled = path
  for (const { name, in: place, required, schema } of parameters) {
    if (place !== 'path' && !(place === 'query' && required)) continue
    const value = maker.make(schema, name)
    const texts = (Array.isArray(value) ? value : [value]).map(String)
    if (place === 'path') filled = filled.replace(`{${name}}`, encodeURIComponent(texts[0]!))
    else for (const text of texts) query.append(name, text)
  }
  if (query.size > 0) filled += `?${query}`
  if (body === undefined) return { path: filled, body: undefined, type: 'application/json' }
  const value = maker.make(body.schema)
  if (body.type !== 'multipart/form-data') {
    return { path: filled, body: JSON.stringify(value), type: 'application/json' }
  }
  const form = new FormData()
  form.set('project_id', home)
  form.set('file', new Blob(['x']), 'x.txt')
  return { path: filled, body: form, type: body.type }
}
