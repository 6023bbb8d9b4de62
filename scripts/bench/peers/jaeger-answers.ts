import type { Question, Spans } from './peer.ts'

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
