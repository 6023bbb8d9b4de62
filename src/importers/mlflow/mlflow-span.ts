import { parseJsonExactly } from '../../formats/wire/json-body.ts'
import { isJsonObject } from '../../lib/json-value.ts'
import { limits } from '../../lib/limits.ts'
import { decodeBase64 } from '../../runtime/platform/crypto.ts'
import { originAttributes } from '../origin.ts'
import { otlpAttributes } from '../otlp-value.ts'
import type { ImportRecord, OtlpJson } from '../record.ts'
import type { Origin } from '../source.ts'

type Members = Readonly<Record<string, unknown>>

/** What MLflow keeps beside the spans of a trace. */
export interface TraceFacts {
  readonly origin: Origin
  readonly experiment: string
  /** In a column of its own since MLflow 3.17; before, it is part of the metadata. */
  readonly session: unknown
  readonly tags: Readonly<Record<string, string>>
  readonly metadata: Readonly<Record<string, string>>
}

const statusCodes: Readonly<Record<string, number>> = {
  STATUS_CODE_UNSET: 0,
  STATUS_CODE_OK: 1,
  STATUS_CODE_ERROR: 2,
  OK: 1,
  ERROR: 2,
}

/** A span as MLflow stores it: ids in base64, attribute values as JSON texts. */
export function mlflowSpan(content: string, facts: TraceFacts): ImportRecord {
  const span = parseJsonExactly(content, limits.otlpJsonDepthMax) as Members
  const parentId = hexId(span['parent_span_id'])
  const events = Array.isArray(span['events']) ? span['events'].filter(isJsonObject) : []
  return {
    kind: 'telemetry',
    signal: 'traces',
    resource: { attributes: otlpAttributes({ 'mlflow.experiment': facts.experiment }) },
    scope: { name: 'mlflow' },
    item: {
      traceId: hexId(span['trace_id']),
      spanId: hexId(span['span_id']),
      ...(parentId !== '' && { parentSpanId: parentId }),
      name: String(span['name'] ?? ''),
      startTimeUnixNano: integerText(span['start_time_unix_nano']),
      endTimeUnixNano: integerText(span['end_time_unix_nano']),
      attributes: [
        ...otlpAttributes(isJsonObject(span['attributes']) ? span['attributes'] : {}),
        ...otlpAttributes(traceAttributes(facts, parentId === '')),
        ...originAttributes(facts.origin),
      ],
      events: events.map(spanEvent),
      status: statusOf(span['status']),
    },
  }
}

/** The session goes to every span, as a thread; the rest of the trace's details to its root. */
function traceAttributes({ session: given, tags, metadata }: TraceFacts, isRoot: boolean): Record<string, string> {
  const session = typeof given === 'string' ? given : metadata['mlflow.trace.session']
  const named: Record<string, string> = session === undefined ? {} : { 'mlflow.trace.session': session }
  if (!isRoot) return asJson(named)
  const user = metadata['mlflow.trace.user']
  const ownTags = Object.fromEntries(Object.entries(tags).filter(([name]) => !name.startsWith('mlflow.')))
  return {
    ...asJson({ ...named, ...(user !== undefined && { 'mlflow.trace.user': user }) }),
    ...(user !== undefined && { 'user.id': user }),
    ...prefixed('mlflow.trace.tags.', ownTags),
  }
}

/** MLflow's attributes contain JSON, also for texts. */
const asJson = (texts: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, JSON.stringify(text)]))

const prefixed = (prefix: string, texts: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [prefix + name, text]))

const spanEvent = (event: Members): OtlpJson => ({
  name: String(event['name'] ?? ''),
  timeUnixNano: integerText(event['time_unix_nano'] ?? event['timestamp']),
  attributes: otlpAttributes(isJsonObject(event['attributes']) ? event['attributes'] : {}),
})

function statusOf(status: unknown): OtlpJson {
  const { code, message } = isJsonObject(status) ? status : {}
  const number = typeof code === 'number' ? code : statusCodes[String(code)]
  return { code: number ?? 0, message: String(message ?? '') }
}

/** Ids are base64, or hexadecimal in older versions. */
function hexId(id: unknown): string {
  if (typeof id !== 'string' || id === '') return ''
  // The base64 of an id may begin like a prefix, too.
  const hex = /^(?:0x|tr-)?([0-9a-f]{16}|[0-9a-f]{32})$/.exec(id)?.[1]
  return hex ?? decodeBase64(id)?.toHex() ?? id
}

const integerText = (value: unknown): string => JSON.stringify(value ?? 0)
