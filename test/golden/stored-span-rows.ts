import { type PartOptions, spanPart } from '../../src/domains/calls/parts.ts'
import { walkPayload } from '../../src/domains/calls/redact.ts'
import { groupDump, type HeldCells, storeSpan } from '../../src/formats/mapping/spans/span-dump.ts'
import { spanToCall } from '../../src/formats/mapping/spans/span-to-call.ts'
import { type Span, SpanUnreadable } from '../../src/formats/wire/otlp/span.ts'
import { isStoredLean } from '../../src/lib/stored-span.ts'
import type { Row } from '../../src/lib/table.ts'
import { projectId } from './fixture.ts'
import type { Random } from './random.ts'
import { attributes } from './random-spans.ts'

const redact = (value: unknown) => walkPayload(value, { redact: true, refs: undefined, contents: undefined })

export const partOptions: PartOptions = {
  redact: true,
  userId: 'u',
  nowMs: 1_767_600_000_000,
  // Content that becomes a file differs between what a call holds and what its span said.
  contents: { replace: (text) => (text.startsWith('x'.repeat(30)) ? 'a file' : undefined) } as PartOptions['contents'],
}

/** Nothing that a span could be stored without. */
const nothing: HeldCells = {
  id: '',
  traceId: '',
  parentId: null,
  startedAt: -1,
  endedAt: null,
  inputs: null,
  inputsValue: undefined,
  output: null,
  outputValue: undefined,
}

export interface StoredSpanRow {
  readonly row: Row
  readonly whole: string
}

/** The row of a span, and the text of the whole span; undefined if it is refused. */
export function storedSpanRow(span: Span, random: Random): StoredSpanRow | undefined {
  const resource = { attributes: attributes(random, 3), droppedAttributes: 0, schemaUrl: '' }
  const group = groupDump({ resource, scope: { ...resource, name: 'lib', version: '1' }, spans: [] }, redact)
  try {
    const { call, values } = spanToCall(span, projectId, redact)
    let whole = ''
    const row = spanPart(
      call,
      (held) => {
        const alone = storeSpan(span, values, group, nothing, redact)
        whole = isStoredLean(alone.group) ? `${alone.dump.slice(0, -1)},${group.slice(1)}` : alone.dump
        return storeSpan(span, values, group, held, redact)
      },
      projectId,
      partOptions,
    )
    return { row, whole }
  } catch (error) {
    if (error instanceof SpanUnreadable) return undefined
    throw error
  }
}
