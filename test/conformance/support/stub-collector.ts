import { join } from 'node:path'
import protobuf from 'protobufjs'

const root = protobuf.loadSync(join(import.meta.dir, '../../../src/formats/wire/otlp/trace-export.proto'))
const typeOf = (name: string) => root.lookupType(`otlp.${name}`)

export interface SentSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string
  readonly name: string
  readonly status: { readonly code: number; readonly message: string }
  readonly attributes: SentAttributes
  readonly events: readonly { readonly name: string; readonly attributes: SentAttributes }[]
}

type SentAttributes = Readonly<Record<string, Readonly<Record<string, unknown>>>>

interface Received {
  readonly headers: Headers
  readonly spans: readonly SentSpan[]
  readonly status: number
}

/** Receives exports of traces on this machine. */
export class StubCollector implements Disposable {
  readonly requests: Received[] = []
  /** Statuses of the next answers; 200 after that. */
  readonly statuses: number[] = []
  /** Requests that are answered with 400. */
  refuse: (spans: readonly SentSpan[]) => boolean = () => false
  private readonly server: Bun.Server<undefined>

  constructor() {
    this.server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: async (request) => {
        const spans = decode(new Uint8Array(await request.arrayBuffer()))
        const status = this.statuses.shift() ?? (this.refuse(spans) ? 400 : 200)
        this.requests.push({ headers: request.headers, spans, status })
        return new Response(null, { status, headers: { 'content-type': 'application/x-protobuf' } })
      },
    })
  }

  get url(): string {
    return `http://127.0.0.1:${this.server.port}/v1/traces`
  }

  [Symbol.dispose](): void {
    void this.server.stop(true)
  }
}

/** The spans that a collector has accepted. */
export const sentSpans = ({ requests }: StubCollector): SentSpan[] =>
  requests.flatMap(({ status, spans }) => (status === 200 ? spans : []))

interface Decoded {
  readonly resourceSpans?: { readonly scopeSpans?: { readonly spans?: Uint8Array[] }[] }[]
}

function decode(bytes: Uint8Array): SentSpan[] {
  const request = typeOf('ExportRequest').decode(bytes) as unknown as Decoded
  const all = (request.resourceSpans ?? []).flatMap(({ scopeSpans }) => scopeSpans ?? [])
  return all
    .flatMap(({ spans }) => spans ?? [])
    .map((span) => {
      const type = typeOf('Span')
      const message = type.toObject(type.decode(span), { longs: String, bytes: String, defaults: true }) as {
        readonly [name in 'traceId' | 'spanId' | 'parentSpanId']: string
      } & {
        name: string
        status: SentSpan['status']
        attributes: KeyValues
        events: { name: string; attributes: KeyValues }[]
      }
      const hex = (base64: string) => Buffer.from(base64, 'base64').toString('hex')
      return {
        traceId: hex(message.traceId),
        spanId: hex(message.spanId),
        parentSpanId: hex(message.parentSpanId),
        name: message.name,
        status: message.status,
        attributes: byKey(message.attributes),
        events: message.events.map(({ name, attributes }) => ({ name, attributes: byKey(attributes) })),
      }
    })
}

type KeyValues = readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[]
const byKey = (attributes: KeyValues): SentAttributes =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value]))
