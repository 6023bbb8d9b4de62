import type { SpanGroup, SpanUnreadable } from './span.ts'

/** Spans that cannot be taken because what they belong to cannot be read. */
export const brokenGroup = (reason: SpanUnreadable, spans: number): SpanGroup => ({
  resource: { attributes: [], droppedAttributes: 0, schemaUrl: '' },
  scope: { name: '', version: '', attributes: [], droppedAttributes: 0, schemaUrl: '' },
  spans: Array.from({ length: spans }, () => () => {
    throw reason
  }),
})
