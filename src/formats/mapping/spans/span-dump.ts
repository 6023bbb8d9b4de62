import { heldAttributes } from '../../../lib/held-attributes.ts'
import { isJsonObject } from '../../../lib/json-value.ts'
import { itemAt } from '../../../lib/present.ts'
import { markStart, spanKinds, spanMarks, statusCodes, wholeSpan } from '../../../lib/stored-span.ts'
import type { NanoTime, Span, SpanGroup, SpanResource } from '../../wire/otlp/span.ts'
import { attributeTree, findOwner } from './attribute-tree.ts'
import { nanoTimeText, type SpanValues } from './span-values.ts'

/** Replaces credentials in a value, in place. */
export type Redact = (value: unknown) => void

/** Values shared by the spans of a group, as a JSON object. */
export function groupDump({ resource, scope }: SpanGroup, redact: Redact): string {
  const scopeMembers = { name: scope.name, version: scope.version, ...describe(scope, redact) }
  return `{"resource":${JSON.stringify(describe(resource, redact))},"scope":${JSON.stringify(scopeMembers)}}`
}

function describe({ attributes, droppedAttributes, schemaUrl }: SpanResource, redact: Redact): Record<string, unknown> {
  const jsonNames: string[] = []
  const tree = attributeTree(attributes, jsonNames)
  redact(tree)
  const schema = schemaUrl === '' ? {} : { schema_url: schemaUrl }
  return { attributes: tree, ...named(jsonNames), ...schema, ...counted('dropped_attributes_count', droppedAttributes) }
}

/** Values of a span that may be left out of the stored span because its call has them. */
export interface HeldCells {
  readonly id: string
  readonly traceId: string
  readonly parentId: string | null
  /** Microseconds since 1970 UTC. */
  readonly startedAt: number
  readonly endedAt: number | null
  /** JSON texts, and the values that they were written of. */
  readonly inputs: string | null
  readonly inputsValue: unknown
  readonly output: string | null
  readonly outputValue: unknown
}

/** The cells of a stored span: see `lib/stored-span.ts`. */
export interface StoredSpan {
  readonly dump: string
  readonly group: string
}

/**
 * The span as it is stored beside its call. `group` is the result of `groupDump`. See
 * docs/decisions/146-a-span-is-stored-once.md.
 */
export function storeSpan(span: Span, values: SpanValues, group: string, held: HeldCells, redact: Redact): StoredSpan {
  const dump = leanText(span, values, held, redact)
  if (dump !== undefined) return { dump, group }
  const whole = JSON.stringify(spanMembers(span, values, {}, redact))
  return { dump: `${whole.slice(0, -1)},${group.slice(1)}`, group: wholeSpan }
}

/** Marks in the place of what columns hold. */
interface Marks {
  context?: string
  parentId?: string
  start?: string
  end?: string
}

function spanMembers(span: Span, values: SpanValues, marks: Marks, redact: Redact) {
  return {
    name: span.name,
    context: marks.context ?? { trace_id: span.traceId, span_id: span.spanId, trace_state: span.traceState },
    kind: spanKinds[span.kind] ?? String(span.kind),
    parent_id: marks.parentId ?? span.parentId,
    start_time: marks.start ?? timeText(span.start),
    end_time: marks.end ?? timeText(span.end),
    status: { code: statusCodes[span.statusCode] ?? String(span.statusCode), message: span.statusMessage },
    attributes: values.attributes,
    ...named(values.jsonNames),
    events: span.events.map((event, index) => ({
      name: event.name,
      timestamp: timeText(event.time),
      attributes: itemAt(values.events, index).attributes,
      ...named(itemAt(values.events, index).jsonNames),
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
}

/**
 * The span with marks in the place of what its call holds; undefined if something that was sent
 * looks like a mark.
 */
function leanText(span: Span, values: SpanValues, held: HeldCells, redact: Redact): string | undefined {
  const marks = marksOf(span, held)
  const inputs = takeOut(values, held.inputs, held.inputsValue, spanMarks.inputs)
  const output = takeOut(values, held.output, held.outputValue, spanMarks.output)
  try {
    const text = JSON.stringify(spanMembers(span, values, marks, redact))
    const expected = Object.keys(marks).length + (inputs === undefined ? 0 : 1) + (output === undefined ? 0 : 1)
    return countOf(text, markStart) === expected ? text : undefined
  } finally {
    putBack(output)
    putBack(inputs)
  }
}

function marksOf(span: Span, held: HeldCells): Marks {
  const marks: Marks = {}
  if (span.traceId === held.traceId && span.spanId === held.id && span.traceState === '') {
    marks.context = spanMarks.context
  }
  if (span.parentId !== null && span.parentId === held.parentId) marks.parentId = spanMarks.parentId
  if (isTime(span.start, held.startedAt)) marks.start = spanMarks.start
  if (isTime(span.end, held.endedAt)) marks.end = spanMarks.end
  return marks
}

const microsMax = 253_402_300_800_000_000

/** Whether a column holds the time in full. */
const isTime = (time: NanoTime | null, micros: number | null): boolean =>
  time !== null && time.nanos === 0 && time.micros === micros && micros >= 0 && micros < microsMax

interface TakenOut {
  readonly owner: Record<string, unknown>
  readonly name: string
  readonly value: unknown
}

/** Attributes that may be held elsewhere, with their paths. */
const heldPaths = new Map(heldAttributes.map((name) => [name, name.split('.')]))

/** A shorter text costs less than finding it elsewhere. */
const heldCharsMin = 24

/**
 * Puts a mark in the place of the attribute that is all that a cell holds, until `putBack`;
 * undefined if there is none.
 */
function takeOut(values: SpanValues, text: string | null, cell: unknown, mark: string): TakenOut | undefined {
  if (text === null || !isJsonObject(cell)) return undefined
  const [first, second] = Object.keys(cell)
  if (first === undefined || second !== undefined) return undefined
  const path = heldPaths.get(first)
  if (path === undefined) return undefined
  const value = cell[first]
  const isLong = typeof value === 'string' ? value.length >= heldCharsMin : isJsonObject(value) || Array.isArray(value)
  const owner = isLong ? findOwner(values.attributes, path) : undefined
  const name = itemAt(path, path.length - 1)
  if (owner === undefined || owner[name] !== value) return undefined
  // A mark inside would be taken for one, and other text may have been changed for storage.
  if (text.includes(markStart) || text.includes('\\ud')) return undefined
  owner[name] = mark
  return { owner, name, value }
}

function putBack(taken: TakenOut | undefined): void {
  if (taken !== undefined) taken.owner[taken.name] = taken.value
}

function countOf(text: string, part: string): number {
  let count = 0
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) count++
  return count
}

export const timeText = (time: NanoTime | null): string | null => (time === null ? null : nanoTimeText(time))

const counted = (name: string, count: number): Record<string, number> => (count === 0 ? {} : { [name]: count })

/**
 * Which attributes are JSON text in the span: their values are shown parsed, and exported as they
 * came.
 */
const named = (jsonNames: readonly string[]): Record<string, readonly string[]> =>
  jsonNames.length === 0 ? {} : { json_attributes: jsonNames }
