/** No line of a source or document is longer, in characters. */
const lineColumnsMax = 120

/**
 * Numbers of the lines of `text` that are longer than `columns`. Left out is what cannot be broken: rows of
 * Markdown tables, and lines that have no space behind their indentation, such as a single URL.
 */
export function longLines(text: string, columns: number = lineColumnsMax): number[] {
  return text.split('\n').flatMap((line, index) => {
    if (line.length <= columns || [...line].length <= columns) return []
    const words = line.trim().replace(/^(?:[-*+>]|\/\/|\d+\.)\s+/, '')
    return words.startsWith('|') || !/\s/.test(words) ? [] : [index + 1]
  })
}
