/**
 * The one line that represents an error in lists: its type and its message, of at most `charsMax`
 * characters, whatever an exception was recorded as: a traceback of Python, a stack of V8, Java,
 * Go, Rust or .NET, or a plain text. It has no line breaks, and is empty only if `error` is blank.
 */
export function errorLine(error: string, charsMax: number): string {
  const text = error.length <= readCharsMax ? error : bothEnds(error)
  const lines = text.split(/\r\n|[\n\r\u2028\u2029]/)
  const found = ofPython(lines) ?? ofStack(lines) ?? lines.find((line) => line.trim() !== '') ?? ''
  return cut(found.trim().replace(/\s+/g, ' '), charsMax)
}

/** Longer texts are read at their beginning and their end. */
const readCharsMax = 65_536

/** The text without its middle, and without the line that the end begins within. */
function bothEnds(text: string): string {
  const end = text.slice(-readCharsMax / 2)
  return `${text.slice(0, readCharsMax / 2)}\n${end.slice(end.indexOf('\n') + 1)}`
}

/** Truncated between characters. */
function cut(line: string, charsMax: number): string {
  if (line.length <= charsMax) return line
  return `${line
    .slice(0, Math.max(0, charsMax - 1))
    .toWellFormed()
    .replace(/\uFFFD$/, '')}…`
}

/** `Traceback (most recent call last):`, also of a group of exceptions, which is framed. */
const tracebackStart = /^\s*(?:[+|]\s*)?(?:Exception Group )?Traceback \(most recent call last\):\s*$/

/**
 * The last error of a traceback of Python, which is the one that reached the top: the first line
 * that is not indented after the last header. Its message may have more lines, and notes.
 * https://docs.python.org/3/library/traceback.html
 */
function ofPython(lines: readonly string[]): string | undefined {
  const depths = lines.filter((line) => tracebackStart.test(line)).map(frameDepth)
  if (depths.length === 0) return undefined
  // The errors in a group are framed deeper than the group itself, and come after it.
  const least = Math.min(...depths)
  const start = lines.findLastIndex((line) => tracebackStart.test(line) && frameDepth(line) === least)
  for (const [index, framed] of lines.entries()) {
    const line = index > start ? unframed(framed, least) : undefined
    if (line !== undefined && /^\S/.test(line) && !isSourceMark(line))
      return withType(line, lines.slice(index + 1), least)
  }
  // Only the beginning of a traceback was recorded.
  return lines.findLast((line) => line.trim() !== '' && !isSourceMark(line.trim()))
}

/** Where the frame of a group begins, counted from 1; 0 for a line without one. */
const frameDepth = (line: string): number => (/^\s*[+|]/.exec(line)?.[0] ?? '').length

/** A line without the frame of a group; undefined for lines that are framed otherwise. */
function unframed(line: string, depth: number): string | undefined {
  if (frameDepth(line) !== depth) return undefined
  return depth === 0 ? line : line.slice(depth).replace(/^ /, '')
}

/** `^^^^` and `~~~^^^` below a line of source. */
const isSourceMark = (line: string): boolean => /^[\^~\s]+$/.test(line)

/** `ValueError:` with its message in the next line is one line. */
function withType(line: string, rest: readonly string[], depth: number): string {
  if (!/^[\w.]+:\s*$/.test(line)) return line
  const message = rest.map((text) => unframed(text, depth)?.trim()).find(Boolean)
  return message === undefined ? line.replace(/:\s*$/, '') : `${line} ${message}`
}

/** Prefixes of the message of an error in other languages. */
const prefixes: readonly RegExp[] = [
  // Java and Kotlin: https://docs.oracle.com/javase/8/docs/api/java/lang/Throwable.html
  /^Exception in thread "[^"]*" /,
  // .NET
  /^Unhandled exception\.? /i,
  // Node.js
  /^Uncaught (?:\(in promise\) )?/,
  // PHP
  /^PHP Fatal error: {1,2}Uncaught /,
]

/** `thread 'main' panicked at src/main.rs:2:5:`, with the message in the next line. */
const rustPanic = /^thread '[^']*'(?: \(\d+\))? panicked at (?:'(.*)', )?.*$/

/** A line of a stack, or of the source that Node.js prints above one. */
const stackLine = /^\s+at |^\s*\.{3} \d+ more$|^goroutine \d+ |^\s*\^+\s*$|^(?:file:\/\/)?\/?\S+:\d+$/

/** The message of an error that is followed by a stack, or that has a known beginning. */
function ofStack(lines: readonly string[]): string | undefined {
  for (const [index, line] of lines.entries()) {
    const panic = rustPanic.exec(line.trim())
    if (panic !== null) return `panic: ${panic[1] ?? lines.slice(index + 1).find((next) => next.trim() !== '') ?? ''}`
    for (const prefix of prefixes) if (prefix.test(line)) return line.replace(prefix, '')
  }
  const first = lines.findIndex((line) => /^\s+at \S/.test(line))
  if (first < 1) return undefined
  // Node.js prints where the error was thrown first: a path, the source, and a mark below it.
  const mark = lines.slice(0, first).findLastIndex((line) => /^\s*\^+\s*$/.test(line))
  return lines.slice(mark + 1, first).find((line) => line.trim() !== '' && !stackLine.test(line))
}
