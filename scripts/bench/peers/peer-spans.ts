import { exports, hexId, modelOf, spanContent } from '../otlp/spans.ts'
import type { Spans } from './peer.ts'

const spansPerExport = 512
const spansPerTrace = 10
const word = 'Zymurgie'
const model = 'gpt-4o'
const msPerHour = 3_600_000
const stepMs = 300

/** Traces of ten spans, then a large one, over some hours until now. */
export function makeSpans(smallTraces: number, largeTrace: number): Spans {
  const small = smallTraces * spansPerTrace
  const count = small + largeTrace
  // Some servers drop what is older than some days. At a full hour, so that the hours are known.
  const firstMs = Math.floor((Date.now() - count * stepMs) / msPerHour) * msPerHour
  const lastMs = firstMs + (count - 1) * stepMs
  const series = { startedNanos: BigInt(firstMs) * 1_000_000n, stepNanos: BigInt(stepMs) * 1_000_000n, rareWord: word }
  const indexes = Array.from({ length: count }, (_, index) => index)
  const traceOf = (index: number) => Math.min(Math.floor(index / spansPerTrace), smallTraces)
  const ofModel = indexes.filter((index) => modelOf(index) === model)
  return {
    count,
    smallTraces,
    largeTrace,
    *exports() {
      yield* exports(small, spansPerExport, { ...series, spansPerTrace })
      yield* exports(largeTrace, spansPerExport, { ...series, first: small, spansPerTrace: largeTrace })
    },
    content: (index) =>
      spanContent(index, {
        ...series,
        ...(index < small ? { spansPerTrace } : { first: small, spansPerTrace: largeTrace }),
      }),
    traceId: (trace) => hexId(trace * spansPerTrace, 16),
    largeTraceId: hexId(small, 16),
    attribute: {
      key: 'gen_ai.request.model',
      value: model,
      spans: ofModel.length,
      traces: new Set(ofModel.map(traceOf)).size,
    },
    word: { text: word, spans: indexes.filter((index) => index % 1_000 === 7).length },
    firstMs,
    lastMs,
    hours: Math.floor((lastMs - firstMs) / msPerHour) + 1,
  }
}
