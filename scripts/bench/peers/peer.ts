import type { SpanContent } from '../ingest/spans.ts'
import { exports, hexId, modelOf, spanContent } from '../ingest/spans.ts'

/** A question that is asked of every server, in its own language. */
export const questions = [
  'newest 50 roots',
  'trace of 10',
  'trace of 10,000',
  'count by attribute',
  'newest 50 by attribute',
  'newest 50 with a rare word',
  'count by hour',
  'count of all',
] as const

export type QuestionName = (typeof questions)[number]

/** How a server is asked, and how many traces, spans or groups its answer has. */
export interface Question {
  readonly request: (time: number) => PeerRequest
  readonly sizeOf: (answer: string) => number
  /** The size that shows that the question was understood. */
  readonly size: number
}

export interface PeerRequest {
  readonly path: string
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A request that brings spans or calls in. */
export interface Delivery extends PeerRequest {
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** The spans that every server is given. */
export interface Spans {
  readonly count: number
  /** Traces of ten spans; the one after them has `largeTrace` spans. */
  readonly smallTraces: number
  readonly largeTrace: number
  /** Exports in protobuf. */
  readonly exports: () => Iterable<Uint8Array<ArrayBuffer>>
  readonly content: (index: number) => SpanContent
  readonly traceId: (trace: number) => string
  readonly largeTraceId: string
  /** An attribute that some spans have, and how many. */
  readonly attribute: { readonly key: string; readonly value: string; readonly spans: number; readonly traces: number }
  /** A word in the messages of few spans. */
  readonly word: { readonly text: string; readonly spans: number }
  readonly firstMs: number
  readonly lastMs: number
  /** Hours of the clock, in UTC, that spans start in. */
  readonly hours: number
}

export interface Launch {
  readonly command: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** Where requests for answers go. */
  readonly url: string
  /** Where spans go, if elsewhere. */
  readonly intakeUrl?: string
  /** A path that answers 200 once the server is ready. */
  readonly ready: string
}

/** A server to compare with. */
export interface Peer {
  readonly name: string
  /** Version and source, as it is to be published. */
  readonly version: string
  readonly isOurs?: true
  /** How to start it over a folder, which may be empty. */
  launch(folder: string): Promise<Launch>
  /** What brings the spans in, in order. */
  deliveries(spans: Spans): Iterable<Delivery>
  /** Questions that it can answer. Some can be built only once the spans are stored. */
  questions(spans: Spans, url: string): Promise<Partial<Record<QuestionName, Question>>>
  /** Whether all spans can be read. */
  isStored(spans: Spans, url: string): Promise<boolean>
}

/** A server that cannot be had here, and why. */
export class NotAvailable extends Error {
  override readonly name = 'NotAvailable'
}

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
