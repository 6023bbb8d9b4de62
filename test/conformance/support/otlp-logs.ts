import type { Client, RequestOptions } from './client.ts'
import { anyValue, binary, codecs, type Encoding, type ExportAnswer, listOf, pairsOf, sendRaw } from './otlp.ts'

type Json = Record<string, unknown>
type Attributes = Readonly<Record<string, unknown>>

/** The parts of a log record that a test specifies; the rest has defaults. */
export interface RecordDraft {
  /** Nanoseconds since 1970, as digits. */
  time?: string
  observed?: string
  severity?: number
  severityText?: string
  event?: string
  body?: unknown
  attributes?: Attributes
  traceId?: string
  spanId?: string
}

/** 2024-05-01T10:00:00.123456789Z. */
const timeNanos = '1714557600123456789'

/** A log record in OTLP's JSON encoding. */
export const recordOf = (draft: RecordDraft = {}): Json => ({
  timeUnixNano: draft.time ?? timeNanos,
  ...(draft.observed !== undefined && { observedTimeUnixNano: draft.observed }),
  severityNumber: draft.severity ?? 9,
  severityText: draft.severityText ?? 'INFO',
  ...(draft.event !== undefined && { eventName: draft.event }),
  ...(draft.body !== undefined && { body: anyValue(draft.body) }),
  attributes: pairsOf(draft.attributes ?? {}),
  ...(draft.traceId !== undefined && { traceId: draft.traceId }),
  ...(draft.spanId !== undefined && { spanId: draft.spanId }),
})

/** Records of one library in one resource. */
export const logGroupOf = (records: readonly unknown[], resource: Attributes = {}, scope = 'a-library'): Json => ({
  resource: { attributes: pairsOf(resource) },
  scopeLogs: [{ scope: { name: scope, version: '1.2.3' }, logRecords: records }],
})

export const logExportOf = (...groups: readonly unknown[]): Json => ({ resourceLogs: groups })

/** The same export in protobuf. */
export function logsToProtobuf(body: Json): Uint8Array<ArrayBuffer> {
  const groups = listOf(body['resourceLogs']).map((group) => ({
    schemaUrl: group['schemaUrl'],
    resource: codecs['Resource']!.encode(binary(group['resource'] ?? {})).finish(),
    scopeLogs: listOf(group['scopeLogs']).map((scope) => ({
      schemaUrl: scope['schemaUrl'],
      scope: codecs['Scope']!.encode(binary(scope['scope'] ?? {})).finish(),
      logRecords: listOf(scope['logRecords']).map((record) => codecs['LogRecord']!.encode(binary(record)).finish()),
    })),
  }))
  return codecs['LogsRequest']!.encode({ resourceLogs: groups }).finish()
}

/** Sends an export of logs in the encoding. */
export async function sendLogs(
  client: Client,
  body: Json,
  encoding: Encoding,
  options: RequestOptions & { path?: string } = {},
): Promise<ExportAnswer> {
  const bytes = encoding === 'json' ? JSON.stringify(body) : logsToProtobuf(body)
  return await sendRaw(client, bytes, encoding, { path: '/v1/logs', ...options })
}

/** A log as the query operation answers it. */
export interface StoredLog {
  readonly id: string
  readonly time: string
  readonly trace_id: string | null
  readonly span_id: string | null
  readonly thread_id: string | null
  readonly turn_id: string | null
  readonly call_id: string | null
  readonly event_name: string | null
  readonly body: unknown
  readonly attributes: Json
}

/** The logs that a query finds. */
export async function queryLogs(
  client: Client,
  project_id: string,
  question: Readonly<Record<string, unknown>> = {},
): Promise<StoredLog[]> {
  const answer = await client.post('/logs/query', { project_id, ...question })
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`)
  const lines = answer.text.split('\n').filter((line) => line !== '')
  return lines.map((line) => JSON.parse(line) as StoredLog)
}
