import { stderrIsTerminal, writeStderr } from '../runtime/platform/runtime.ts'

const pauseMs = 1_000

/**
 * Reports progress on standard error once a second: in place on a terminal, otherwise line by line.
 * Work that finishes within a second reports nothing.
 */
export class Progress {
  private readonly isTerminal = stderrIsTerminal()
  private saidMs = performance.now()
  private width = 0

  readonly say = (what: string, done: number, of?: number): void => {
    if (performance.now() - this.saidMs < pauseMs) return
    this.saidMs = performance.now()
    const [count, all] = [done.toLocaleString('en-US'), of?.toLocaleString('en-US')]
    this.write(all === undefined ? `${what}: ${count}` : `${what}: ${count} of ${all}`)
  }

  /** Clears the progress line of a terminal. */
  end(): void {
    if (this.isTerminal && this.width > 0) writeStderr(`\r${' '.repeat(this.width)}\r`)
    this.width = 0
  }

  private write(line: string): void {
    writeStderr(this.isTerminal ? `\r${line.padEnd(this.width)}` : `${line}\n`)
    this.width = Math.max(this.width, line.length)
  }
}

const columnCharsMax = 60

/** Rows under their column names, aligned, with long texts truncated. */
export function textTable(names: readonly string[], rows: readonly (readonly string[])[]): string {
  const { widths, lines } = aligned([names, ...rows].map((row) => row.map(oneLine)))
  const [header = '', ...body] = lines
  return `${[header, widths.map((width) => '-'.repeat(width)).join('  '), ...body].join('\n')}\n`
}

function oneLine(text: string): string {
  // Stored text must not control the terminal of those who view it.
  const flat = text.replaceAll(/\s+/g, ' ').replaceAll(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '\ufffd')
  return flat.length > columnCharsMax ? `${flat.slice(0, columnCharsMax - 1)}…` : flat
}

/** Lines of a table with aligned columns; the first row is the header. */
export const plainTable = (rows: readonly (readonly string[])[]): string[] => aligned(rows).lines

/** The rows as lines, and how wide each column is. */
function aligned(rows: readonly (readonly string[])[]): { widths: readonly number[]; lines: string[] } {
  const widths: number[] = []
  for (const row of rows)
    for (const [column, { length }] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, length)
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  return { widths, lines }
}

const units = ['KiB', 'MiB', 'GiB', 'TiB'] as const

/** A human-readable size: `512 bytes`, `3.4 MiB`. */
export function bytesText(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`
  const power = Math.min(units.length, Math.floor(Math.log2(bytes) / 10))
  return `${(bytes / 1024 ** power).toFixed(1)} ${units[power - 1]}`
}
