import { sha256Hex } from '../runtime/platform/crypto.ts'

/** The same UUID (version 8, RFC 9562) for the same parts in every run. */
export function stableUuid(...parts: readonly string[]): string {
  const hex = sha256Hex(JSON.stringify(parts))
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16)
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    variant + hex.slice(17, 20),
    hex.slice(20, 32),
  ].join('-')
}
