/** Bytes from `from` (inclusive) to `to` (exclusive). */
export interface ByteRange {
  readonly from: number
  readonly to: number
}

/**
 * The single byte range requested by a `Range` header (RFC 9110, section 14). Undefined if there is
 * none, more than one, or an unknown unit; the whole content is returned then, as the standard
 * allows.
 */
export function chooseRange(header: string | null, bytes: number): ByteRange | 'unsatisfiable' | undefined {
  const asked = /^\s*bytes\s*=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(header ?? '')
  if (asked === null) return undefined
  const [, first, last] = asked as unknown as [string, string, string]
  if (first === '') {
    if (last === '') return undefined
    const length = Math.min(Number(last), bytes)
    return length === 0 ? 'unsatisfiable' : { from: bytes - length, to: bytes }
  }
  const from = Number(first)
  if (last !== '' && Number(last) < from) return undefined
  if (from >= bytes) return 'unsatisfiable'
  return { from, to: last === '' ? bytes : Math.min(Number(last) + 1, bytes) }
}
