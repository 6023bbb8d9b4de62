const simpleEscapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

/**
 * Text of a JSON string whose opening quote is at `start`, up to `charsMax` characters of its
 * spelling. `end` is the position after its closing quote, or where the text is cut off.
 */
export function stringText(text: string, start: number, end: number, charsMax = Number.POSITIVE_INFINITY): string {
  const last = isClosed(text, start, end) ? end - 1 : end
  return unescapeJson(text.slice(start + 1, Math.min(last, start + 1 + charsMax)))
}

/** Whether the string that starts at `start` has its closing quote at `end - 1`. */
function isClosed(text: string, start: number, end: number): boolean {
  if (end < start + 2 || text.charCodeAt(end - 1) !== 34) return false
  let slashes = 0
  while (end - 2 - slashes > start && text.charCodeAt(end - 2 - slashes) === 92) slashes++
  return slashes % 2 === 0
}

/** Replaces the escapes in the spelling of a JSON string; one cut off at the end is left out. */
export function unescapeJson(spelling: string): string {
  if (!spelling.includes('\\')) return spelling
  return spelling.replace(
    /\\(?:u([0-9a-fA-F]{4})|u[0-9a-fA-F]{0,3}$|([^u])|$)/g,
    (_, hex?: string, letter?: string) => {
      if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16))
      return letter === undefined ? '' : (simpleEscapes[letter] ?? letter)
    },
  )
}
