import { isJsonObject } from '../../../lib/json-value.ts'
import { exportedGroups, JsonMembers, jsonAnyValue, resourceAndScope, resourceOf } from './json-members.ts'
import {
  type AttributeEntries,
  type NanoTime,
  type SpanResource,
  type SpanScope,
  SpanUnreadable,
  unreadableGroup,
} from './span.ts'

/**
 * Names of the severity numbers of log records, by number
 * (https://opentelemetry.io/docs/specs/otel/logs/data-model/#field-severitynumber).
 */
const severityNames: readonly string[] = [
  'UNSPECIFIED',
  ...['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL'].flatMap((name) => [name, `${name}2`, `${name}3`, `${name}4`]),
]

/** An OpenTelemetry log record, independent of its encoding. Ids are lowercase hexadecimal. */
export interface LogRecord {
  /** null if the sender omitted it. */
  readonly time: NanoTime | null
  readonly observedTime: NanoTime | null
  /** SeverityNumber of the protocol; 0 if unspecified. */
  readonly severityNumber: number
  readonly severityText: string
  readonly eventName: string
  /** A JSON value; null if there is none. */
  readonly body: unknown
  readonly attributes: AttributeEntries
  readonly droppedAttributes: number
  readonly flags: number
  /** Empty outside of a span. */
  readonly traceId: string
  readonly spanId: string
}

/** Log records of one library in one resource. */
export interface LogGroup {
  readonly resource: SpanResource
  readonly scope: SpanScope
  /**
   * Each function decodes one record.
   * @throws SpanUnreadable
   */
  readonly records: readonly (() => LogRecord)[]
}

/**
 * Decodes the groups of an ExportLogsServiceRequest in OTLP's JSON encoding. Records are decoded
 * lazily, one by one.
 *
 * @throws DomainError InvalidRequest if the text is no OTLP export, RequestTooLarge if it is
 *   nested too deeply
 */
export function decodeLogsJson(bytes: Uint8Array): LogGroup[] {
  return exportedGroups(bytes, 'resourceLogs', 'logs').flatMap((group: unknown) => {
    const scopes: unknown = isJsonObject(group) ? (group['scopeLogs'] ?? []) : undefined
    if (!isJsonObject(group) || !Array.isArray(scopes))
      return [rejected(new SpanUnreadable('its resourceLogs are malformed'), 1)]
    return scopes.map((scope: unknown) => logGroup(group, scope))
  })
}

function rejected(reason: SpanUnreadable, count: number): LogGroup {
  const { resource, scope, items } = unreadableGroup(reason, count)
  return { resource, scope, records: items }
}

function logGroup(group: Record<string, unknown>, scopeLogs: unknown): LogGroup {
  const records: unknown = isJsonObject(scopeLogs) ? (scopeLogs['logRecords'] ?? []) : undefined
  if (!isJsonObject(scopeLogs) || !Array.isArray(records))
    return rejected(new SpanUnreadable('its scopeLogs are malformed'), 1)
  try {
    return {
      ...resourceAndScope(group, scopeLogs),
      records: records.map((record: unknown) => () => decodeRecord(record)),
    }
  } catch (cause) {
    if (cause instanceof SpanUnreadable) return rejected(cause, records.length)
    throw cause
  }
}

const severities = severityNames.map((name) => `SEVERITY_NUMBER_${name}`)

function decodeRecord(value: unknown): LogRecord {
  const record = new JsonMembers(value, 'log record')
  return {
    time: record.time('timeUnixNano'),
    observedTime: record.time('observedTimeUnixNano'),
    severityNumber: record.enumerated('severityNumber', severities),
    severityText: record.text('severityText'),
    eventName: record.text('eventName'),
    body: jsonAnyValue(record.get('body')),
    ...resourceOf(record),
    flags: record.count('flags'),
    traceId: record.id('traceId'),
    spanId: record.id('spanId'),
  }
}
