import { protobufFields, protobufInteger } from '../../formats/wire/protobuf-message.ts'
import type { Signal } from '../record.ts'
import { mayBeOneRecord, type Outcome } from './lane.ts'
import { RefusedRequest, type ServerClient } from './server-client.ts'

/** Names of one signal in OTLP's JSON encoding, and the path that accepts it. */
export const signals = {
  traces: { path: '/otel/v1/traces', resources: 'resourceSpans', scopes: 'scopeSpans', items: 'spans' },
  logs: { path: '/otel/v1/logs', resources: 'resourceLogs', scopes: 'scopeLogs', items: 'logRecords' },
  metrics: { path: '/otel/v1/metrics', resources: 'resourceMetrics', scopes: 'scopeMetrics', items: 'metrics' },
} as const

/** What a signal's records are counted as. */
export const whatOf = (signal: Signal): string =>
  signal === 'traces' ? 'spans' : signal === 'logs' ? 'log records' : signal

/** Resource attributes that choose the project of spans. */
export const projectAttributes = new Set(['ext.entity', 'ext.project', 'wandb.entity', 'wandb.project'])

/** Posts an export. The response to a partial success says how many records were rejected. */
export async function exportTo(
  client: ServerClient,
  path: string,
  body: string | Uint8Array,
  type: string,
): Promise<Outcome> {
  const headers = { 'content-type': type, accept: 'application/json', project_id: client.project }
  const { status, text, bytes } = await client.send(path, body as string, headers)
  if (status >= 400) {
    if (mayBeOneRecord(status)) return { refused: `${status} ${printable(text)}` }
    throw new RefusedRequest(path, status, printable(text))
  }
  const rejected = type === 'application/json' ? rejectionInJson(text) : rejectionInProtobuf(bytes)
  return rejected === undefined ? {} : { rejected }
}

function rejectionInJson(text: string): Outcome['rejected'] {
  const partial = (JSON.parse(text || '{}') as { partialSuccess?: Record<string, unknown> }).partialSuccess ?? {}
  const count = Number(Object.entries(partial).find(([name]) => name.startsWith('rejected'))?.[1] ?? 0)
  return count > 0 ? { count, reason: String(partial['errorMessage'] ?? '') } : undefined
}

const printable = (text: string): string =>
  text
    .replaceAll(/[\p{Cc}\ufffd]+/gu, ' ')
    .trim()
    .slice(0, 500)

/** The partial success of a response in protobuf. */
function rejectionInProtobuf(response: Uint8Array): Outcome['rejected'] {
  for (const { bytes: partial } of protobufFields(response)) {
    const count = protobufInteger(partial, 1)
    const message = [...protobufFields(partial)].find(({ number }) => number === 2)?.bytes
    if (count > 0) return { count, reason: new TextDecoder().decode(message) }
  }
  return undefined
}
