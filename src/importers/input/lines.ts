import { MiB } from '../../lib/bytes.ts'
import { toolLimits } from '../../lib/limits/tools.ts'
import { present } from '../../lib/present.ts'

/** The lines of a response. */
export const responseLines = ({ body }: Response): AsyncGenerator<string> =>
  readLines(present(body, 'The body of a response'), () => {})

/**
 * The lines of UTF-8 text, without their ends; empty lines are left out.
 *
 * @param onTooLong called with the number of a line that exceeds the limit and is left out
 */
export async function* readLines(
  pieces: AsyncIterable<Uint8Array>,
  onTooLong: (line: number) => void,
): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest: Uint8Array[] = []
  let restBytes = 0
  let line = 1
  const text = (last: Uint8Array): string | undefined => {
    const bytes = restBytes + last.byteLength
    const all = rest.length === 0 ? last : concat([...rest, last], bytes)
    const isTooLong = bytes > toolLimits.importLineBytesMax
    rest = []
    restBytes = 0
    if (isTooLong) onTooLong(line)
    return isTooLong || bytes === 0 ? undefined : decoder.decode(all)
  }
  for await (const piece of pieces) {
    let from = 0
    for (let end = piece.indexOf(lineEnd); end >= 0; end = piece.indexOf(lineEnd, from)) {
      const found = text(piece.subarray(from, end))
      if (found !== undefined && found.trim() !== '') yield found
      from = end + 1
      line++
    }
    const tail = piece.subarray(from)
    if (tail.byteLength === 0) continue
    // The rest of a line that is too long is only counted.
    if (restBytes <= toolLimits.importLineBytesMax) rest.push(tail.slice())
    restBytes += tail.byteLength
  }
  const found = restBytes === 0 ? undefined : text(new Uint8Array())
  if (found !== undefined && found.trim() !== '') yield found
}

/** How a source reports a line that was left out. */
export const tooLongLine = `lines longer than ${toolLimits.importLineBytesMax / MiB} MiB`

const lineEnd = 10

function concat(pieces: readonly Uint8Array[], bytes: number): Uint8Array {
  const whole = new Uint8Array(Math.min(bytes, toolLimits.importLineBytesMax))
  let at = 0
  for (const piece of pieces) {
    if (at + piece.byteLength > whole.byteLength) break
    whole.set(piece, at)
    at += piece.byteLength
  }
  return whole
}
