import { beforeAll, expect, test } from 'bun:test'
import { Random, seedOf } from '../golden/random.ts'
import { type FuzzApp, openFuzzApp } from './fuzz-app.ts'
import { hostileTexts, hostileValues, type Known, Maker, type Operation, operationsOf } from './operations.ts'
import { storeRecords } from './stored-records.ts'

/** Requests per operation. `TRACELAKE_FUZZ_DIALECT=weave` uses the vendor's names. */
const rounds = Number(Bun.env['TRACELAKE_FUZZ_REQUESTS'] ?? 12)
const app: FuzzApp = await openFuzzApp({
  TRACELAKE_QUERY_TIMEOUT_S: '20',
  TRACELAKE_DIALECT: Bun.env['TRACELAKE_FUZZ_DIALECT'] ?? 'ext',
})
let operations: Operation[]
let known: Known
let document: unknown

beforeAll(async () => {
  document = await (await app.send('/openapi.json', {})).json()
  // It would remove the records, and writes would be refused meanwhile.
  operations = operationsOf(document).filter(({ path }) => path !== '/projects/erase')
  known = await storeRecords(app, 'all')
})

test('no request causes an internal error, and every error response has a known format', async () => {
  const random = new Random(seedOf('requests to all operations'))
  const maker = new Maker(random, document, known)
  const counts = new Map<number, number>()
  const failures = new Map<string, string>()
  for (let round = 0; round < rounds; round++) {
    for (const operation of operations) {
      const request = requestFor(operation, random, maker)
      const { status, trouble } = await ask(request.path, request.init)
      counts.set(status, (counts.get(status) ?? 0) + 1)
      if (trouble !== undefined && failures.size < 100) {
        const body = typeof request.init.body === 'string' ? request.init.body.slice(0, 2_000) : ''
        failures.set(`${operation.name}: ${trouble}`, `${request.path.slice(0, 500)} ${body}`)
      }
    }
  }
  console.log(operations.length, 'operations', Object.fromEntries([...counts].sort()))
  expect(Object.fromEntries(failures)).toEqual({})
  expect(app.errors).toEqual([])
}, 3_600_000)

interface Asked {
  readonly path: string
  readonly init: RequestInit
}

function requestFor(operation: Operation, random: Random, maker: Maker): Asked {
  const oddAt = random.below(4)
  const query = new URLSearchParams()
  let { path } = operation
  const texts = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value ?? null)).toWellFormed()
  for (const { name, in: place, required, schema } of operation.parameters) {
    const isOdd = oddAt === 0 && random.below(2) === 0
    if (place === 'path') {
      const value = isOdd ? random.pick(hostileTexts).slice(0, 2_000).toWellFormed() : texts(maker.make(schema, name))
      path = path.replace(`{${name}}`, isOdd && random.below(2) === 0 ? value : encodeURIComponent(value))
    } else if (place === 'query' && (required ? random.below(10) > 0 : random.below(2) === 0)) {
      const value = isOdd ? random.pick(hostileTexts).slice(0, 2_000) : maker.make(schema, name)
      for (const one of Array.isArray(value) ? value : [value]) query.append(name, texts(one))
    }
  }
  path = path.replace(/[?#\n\r\t\\]/g, '_')
  if (query.size > 0) path += `?${query}`
  const { method } = operation
  if (operation.body === undefined) return { path, init: { method } }
  const value = maker.make(operation.body.schema)
  if (operation.body.type === 'multipart/form-data') {
    const form = new FormData()
    for (const [name, member] of Object.entries(value as object)) {
      if (name === 'file') form.set(name, new Blob([random.pick(hostileTexts)]), random.pick(hostileTexts))
      else if (random.below(5) > 0) form.set(name, oddAt === 1 ? random.pick(hostileTexts) : texts(member))
    }
    return { path, init: { method, body: form } }
  }
  const spoiled = oddAt === 3 ? value : spoil(random, value)
  let body = JSON.stringify(spoiled) ?? 'null'
  if (random.below(40) === 0) body = body.slice(0, random.below(body.length + 1))
  if (random.below(60) === 0) body = `${'['.repeat(100_000)}`
  const accept = random.pick(['*/*', 'application/json', 'application/jsonl', 'text/csv', 'x/y', ''])
  return { path, init: { method, body, headers: { 'content-type': 'application/json', accept } } }
}

/** The value with up to three parts replaced, removed or repeated many times. */
function spoil(random: Random, value: unknown): unknown {
  const whole = { value: structuredClone(value) }
  for (let left = 1 + random.below(3); left > 0; left--) {
    const places: { holder: Record<string, unknown>; name: string }[] = []
    collect(whole, places)
    const { holder, name } = random.pick(places)
    switch (random.below(6)) {
      case 0:
        delete holder[name]
        break
      case 1: {
        const item = holder[name]
        if (Array.isArray(item) && item.length < 10) holder[name] = Array.from({ length: 1_500 }, () => item[0] ?? null)
        break
      }
      case 2:
        holder[random.pick(hostileTexts)] = holder[name]
        break
      case 3:
        holder[name] = structuredClone(random.pick(hostileValues))
        break
      default:
        holder[name] = random.pick(hostileTexts)
    }
    if (!('value' in whole)) return null
  }
  return whole.value
}

function collect(value: unknown, places: { holder: Record<string, unknown>; name: string }[]): void {
  if (typeof value !== 'object' || value === null) return
  for (const name of Object.keys(value)) {
    if (places.length > 500) return
    const holder = value as Record<string, unknown>
    places.push({ holder, name })
    collect(holder[name], places)
  }
}

/** The status of the response, and what is wrong with it. */
async function ask(path: string, init: RequestInit): Promise<{ status: number; trouble?: string }> {
  const leave = new AbortController()
  const answer = await app.send(path, { ...init, signal: leave.signal })
  const { status, headers } = answer
  if (headers.get('content-type')?.startsWith('text/event-stream')) {
    await answer.body?.cancel()
    leave.abort()
    return { status }
  }
  const text = await answer.text().catch((cause: unknown) => `\0broken off: ${cause}`)
  if (text.startsWith('\0')) return { status, trouble: text.slice(1, 500) }
  if (status >= 500) return { status, trouble: `${status} ${text.slice(0, 300)} ${app.errors.at(-1)?.slice(0, 2_000)}` }
  if (text.includes('sk-fuzz-secret')) return { status, trouble: 'holds a secret of the operator' }
  if (status < 400) return { status }
  const form = formTrouble(text)
  return form === undefined ? { status } : { status, trouble: `${status} ${form}: ${text.slice(0, 300)}` }
}

/** What `engine` of a request may be, as an error about another value says it. */
const engineNames = String.raw`Expected \"duckdb\" or \"clickhouse\"`

/**
 * What no error response may contain: source locations, server folders, SQL and DuckDB messages.
 */
const inner = /\.ts:\d|node_modules|SELECT .* FROM|Binder Error|Parser Error|Catalog Error|Conversion Error|duckdb/i

function formTrouble(text: string): string | undefined {
  if (text.includes(app.folder) || inner.test(text.replaceAll(engineNames, ''))) return 'tells of the inside'
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return 'is not JSON'
  }
  const { detail, reason, error_type } = body as { detail?: unknown; reason?: unknown; error_type?: unknown }
  if (typeof reason === 'string' && typeof error_type === 'string') return undefined
  if (detail === 'Not Found') return undefined
  // Clients of MCP get errors of JSON-RPC.
  const { jsonrpc, error } = body as { jsonrpc?: unknown; error?: { message?: unknown } }
  if (jsonrpc === '2.0' && typeof error?.message === 'string') return undefined
  // Trace exporters get the status prescribed by OTLP.
  if (typeof (body as { message?: unknown }).message === 'string') return undefined
  const isList =
    Array.isArray(detail) &&
    detail.length > 0 &&
    detail.every(({ loc, msg, type }) => Array.isArray(loc) && typeof msg === 'string' && typeof type === 'string')
  return isList ? undefined : 'has no known form'
}
