import { limits } from '../../limits.ts'
import { sha256Hex } from '../../platform/crypto.ts'
import { isId } from '../calls/parts.ts'

/** Name of the op of a span without a name. */
const unnamed = 'span'

/** Names repeat from span to span; the bound keeps odd senders from filling memory. */
const opNames = new Map<string, string>()

/**
 * Name of the op of a span: the span's name, shortened where it is too long, with `-` for what names of objects cannot have (they have
 * letters and digits of any script, `_`, `.` and `-`).
 */
export function opNameOf(spanName: string): string {
  const known = opNames.get(spanName)
  if (known !== undefined) return known
  const name = shortened(spanName, limits.idCharsMax)
    .replaceAll(/[^\p{L}\p{N}_.-]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
  if (opNames.size >= limits.knownOpsMax) opNames.clear()
  if (spanName.length <= limits.idCharsMax) opNames.set(spanName, name || unnamed)
  return name || unnamed
}

export const displayNameOf = (name: string): string => shortened(name, limits.displayNameCharsMax)

/** An id that calls may have: other characters become `_`, with a mark that keeps different texts different. */
export function idOf(text: string): string {
  if (isId(text)) return text
  const mark = `:${sha256Hex(text).slice(0, 8)}`
  return text.replaceAll(/[^A-Za-z0-9_.:-]/g, '_').slice(0, limits.idCharsMax - mark.length) + mark
}

/** The text, cut at a delimiter where it is longer than `charsMax`, with four digits of its hash at the end. */
function shortened(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text
  const mark = `:${sha256Hex(text).slice(0, 4)}`
  const head = text.slice(0, charsMax - mark.length)
  const delimiter = head.search(/[^A-Za-z0-9]+[A-Za-z0-9]*$/)
  // A cut that loses more than half of the name says too little.
  const cut = delimiter > head.length / 2 ? head.slice(0, delimiter) : head
  return cut.toWellFormed().replaceAll('\u{fffd}', '') + mark
}
