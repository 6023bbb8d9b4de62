import path from 'node:path'
import { Glob } from 'bun'

/** No line of a source or document is longer, in characters. */
const lineColumnsMax = 120

/**
 * Numbers of the lines of `text` that are longer than `columns`. Left out is what cannot be broken:
 * rows of Markdown tables, and lines that have no space behind their indentation, such as a single
 * URL.
 */
export function longLines(text: string, columns: number = lineColumnsMax): number[] {
  return text.split('\n').flatMap((line, index) => {
    if (line.length <= columns || [...line].length <= columns) return []
    const words = line.trim().replace(/^(?:[-*+>]|\/\/|\d+\.)\s+/, '')
    return words.startsWith('|') || !/\s/.test(words) ? [] : [index + 1]
  })
}

/** The lines of the sources and documents in `folder` that are too long, as `file:line`. */
export async function findLongLines(folder: string): Promise<string[]> {
  const found: string[] = []
  for (const pattern of ['src/**/*.ts', 'docs/**/*.md']) {
    for await (const file of new Glob(pattern).scan({ cwd: folder })) {
      const text = await Bun.file(path.join(folder, file)).text()
      found.push(...longLines(text).map((line) => `${file.replaceAll('\\', '/')}:${line}`))
    }
  }
  return found.sort()
}
