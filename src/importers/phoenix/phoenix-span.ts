import { parseJsonExactly } from '../../formats/wire/json-body.ts'
import { isJsonObject } from '../../lib/json-value.ts'
import { limits } from '../../lib/limits.ts'
import { parseTime } from '../../lib/time.ts'
import { flattenAttributes } from '../flatten.ts'
import { originAttributes } from '../origin.ts'
import { otlpAttributes, otlpNanos } from '../otlp-value.ts'
import type { ImportRecord, OtlpJson } from '../record.ts'
import type { Origin } from '../source.ts'

export interface SpanRow {
  readonly [column: string]: string | null
  readonly span_id: string
  readonly parent_id: string | null
  readonly trace_id: string
  readonly name: string
  readonly start_time: string
  readonly end_time: string | null
  readonly attributes: string
  readonly events: string
  readonly status_code: string
  readonly status_message: string
  readonly project: string
}

const statusCodes: Readonly<Record<string, number>> = { UNSET: 0, OK: 1, ERROR: 2 }

/** A row of Phoenix's table `spans` as a span again. */
export function phoenixSpan(row: SpanRow, origin: Origin): ImportRecord {
  const attributes = json(row.attributes)
  const events = json(row.events)
  return {
    kind: 'telemetry',
    signal: 'traces',
    resource: { attributes: otlpAttributes({ 'openinference.project.name': row.project }) },
    scope: { name: 'phoenix' },
    item: {
      traceId: row.trace_id,
      spanId: row.span_id,
      ...(row.parent_id !== null && { parentSpanId: row.parent_id }),
      name: row.name,
      startTimeUnixNano: nanos(row.start_time),
      ...(row.end_time !== null && { endTimeUnixNano: nanos(row.end_time) }),
      attributes: [
        ...otlpAttributes(isJsonObject(attributes) ? flattenAttributes(attributes) : {}),
        ...originAttributes(origin),
      ],
      events: Array.isArray(events) ? events.filter(isJsonObject).map(spanEvent) : [],
      status: { code: statusCodes[row.status_code] ?? 0, message: row.status_message },
    },
  }
}

const spanEvent = (event: Record<string, unknown>): OtlpJson => ({
  name: String(event['name'] ?? ''),
  timeUnixNano: nanos(String(event['timestamp'] ?? '')),
  attributes: otlpAttributes(isJsonObject(event['attributes']) ? event['attributes'] : {}),
})

/** SQLAlchemy writes times in UTC without saying so. */
function nanos(text: string): string {
  const iso = text.replace(' ', 'T')
  return otlpNanos(parseTime(/(?:Z|[+-]\d\d:?\d\d)$/.test(iso) ? iso : `${iso}Z`) ?? 0)
}

const json = (text: string): unknown => parseJsonExactly(text, limits.otlpJsonDepthMax)
