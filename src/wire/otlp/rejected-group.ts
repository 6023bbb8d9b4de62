import type { SpanGroup, SpanUnreadable } from './span.ts'

/** Spans that are rejected because their group cannot be read. */
export const rejectedGroup = (reason: SpanUnreadable, spans: number): SpanGroup => ({
  resource: { attributes: [], droppedAttributes: 0, schemaUrl: '' },
  scope: { name: '', version: '', attributes: [], droppedAttributes: 0, schemaUrl: '' },
  spans: Array.from({ length: spans }, () => () => {
    throw reason
  }),
})
