import { columnPath, jsonPointer } from '../../lib/json-pointer.ts'
import { storageLimits } from '../../lib/limits/storage.ts'
import type { PathedColumn } from '../../lib/table.ts'
import type { Writer } from '../../runtime/duck/writer.ts'

/** A path that gets a column. */
export interface ChosenPath {
  readonly column: string
  readonly pointer: string
  /** Paths that had the same value in every sampled row, which may share the column. */
  readonly sameAs: readonly RowPath[]
}

/** A path in a JSON column. */
export interface RowPath {
  readonly column: string
  readonly pointer: string
}

/** Statistics of the values at a path in the sampled rows. */
interface PathCount extends RowPath {
  readonly repeatsOthers: boolean
  bytes: number
  /** By number of the row. */
  readonly values: (readonly [row: number, value: string])[]
}

/**
 * Chooses the paths of some JSON columns of `source` that most rows have, from a sample of the
 * rows. A path is chosen only if all its sampled values are short scalars. See
 * docs/decisions/133-path-columns.md.
 */
export async function choosePaths(
  writer: Writer,
  columns: readonly PathedColumn[],
  source: string,
): Promise<readonly ChosenPath[]> {
  const list = columns.map(({ name }) => `t."${name}"`).join(', ')
  const kinds = Object.fromEntries(columns.map(({ name }) => [name, 'text?'] as const))
  const rows = await writer.read(
    kinds,
    `SELECT ${list} FROM ${source} USING SAMPLE reservoir(${storageLimits.pathRowsSampled} ROWS) REPEATABLE (1)`,
  )
  const counts = new PathCounts()
  for (const [number, row] of rows.entries())
    for (const column of columns) counts.addText(column, number, row[column.name] ?? null)
  return counts.mostFrequent(rows.length)
}

export const keyOf = ({ column, pointer }: RowPath): string => columnPath(column, pointer)

class PathCounts {
  private readonly counts = new Map<string, PathCount>()
  private readonly unfit = new Set<string>()

  addText(column: PathedColumn, row: number, text: string | null): void {
    if (text === null) return
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      // Other programs may have written anything.
      return
    }
    this.add(column, row, [], value)
  }

  /** The most frequent paths that fit, at most as many as a file has columns for them. */
  mostFrequent(rows: number): ChosenPath[] {
    const fitting = [...this.counts]
      .filter(
        ([key, { values, bytes }]) =>
          !this.unfit.has(key) &&
          values.length >= rows * storageLimits.pathShareMin &&
          bytes <= values.length * storageLimits.pathAverageBytesMax,
      )
      .map(([, path]) => path)
      .sort((a, b) => b.values.length - a.values.length || (keyOf(a) < keyOf(b) ? -1 : 1))
    return withSame(fitting).slice(0, storageLimits.pathColumnsMax)
  }

  private add(column: PathedColumn, row: number, path: readonly string[], value: unknown): void {
    const isParent = typeof value === 'object' && value !== null
    if (path.length > 0 && (column.fits?.(path) ?? true)) this.count(column, row, jsonPointer(path), value, isParent)
    if (!isParent || Array.isArray(value) || path.length >= storageLimits.pathDepthMax) return
    for (const [name, member] of Object.entries(value))
      if (isIndexable(name)) this.add(column, row, [...path, name], member)
  }

  private count(
    { name, repeatsOthers = false }: PathedColumn,
    row: number,
    pointer: string,
    value: unknown,
    isParent: boolean,
  ): void {
    const key = columnPath(name, pointer)
    const text = isParent ? '' : JSON.stringify(value)
    if (isParent || text.length > storageLimits.pathValueBytesMax) this.unfit.add(key)
    else if (!this.unfit.has(key)) {
      const count = this.counts.get(key) ?? { column: name, pointer, repeatsOthers, bytes: 0, values: [] }
      count.bytes += text.length
      count.values.push([row, text])
      this.counts.set(key, count)
    }
  }
}

/** Each path with those that repeat it, in the order of the paths. */
function withSame(paths: readonly PathCount[]): ChosenPath[] {
  const groups = Map.groupBy(paths, ({ values, ...path }) =>
    // Only paths that may repeat others are worth comparing.
    JSON.stringify(paths.some(({ repeatsOthers }) => repeatsOthers) ? values : keyOf(path)),
  )
  return [...groups.values()].flatMap((group): ChosenPath[] => {
    const own = group.filter(({ repeatsOthers }) => !repeatsOthers).map((path): ChosenPath => ({ ...path, sameAs: [] }))
    const repeating = group.filter(({ repeatsOthers }) => repeatsOthers)
    const [first, ...others] = own.length > 0 ? own : repeating
    if (first === undefined) return []
    const sameAs = own.length > 0 ? repeating : others
    return [
      { ...plain(first), sameAs: sameAs.map(plain) },
      ...own.slice(1).map((path) => ({ ...plain(path), sameAs: [] })),
    ]
  })
}

const plain = ({ column, pointer }: RowPath): RowPath => ({ column, pointer })

/** Integers also index arrays, and an empty name cannot be queried. */
const isIndexable = (name: string): boolean =>
  name !== '' && name.length <= storageLimits.pathValueBytesMax && !/^-?\d+$/.test(name)
