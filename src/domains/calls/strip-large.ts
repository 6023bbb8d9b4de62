import { callsTable } from '../../engine/tables/calls-table.ts'
import type { Dialect } from '../../formats/dialect/dialect.ts'
import { requestLimits } from '../../lib/limits/requests.ts'
import type { Row } from '../../lib/table.ts'

const { at } = callsTable
const payload = [at.attributes, at.inputs, at.output, at.summary]

/** JSON text that takes the place of a part of a payload, as the vendor's servers have it. */
export const exceedsLimits = ({ namespace }: Pick<Dialect, 'namespace'>): string =>
  `{"_${namespace}":{"error":"<EXCEEDS_LIMITS>"}}`

/**
 * Replaces the largest of attributes, inputs, output and summary, one after the other, until all of
 * them together are within `requestLimits.callPayloadBytesMax`. See
 * docs/decisions/211-large-calls.md.
 */
export function stripLarge(part: Row, marker: string): void {
  const sizes = payload.map((cell) => ({ cell, bytes: Buffer.byteLength((part[cell] as string | null) ?? '') }))
  let bytes = sizes.reduce((sum, one) => sum + one.bytes, 0)
  for (const largest of sizes.sort((a, b) => b.bytes - a.bytes)) {
    if (bytes <= requestLimits.callPayloadBytesMax) return
    part[largest.cell] = marker
    bytes += marker.length - largest.bytes
  }
}
