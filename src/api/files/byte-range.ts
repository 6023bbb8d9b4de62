/** Bytes from `from` up to, not including, `to`. */
export interface ByteRange {
  readonly from: number
  readonly to: number
}

/**
 * The one range of bytes that a `Range` header asks for (RFC 9110, section 14). Undefined where it asks for none, for several at once, or
 * in units unknown here: then the whole is answered, as the standard allows.
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
