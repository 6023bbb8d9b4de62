import { BoundedMap } from '../../kernel/bounded-map.ts'
import { isThreadName } from '../../kernel/ids.ts'
import { limits } from '../../limits.ts'
import { sha256Hex } from '../../platform/crypto.ts'

/** Name of the op of a span without a name. */
const unnamed = 'span'

/** Names repeat from span to span. */
const opNames = new BoundedMap<string, string>(limits.knownOpsMax)

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
  if (spanName.length <= limits.idCharsMax) opNames.set(spanName, name || unnamed)
  return name || unnamed
}

export const displayNameOf = (name: string): string => shortened(name, limits.displayNameCharsMax)

/** The name of a thread: the text, shortened where it is too long, with a space for control characters. */
export function threadNameOf(text: string): string {
  if (isThreadName(text)) return text
  return shortened(text.replaceAll(/\p{Cc}+/gu, ' '), limits.threadNameCharsMax)
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
