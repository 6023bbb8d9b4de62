/** A place in a statement. Both count from 1; a column is a UTF-16 code unit, as editors count. */
export interface StatementPlace {
  readonly line: number
  readonly column: number
}

/** @param position number of characters (code points) before the place */
export function placeAtCharacter(statement: string, position: number): StatementPlace | undefined {
  const characters = [...statement]
  if (!(position >= 0 && position <= characters.length)) return undefined
  return placeAt(characters.slice(0, position).join(''))
}

/** @param position number of bytes of UTF-8 before the place */
export function placeAtByte(statement: string, position: number): StatementPlace | undefined {
  const bytes = new TextEncoder().encode(statement)
  if (!(position >= 0 && position <= bytes.length)) return undefined
  return placeAt(new TextDecoder().decode(bytes.subarray(0, position)))
}

function placeAt(before: string): StatementPlace {
  const lines = before.split('\n')
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 }
}

/** `LINE 2: … text of the line`, and below it a caret under the place. */
const drawn = /\n\s*LINE (\d+): (.*)\n( *)\^\s*$/

/**
 * A message of DuckDB without the drawing of its place, and the place. DuckDB shortens long lines
 * and counts the columns of a terminal, so the word that the message quotes decides where it can.
 */
export function placedMessage(
  message: string,
  statement: string,
): { readonly message: string; readonly place: StatementPlace | undefined } {
  const found = drawn.exec(message)
  if (found === null) return { message, place: undefined }
  const [, number = '', shown = '', indent = ''] = found
  const line = Number(number)
  const text = statement.split('\n')[line - 1] ?? ''
  const part = shown.replace(/^\.{3}/, '').replace(/\.{3}$/, '')
  const from = text.indexOf(part)
  const cut = shown.startsWith('...') ? 3 : 0
  const near = Math.max(0, Math.max(0, from) + indent.length - `LINE ${number}: `.length - cut)
  const rest = message.slice(0, found.index).trim()
  const word = /"([^"]+)"/.exec(rest)?.[1]
  return { message: rest, place: { line, column: (nearestOf(text, word, near) ?? Math.min(near, text.length)) + 1 } }
}

/** Where a word stands in a line: the occurrence nearest to a place. */
function nearestOf(text: string, word: string | undefined, near: number): number | undefined {
  if (!word) return undefined
  let best: number | undefined
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    if (best === undefined || Math.abs(at - near) < Math.abs(best - near)) best = at
  // Farther away it is another mention: the caret may stand at the name of its table.
  return best !== undefined && Math.abs(best - near) <= word.length + 20 ? best : undefined
}
