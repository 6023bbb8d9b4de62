import { BoundedMap } from '../../../lib/bounded-map.ts'
import { isThreadName } from '../../../lib/ids.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'
import { telemetryLimits } from '../../../lib/limits/telemetry.ts'
import { sha256Hex } from '../../../runtime/platform/crypto.ts'

/** Op name of spans without a name. */
const unnamed = 'span'

/** Names repeat from span to span. */
const opNames = new BoundedMap<string, string>(telemetryLimits.knownOpsMax)

/**
 * Op name of a span: its name, truncated if necessary, with `-` for characters not allowed in
 * object names (which have letters and digits of any script, `_`, `.` and `-`). See
 * docs/decisions/208-names-of-spans.md.
 */
export function opNameOf(spanName: string): string {
  const known = opNames.get(spanName)
  if (known !== undefined) return known
  const name = shortened(spanName, operationLimits.idCharsMax)
    .replaceAll(/[^\p{L}\p{N}_.-]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
  if (spanName.length <= operationLimits.idCharsMax) opNames.set(spanName, name || unnamed)
  return name || unnamed
}

export const displayNameOf = (name: string): string => shortened(name, operationLimits.displayNameCharsMax)

/** Thread name: the text, truncated if necessary, with spaces for control characters. */
export function threadNameOf(text: string): string {
  if (isThreadName(text)) return text
  return shortened(text.replaceAll(/\p{Cc}+/gu, ' '), operationLimits.threadNameCharsMax)
}

/** Truncates a text longer than `charsMax` at a delimiter and appends four digits of its hash. */
function shortened(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text
  const mark = `:${sha256Hex(text).slice(0, 4)}`
  const head = text.slice(0, charsMax - mark.length)
  const delimiter = head.search(/[^A-Za-z0-9]+[A-Za-z0-9]*$/)
  // A delimiter in the first half would lose too much of the name.
  const cut = delimiter > head.length / 2 ? head.slice(0, delimiter) : head
  return cut.toWellFormed().replaceAll('\u{fffd}', '') + mark
}
