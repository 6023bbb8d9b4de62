const charsMax = 600_000

/** JSON text with a member a line, to the letter otherwise. Text that is cut off is no fault. */
export function prettyJson(text: string): string {
  const out: string[] = []
  let depth = 0
  const input = text.slice(0, charsMax)
  for (let at = 0; at < input.length; ) {
    const char = input.charAt(at)
    if (char === '"') {
      const end = stringEnd(input, at)
      out.push(input.slice(at, end))
      at = end
      continue
    }
    at++
    if (char === '{' || char === '[') {
      const next = input.slice(at).search(/\S/)
      const closing = input[at + next]
      if (closing === '}' || closing === ']') {
        out.push(char, closing)
        at += next + 1
      } else out.push(char, lineBreak(++depth))
    } else if (char === '}' || char === ']') out.push(lineBreak(--depth), char)
    else if (char === ',') out.push(char, lineBreak(depth))
    else if (char === ':') out.push(': ')
    else if (char > ' ') out.push(char)
  }
  return out.join('')
}

const lineBreak = (depth: number): string => `\n${'  '.repeat(Math.max(0, depth))}`

function stringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '"') return at + 1
  }
  return text.length
}
