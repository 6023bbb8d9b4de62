import { beforeAll, expect, test } from 'bun:test'
import { KeyRing } from '../../src/domains/access/key-ring.ts'
import { auditTable } from '../../src/engine/tables/audit-table.ts'
import { runFiguresTable } from '../../src/engine/tables/run-figures-table.ts'
import { runRowsTable } from '../../src/engine/tables/run-rows-table.ts'
import { tables } from '../../src/engine/tables/tables.ts'
import { FolderDocuments } from '../../src/runtime/documents/folder-documents.ts'
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
  const ring = new KeyRing(new FolderDocuments(app.folder), systemClock)
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
  'POST /annotation_queues/overview',
  'POST /annotation_queues/query',
  'POST /annotation_queues/stats',
  'POST /annotation_queues/{queue_id}/finished',
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
  'POST /cost/builtin/query',
  'POST /cost/query',
  'POST /datasets/columns',
  'POST /datasets/diff',
  'POST /datasets/export',
  'POST /datasets/inspect',
  'POST /datasets/rows_of_call',
  'POST /evaluations/compare',
  'POST /evaluations/compare_rows',
  'POST /evaluations/count_rows',
  'POST /evaluations/judge_check',
  'POST /evaluations/leaderboard',
  'POST /evaluations/runs/query',
  'POST /evaluations/status',
  'POST /feedback/aggregate',
  'POST /feedback/distributions',
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
  'POST /objs/uses',
  'POST /project/stats',
  'POST /projects/query',
  'POST /refs/read_batch',
  'POST /retention/preview',
  'POST /retention/read',
  'POST /rules/query',
  'POST /rules/{rule_id}/deliveries/query',
  'POST /rules/{rule_id}/backfills/query',
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
  const answered = await askAll(random, operations, withKey(away))
  expect([...answered.good]).toEqual([])
  expect(answered.forbidden.size).toBeGreaterThan(90)
}, 600_000)

test('a read key changes nothing', async () => {
  const random = new Random(seedOf('requests with a key that may only read'))
  const rowsBefore = rowsOf()
  const writes = operations.filter((operation) => !isRead(operation))
  const answered = await askAll(random, writes, withKey(reader))
  expect([...answered.good]).toEqual([])
  expect(answered.forbidden.size).toBeGreaterThan(50)
  const read = await askAll(random, operations.filter(isRead), withKey(reader))
  expect([...read.forbidden]).toEqual([])
  expect(read.good.size).toBeGreaterThan(30)
  expect(rowsOf()).toEqual(rowsBefore)
}, 600_000)

/** Operations that show a trace to the visitor of a read-only link. */
const shownByLinks = new Set([
  'GET /files/{entity}/{project}/{digest}',
  'POST /call/messages',
  'POST /call/value',
  'POST /calls/stream_query',
  'POST /feedback/query',
  'POST /trace/read',
])

test('the visitor of a link to a trace gets nothing but the trace', async () => {
  const random = new Random(seedOf('requests with a read-only link'))
  const rowsBefore = rowsOf()
  const { path: link } = await app.post<{ path: string }>('/shared_links/create', {
    project_id: home,
    trace_id: 'trace',
    expires_in_seconds: 3600,
  })
  const [page, secret] = link.split('#')
  const headers = { cookie: `tracelake_link=${secret}`, 'sec-fetch-site': 'same-origin' }
  const asked = operations.filter(({ path }) => !path.startsWith('/ui/'))
  const visit = (path: string, init: RequestInit) =>
    app.send(`${page}/api${path}`, { ...init, headers: { ...(init.headers as Record<string, string>), ...headers } })
  const others = await askAll(
    random,
    asked.filter(({ name }) => !shownByLinks.has(name)),
    visit,
  )
  expect([...others.good]).toEqual([])
  expect([...others.other]).toEqual([])
  expect(others.forbidden.size).toBeGreaterThan(100)
  const shown = await askAll(
    random,
    asked.filter(({ name }) => shownByLinks.has(name)),
    visit,
  )
  expect(shown.good.size).toBeGreaterThan(0)
  expect(rowsOf()).toEqual(rowsBefore)
  // The secret is no key, and the cookie is of no use elsewhere.
  for (const path of ['', '/ui/api']) {
    const elsewhere = await askAll(random, asked, (operation, init) =>
      app.send(path + operation, {
        ...init,
        key: secret ?? '',
        headers: { ...(init.headers as Record<string, string>), ...headers },
      }),
    )
    expect([...elsewhere.good]).toEqual([])
  }
}, 600_000)

/** The audit log records refusals too; lists and comparisons of runs keep what they computed. */
const stored = tables.filter((table) => table !== auditTable && table !== runFiguresTable && table !== runRowsTable)
const rowsOf = () => Object.fromEntries(stored.map(({ name }) => [name, app.context.store.rowsOf(name)]))

/** Sends a request as somebody. */
type Send = (path: string, init: RequestInit) => Promise<Response>
const withKey =
  (key: string): Send =>
  (path, init) =>
    app.send(path, { ...init, key })

/** The operations that returned project data, those that were forbidden, and all others. */
async function askAll(random: Random, asked: readonly Operation[], send: Send) {
  const maker = new Maker(random, document, known)
  const answered = { good: new Set<string>(), forbidden: new Set<string>(), other: new Set<string>() }
  for (let round = 0; round < rounds; round++) {
    for (const operation of asked) {
      const { path, body, type } = wellFormed(operation, maker)
      const { method, name } = operation
      const isForm = body instanceof FormData
      const headers: Record<string, string> = isForm ? {} : { 'content-type': type }
      const leave = new AbortController()
      const answer = await send(path, { method, body: body ?? null, headers, signal: leave.signal })
      leave.abort()
      if (!answer.bodyUsed) await answer.body?.cancel()
      const isAboutHome = isForm || decodeURIComponent(path).includes(home) || String(body).includes(home)
      if (answer.status === 403) answered.forbidden.add(name)
      else if (answer.ok && isAboutHome) answered.good.add(name)
      else answered.other.add(`${name}: ${answer.status}`)
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
