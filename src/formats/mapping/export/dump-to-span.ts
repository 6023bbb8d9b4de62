import { isJsonObject, isRawNumber } from '../../../lib/json-value.ts'
import { spanKinds, statusCodes } from '../../../lib/stored-span.ts'
import { parseTime } from '../../../lib/time.ts'
import { type ExportedSpan, flatAttributes, type Halves, halvesOf, type SourceToSend } from './otlp-span.ts'

type Members = Readonly<Record<string, unknown>>

const objectOf = (value: unknown): Members => (isJsonObject(value) ? value : {})
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const listOf = (value: unknown): readonly Members[] => (Array.isArray(value) ? value.map(objectOf) : [])
const countOf = (value: unknown): number => (typeof value === 'number' ? value : 0)
const bytesOf = (id: unknown): Uint8Array => Uint8Array.fromHex(textOf(id))

/**
 * Restores the span that a call was made from, from its stored dump (`spanDump`). See
 * docs/decisions/107-forward-spans-as-they-came.md.
 */
export function dumpToSpan(dump: Members): ExportedSpan {
  const context = objectOf(dump['context'])
  const status = objectOf(dump['status'])
  const parentId = textOf(dump['parent_id'])
  const resource = objectOf(dump['resource'])
  const scope = objectOf(dump['scope'])
  return {
    span: {
      traceId: bytesOf(context['trace_id']),
      spanId: bytesOf(context['span_id']),
      ...(parentId !== '' && { parentSpanId: bytesOf(parentId) }),
      traceState: textOf(context['trace_state']),
      name: textOf(dump['name']),
      kind: numberOf(spanKinds, dump['kind']),
      startTimeUnixNano: nanosOf(dump['start_time']),
      endTimeUnixNano: nanosOf(dump['end_time']),
      ...attributesOf(dump),
      events: listOf(dump['events']).map((event) => ({
        name: textOf(event['name']),
        timeUnixNano: nanosOf(event['timestamp']),
        ...attributesOf(event),
      })),
      droppedEventsCount: countOf(dump['dropped_events_count']),
      links: listOf(dump['links']).map((link) => {
        const linked = objectOf(link['context'])
        return {
          traceId: bytesOf(linked['trace_id']),
          spanId: bytesOf(linked['span_id']),
          traceState: textOf(linked['trace_state']),
          flags: countOf(link['flags']),
          ...attributesOf(link),
        }
      }),
      droppedLinksCount: countOf(dump['dropped_links_count']),
      status: { code: numberOf(statusCodes, status['code']), message: textOf(status['message']) },
      flags: countOf(dump['flags']),
    },
    resource: attributesOf(resource),
    resourceUrl: textOf(resource['schema_url']),
    scope: { name: textOf(scope['name']), version: textOf(scope['version']), ...attributesOf(scope) },
    scopeUrl: textOf(scope['schema_url']),
    resourceKey: JSON.stringify(resource),
    scopeKey: JSON.stringify(scope),
  }
}

const attributesOf = (from: Members): SourceToSend => ({
  attributes: flatAttributes(from['attributes'], from['json_attributes']),
  droppedAttributesCount: countOf(from['dropped_attributes_count']),
})

/** The number of a name of the protocol; unknown ones were kept as numbers. */
function numberOf(names: readonly string[], name: unknown): number {
  const known = names.indexOf(textOf(name))
  return known < 0 ? Number(isRawNumber(name) ? name.rawJSON : (name ?? 0)) || 0 : known
}

/** A time of `nanoTimeText` in nanoseconds; 0 for none. */
export function nanosOf(time: unknown): Halves {
  const text = textOf(time)
  const micros = text === '' ? undefined : parseTime(text)
  if (micros === undefined) return halvesOf(0n)
  const nanos = /\.\d{6}(\d{3})Z$/.exec(text)?.[1] ?? '0'
  return halvesOf(BigInt(micros) * 1000n + BigInt(nanos))
}
