import type { Writer } from '../../duck/writer.ts'
import { jsonPointer } from '../../kernel/json-pointer.ts'
import { limits } from '../../limits.ts'

/** A path that gets a column. */
export interface ChosenPath {
  readonly column: string
  readonly pointer: string
}

/** What the sampled rows have at a path. */
interface PathCount extends ChosenPath {
  values: number
  bytes: number
}

/**
 * Chooses the paths of some JSON columns of `source` that most rows have, from a sample of the
 * rows. A path is chosen only if all its sampled values are short scalars.
 */
export async function choosePaths(
  writer: Writer,
  columns: readonly string[],
  source: string,
): Promise<readonly ChosenPath[]> {
  const list = columns.map((name) => `t."${name}"`).join(', ')
  const rows = await writer.rows(
    `SELECT ${list} FROM ${source} USING SAMPLE reservoir(${limits.pathRowsSampled} ROWS) REPEATABLE (1)`,
  )
  const counts = new PathCounts()
  for (const row of rows)
    columns.forEach((column, index) => {
      counts.addText(column, row[index] as string | null)
    })
  return counts.mostFrequent(rows.length)
}

class PathCounts {
  private readonly counts = new Map<string, PathCount>()
  private readonly unfit = new Set<string>()

  addText(column: string, text: string | null): void {
    if (text === null) return
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      // Other programs may have written anything.
      return
    }
    this.add(column, [], value)
  }

  /** The most frequent paths that fit, at most as many as a file has columns for them. */
  mostFrequent(rows: number): ChosenPath[] {
    return [...this.counts]
      .filter(
        ([key, { values, bytes }]) =>
          !this.unfit.has(key) && values >= rows * limits.pathShareMin && bytes <= values * limits.pathAverageBytesMax,
      )
      .sort(([a, { values: m }], [b, { values: n }]) => n - m || (a < b ? -1 : 1))
      .slice(0, limits.pathColumnsMax)
      .map(([, path]) => path)
  }

  private add(column: string, path: readonly string[], value: unknown): void {
    const isParent = typeof value === 'object' && value !== null
    if (path.length > 0) {
      const pointer = jsonPointer(path)
      const key = `${column}${pointer}`
      const bytes = isParent ? 0 : JSON.stringify(value).length
      if (isParent || bytes > limits.pathValueBytesMax) this.unfit.add(key)
      else if (!this.unfit.has(key)) {
        const count = this.counts.get(key) ?? { column, pointer, values: 0, bytes: 0 }
        count.values++
        count.bytes += bytes
        this.counts.set(key, count)
      }
    }
    if (!isParent || Array.isArray(value) || path.length >= limits.pathDepthMax) return
    for (const [name, member] of Object.entries(value)) if (isIndexable(name)) this.add(column, [...path, name], member)
  }
}

/** Integers also index arrays, and an empty name cannot be queried. */
const isIndexable = (name: string): boolean =>
  name !== '' && name.length <= limits.pathValueBytesMax && !/^-?\d+$/.test(name)
