import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { Question, Spans } from './peer.ts'
import { NotAvailable, type Peer } from './peer.ts'
import { freePort, runTool } from './peer-server.ts'

const module = 'github.com/jaegertracing/jaeger'
const version = 'v1.76.0'

/**
 * Jaeger's all-in-one program with its embedded storage, from the Go module.
 *
 * @param tools folder that the program is kept in
 * @throws NotAvailable
 */
export async function jaeger(tools: string): Promise<Peer> {
  const program = path.join(tools, `jaeger-${version}`)
  if (!existsSync(program)) await install(program, path.join(tools, 'jaeger-module'))
  return {
    name: 'Jaeger (badger)',
    version: `${version}, Go module`,
    async launch(folder) {
      const [otlp, query, admin, ...others] = await Promise.all(Array.from({ length: 8 }, freePort))
      const listen = {
        'collector.otlp.http.host-port': otlp,
        'query.http-server.host-port': query,
        'admin.http.host-port': admin,
        'collector.otlp.grpc.host-port': others[0],
        'query.grpc-server.host-port': others[1],
        'collector.http-server.host-port': others[2],
        'collector.grpc-server.host-port': others[3],
      }
      return {
        command: [
          program,
          '--badger.ephemeral=false',
          `--badger.directory-key=${path.join(folder, 'key')}`,
          `--badger.directory-value=${path.join(folder, 'values')}`,
          // By default it drops what exceeds 2,000 waiting spans.
          '--collector.queue-size=100000',
          '--log-level=error',
          ...Object.entries(listen).map(([option, port]) => `--${option}=127.0.0.1:${port}`),
        ],
        env: { SPAN_STORAGE_TYPE: 'badger' },
        url: `http://127.0.0.1:${query}`,
        intakeUrl: `http://127.0.0.1:${otlp}`,
        ready: '/api/services',
      }
    },
    deliveries: (spans) => plainExports(spans, '/v1/traces'),
    questions: async (spans) => jaegerQuestions(spans, ''),
    isStored: (spans, url) => hasAllTraces(spans, url, ''),
  }
}

/**
 * The module cannot be installed by name, as it replaces a dependency, but another module can
 * require it.
 */
async function install(program: string, folder: string): Promise<void> {
  if (Bun.which('go') === null) throw new NotAvailable('there is no "go" on the PATH to install it with')
  await mkdir(folder, { recursive: true })
  const go = (...words: string[]) => runTool(['go', ...words], { folder, env: { GOFLAGS: '-mod=mod' } })
  if (!existsSync(path.join(folder, 'go.mod'))) await go('mod', 'init', 'peers')
  await go('get', `${module}/cmd/all-in-one@${version}`)
  await go('build', '-o', program, `${module}/cmd/all-in-one`)
}

interface TracesAnswer {
  readonly data: readonly { readonly spans: readonly unknown[] }[]
}

const traces = (answer: string): TracesAnswer['data'] => (JSON.parse(answer) as TracesAnswer).data ?? []

/**
 * Questions in the query API of Jaeger's UI, which other servers have too: it finds whole traces of
 * a service within a time.
 *
 * @param base path before `/api`
 */
export function jaegerQuestions(spans: Spans, base: string) {
  const found = (limit: number, tags?: Readonly<Record<string, string>>) => {
    const asked = new URLSearchParams({
      service: 'bench',
      start: String(spans.firstMs * 1000),
      end: String((spans.lastMs + 1000) * 1000),
      limit: String(limit),
      ...(tags === undefined ? {} : { tags: JSON.stringify(tags) }),
    })
    return { path: `${base}/api/traces?${asked}` }
  }
  const ofTrace = (traceId: string) => ({ path: `${base}/api/traces/${traceId}` })
  const spansOf = (answer: string) => traces(answer)[0]?.spans.length ?? 0
  const { attribute } = spans
  return {
    'newest 50 roots': { request: () => found(50), sizeOf: (answer) => traces(answer).length, size: 50 },
    'trace of 10': {
      request: (time) => ofTrace(spans.traceId((time * 7919) % spans.smallTraces)),
      sizeOf: spansOf,
      size: 10,
    },
    'trace of 10,000': { request: () => ofTrace(spans.largeTraceId), sizeOf: spansOf, size: spans.largeTrace },
    'newest 50 by attribute': {
      request: () => found(50, { [attribute.key]: attribute.value }),
      sizeOf: (answer) => traces(answer).length,
      size: 50,
    },
  } satisfies Record<string, Question>
}

/** Whether the first and the last trace can be read as a whole. */
export async function hasAllTraces(spans: Spans, url: string, base: string): Promise<boolean> {
  for (const [traceId, size] of [
    [spans.traceId(0), 10],
    [spans.traceId(spans.smallTraces - 1), 10],
    [spans.largeTraceId, spans.largeTrace],
  ] as const) {
    const answer = await fetch(`${url}${base}/api/traces/${traceId}`)
    const text = await answer.text()
    if (!answer.ok || (traces(text)[0]?.spans.length ?? 0) < size) return false
  }
  return true
}

/** OTLP exports without further ado. */
export function* plainExports(spans: Spans, path: string) {
  for (const bytes of spans.exports()) yield { path, bytes, headers: { 'content-type': 'application/x-protobuf' } }
}
