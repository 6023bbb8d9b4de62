import { pause, workMs } from './scan.ts'

const windowChars = 512 * 1024

/** A place in the text. */
export interface Match {
  readonly start: number
  readonly end: number
}

/**
 * Finds up to `matchesMax` places of `needle` in JSON text, whether or not its characters are
 * spelled as escapes there, and ignoring case. Yields what it has found from time to time.
 */
export async function* findInText(
  text: string,
  needle: string,
  { matchesMax, signal }: { matchesMax: number; signal: AbortSignal },
): AsyncGenerator<Match[]> {
  if (needle === '') return
  const pattern = patternOf(needle)
  const overlap = needle.length * 6
  let found = 0
  let from = 0
  let startedAt = performance.now()
  for (let offset = 0; offset < text.length && found < matchesMax; offset += windowChars) {
    const part = text.slice(Math.max(from, offset), offset + windowChars + overlap)
    const base = Math.max(from, offset)
    const matches: Match[] = []
    for (const match of part.matchAll(pattern)) {
      const start = base + match.index
      if (start >= offset + windowChars || found === matchesMax) break
      from = start + match[0].length
      matches.push({ start, end: from })
      found++
    }
    if (matches.length > 0) yield matches
    if (performance.now() - startedAt > workMs) {
      await pause()
      startedAt = performance.now()
    }
    if (signal.aborted) return
  }
}

const shortEscapes: Readonly<Record<string, string>> = {
  '"': '\\\\"',
  '\\': '\\\\\\\\',
  '/': '\\\\?/',
  '\b': '\\\\b',
  '\f': '\\\\f',
  '\n': '\\\\n',
  '\r': '\\\\r',
  '\t': '\\\\t',
}

/** Each character in its possible JSON spellings: itself, its short escape, or its number. */
function patternOf(needle: string): RegExp {
  const units = needle.split('').map((unit) => {
    const short = shortEscapes[unit]
    if (short !== undefined) return unit === '"' ? '\\\\?"' : short
    const code = unit.charCodeAt(0)
    if (code < 128) return unit.replace(/[.*+?^${}()|[\]]/, '\\$&')
    const spellings = new Set([unit, unit.toLowerCase(), unit.toUpperCase()].filter(({ length }) => length === 1))
    const escapes = [...spellings].map((one) => `\\\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)
    return `(?:${[...spellings, ...escapes].join('|')})`
  })
  return new RegExp(units.join(''), 'gi')
}
