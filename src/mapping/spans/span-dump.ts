import { spanKinds, statusCodes } from '../../kernel/span-names.ts'
import type { NanoTime, Span, SpanGroup, SpanResource } from '../../wire/otlp/span.ts'
import { attributeTree } from './attribute-tree.ts'
import { nanoTimeText } from './span-times.ts'
import type { SpanValues } from './span-values.ts'

/** Replaces credentials in a value, in place. */
export type Redact = (value: unknown) => void

/** Dump members shared by all spans of a group. */
export function groupDump({ resource, scope }: SpanGroup, redact: Redact): string {
  const scopeMembers = { name: scope.name, version: scope.version, ...describe(scope, redact) }
  return `"resource":${JSON.stringify(describe(resource, redact))},"scope":${JSON.stringify(scopeMembers)}`
}

function describe({ attributes, droppedAttributes, schemaUrl }: SpanResource, redact: Redact): Record<string, unknown> {
  const jsonNames: string[] = []
  const tree = attributeTree(attributes, jsonNames)
  redact(tree)
  const schema = schemaUrl === '' ? {} : { schema_url: schemaUrl }
  return { attributes: tree, ...named(jsonNames), ...schema, ...counted('dropped_attributes_count', droppedAttributes) }
}

/**
 * The whole span as JSON text, shown as `attributes.otel_span` of the call. `group` is the result
 * of `groupDump`.
 */
export function spanDump(span: Span, values: SpanValues, group: string, redact: Redact): string {
  const members = {
    name: span.name,
    context: { trace_id: span.traceId, span_id: span.spanId, trace_state: span.traceState },
    kind: spanKinds[span.kind] ?? String(span.kind),
    parent_id: span.parentId,
    start_time: timeText(span.start),
    end_time: timeText(span.end),
    status: { code: statusCodes[span.statusCode] ?? String(span.statusCode), message: span.statusMessage },
    attributes: values.attributes,
    ...named(values.jsonNames),
    events: span.events.map((event, index) => ({
      name: event.name,
      timestamp: timeText(event.time),
      attributes: values.events[index]!.attributes,
      ...named(values.events[index]!.jsonNames),
      ...counted('dropped_attributes_count', event.droppedAttributes),
    })),
    links: span.links.map((link) => {
      const jsonNames: string[] = []
      const attributes = attributeTree(link.attributes, jsonNames)
      redact(attributes)
      return {
        context: { trace_id: link.traceId, span_id: link.spanId, trace_state: link.traceState },
        attributes,
        ...named(jsonNames),
        ...counted('flags', link.flags),
        ...counted('dropped_attributes_count', link.droppedAttributes),
      }
    }),
    flags: span.flags,
    ...counted('dropped_attributes_count', span.droppedAttributes),
    ...counted('dropped_events_count', span.droppedEvents),
    ...counted('dropped_links_count', span.droppedLinks),
  }
  return `${JSON.stringify(members).slice(0, -1)},${group}}`
}

export const timeText = (time: NanoTime | null): string | null => (time === null ? null : nanoTimeText(time))

const counted = (name: string, count: number): Record<string, number> => (count === 0 ? {} : { [name]: count })

/**
 * Which attributes are JSON text in the span: their values are shown parsed, and exported as they
 * came.
 */
const named = (jsonNames: readonly string[]): Record<string, readonly string[]> =>
  jsonNames.length === 0 ? {} : { json_attributes: jsonNames }
