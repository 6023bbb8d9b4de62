import { isoText } from './time.ts'

/** SpanKind names of the protocol, by number. */
export const spanKinds: readonly string[] = ['UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER']

/** StatusCode names of the protocol, by number. */
export const statusCodes: readonly string[] = ['UNSET', 'OK', 'ERROR']

/*
 * A span is stored without the values that other columns of its call contain: its identity, its
 * times, its input and output. In `otel_dump`, a mark takes the place of each of them. Resource and
 * scope, which many spans share, are in `otel_group`. The whole span, as it is answered, is put
 * together again from the text of these columns, byte for byte.
 */

/** Cells of a call of which its span is put together. */
export interface SpanCells {
  readonly otel_dump: string | null
  readonly otel_group: string | null
  readonly id: string
  readonly trace_id: string | null
  readonly parent_id: string | null
  readonly started_at: number | null
  readonly ended_at: number | null
  readonly inputs: string | null
  readonly output: string | null
}

/** Columns of which a span is put together. */
export const spanColumns = [
  'otel_dump',
  'otel_group',
  'id',
  'trace_id',
  'parent_id',
  'started_at',
  'ended_at',
  'inputs',
  'output',
] as const satisfies readonly (keyof SpanCells)[]

/** The content of `otel_group` beside a span that is stored as a whole. */
export const wholeSpan = 'null'

/** Strings in a stored span, in the place of what other columns hold. */
export const spanMarks = {
  context: '\u0001c',
  parentId: '\u0001p',
  start: '\u0001s',
  end: '\u0001e',
  inputs: '\u0001i',
  output: '\u0001o',
} as const

/** How marks begin in JSON text. */
export const markStart = '"\\u0001'

/** A mark in JSON text. */
const markText = (mark: string): string => JSON.stringify(mark)

/** Whether the cells hold a span without what other columns hold. */
export const isStoredLean = (group: string | null): group is string => group !== null && group !== wholeSpan

/** The text of the whole span; null for a call that was not made from one. */
export function spanText(cells: SpanCells): string | null {
  const { otel_dump: dump, otel_group: group } = cells
  if (dump === null || !isStoredLean(group)) return dump
  let text = dump.slice(0, -1)
  const put = (mark: string, held: () => string) => {
    const [at, sought] = [text.indexOf(markText(mark)), markText(mark)]
    if (at >= 0) text = text.slice(0, at) + held() + text.slice(at + sought.length)
  }
  put(spanMarks.context, () => contextText(cells.trace_id ?? '', cells.id))
  put(spanMarks.parentId, () => JSON.stringify(cells.parent_id ?? ''))
  put(spanMarks.start, () => JSON.stringify(isoText(cells.started_at ?? 0)))
  put(spanMarks.end, () => JSON.stringify(isoText(cells.ended_at ?? 0)))
  put(spanMarks.inputs, () => onlyMember(cells.inputs ?? '{"":null}'))
  put(spanMarks.output, () => onlyMember(cells.output ?? '{"":null}'))
  return `${text},${group.slice(1)}`
}

/** The context of a span without a trace state. */
const contextText = (traceId: string, spanId: string): string =>
  `{"trace_id":"${traceId}","span_id":"${spanId}","trace_state":""}`

/** The value in the text of an object with a single member, whose name has no quotation mark. */
const onlyMember = (text: string): string => text.slice(text.indexOf('":') + 2, -1)
