import type { OtlpJson } from './record.ts'
import type { Origin } from './source.ts'

/**
 * Attributes that the server turns into `attributes.import` of the call that a span becomes, in
 * OTLP's JSON encoding.
 */
export const originAttributes = (origin: Origin): readonly OtlpJson[] =>
  originEntries(origin).map(([key, text]) => ({ key, value: { stringValue: text } }))

/** The same as names and texts. */
export const originEntries = ({ source, version, file }: Origin): readonly (readonly [string, string])[] => [
  ['ext.attributes.import.source', source],
  ['ext.attributes.import.version', version],
  ['ext.attributes.import.file', file],
]
