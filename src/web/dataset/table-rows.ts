import { signal } from '@preact/signals'
import { postRaw } from '../api/client.ts'
import { textLines } from '../api/lines.ts'
import { memberText } from '../json/scan.ts'
import { type Row, rowOf } from './cells.ts'
import type { RowFilter } from './row-filter.ts'

/** Order of rows other than that of the version. */
export interface RowSort {
  readonly column: string
  readonly direction: 'asc' | 'desc'
}

/** Rows of a version, or an order of them. */
export interface TableSource {
  readonly projectId: string
  /** Digest of the table. */
  readonly digest: string
  readonly sort: RowSort | undefined
}

const pageRows = 100
const pagesKept = 80

const bodyOf = ({ projectId, digest, sort }: TableSource) => ({
  project_id: projectId,
  digest,
  // A dot in the name of a column is no step into its values.
  ...(sort && { sort_by: [{ field: sort.column.replaceAll('.', '\\.'), direction: sort.direction }] }),
})

/** A row as a line of the stream has it. */
const rowOfLine = (line: string): Row =>
  rowOf(Number(memberText(line, ['original_index'])), memberText(line, ['val']) ?? '{}')

/** Streams rows as they are stored. @throws {Problem} */
export async function* streamRows(
  source: TableSource,
  options: { readonly limit?: number; readonly offset?: number; readonly signal: AbortSignal },
): AsyncGenerator<{ readonly row: Row; readonly digest: string }[]> {
  const { signal: abort, ...page } = options
  const response = await postRaw('/table/query_stream', { ...bodyOf(source), ...page }, { signal: abort })
  if (!response.body) return
  for await (const lines of textLines(response.body)) {
    yield lines.map((line) => ({ row: rowOfLine(line), digest: JSON.parse(memberText(line, ['digest']) ?? '""') }))
  }
}

/** Rows of a table, read page by page where they are looked at. */
export class TableRows {
  /** Counts pages that arrived: reading it subscribes. */
  readonly arrived = signal(0)
  /** What a read failed with. */
  readonly failure = signal<unknown>(undefined)
  private readonly source: TableSource
  private readonly pages = new Map<number, readonly Row[]>()
  private readonly reading = new Map<number, AbortController>()

  constructor(source: TableSource) {
    this.source = source
  }

  /** A row by its place; undefined until it has been read. */
  at(place: number): Row | undefined {
    return this.pages.get(Math.floor(place / pageRows))?.[place % pageRows]
  }

  /** All rows that are there, in no order that matters. */
  *known(): Iterable<Row> {
    for (const rows of this.pages.values()) yield* rows
  }

  /** Reads the pages that hold some places, and stops reading those that no longer matter. */
  want(first: number, last: number): void {
    const [from, to] = [Math.floor(first / pageRows), Math.floor(Math.max(first, last - 1) / pageRows)]
    for (const [page, abort] of this.reading) if (page < from - 1 || page > to + 1) abort.abort()
    for (let page = from; page <= to; page++) void this.read(page)
  }

  /** Reads again what failed. */
  retry(first: number, last: number): void {
    this.failure.value = undefined
    this.want(first, last)
  }

  /** Stops reading. */
  stop(): void {
    for (const abort of this.reading.values()) abort.abort()
  }

  private async read(page: number): Promise<void> {
    if (this.pages.has(page) || this.reading.has(page) || this.failure.peek() !== undefined) return
    const abort = new AbortController()
    this.reading.set(page, abort)
    try {
      const rows: Row[] = []
      const place = { limit: pageRows, offset: page * pageRows, signal: abort.signal }
      for await (const batch of streamRows(this.source, place)) rows.push(...batch.map(({ row }) => row))
      this.pages.set(page, rows)
      for (const [oldest] of this.pages) {
        if (this.pages.size <= pagesKept) break
        // The first page says what the columns are.
        if (oldest !== 0) this.pages.delete(oldest)
        else this.moveToEnd(oldest)
      }
      this.arrived.value++
    } catch (error) {
      if (!abort.signal.aborted) this.failure.value = error
    } finally {
      this.reading.delete(page)
    }
  }

  private moveToEnd(page: number): void {
    const rows = this.pages.get(page)
    this.pages.delete(page)
    if (rows) this.pages.set(page, rows)
  }
}

/** Rows that a search keeps at most. */
const matchesMax = 10_000

/** What a search through a table has found so far. */
export interface Matches {
  readonly rows: readonly Row[]
  /** Of these rows, each once. */
  readonly digests: ReadonlySet<string>
  /** Rows looked at. */
  readonly scanned: number
  readonly isDone: boolean
  /** Whether there may be more than are kept. */
  readonly isCut: boolean
  readonly error: unknown
}

/** Looks through a table; what it has found so far can be shown meanwhile. */
export class RowSearch {
  readonly found = signal<Matches>({
    rows: [],
    digests: new Set(),
    scanned: 0,
    isDone: false,
    isCut: false,
    error: undefined,
  })
  private readonly abort = new AbortController()

  constructor(source: TableSource, filter: RowFilter) {
    void this.run(source, filter)
  }

  stop(): void {
    this.abort.abort()
  }

  private async run(source: TableSource, filter: RowFilter): Promise<void> {
    const rows: Row[] = []
    const digests = new Set<string>()
    let scanned = 0
    let shownMs = 0
    const show = (rest: Partial<Matches> = {}) => {
      this.found.value = { rows: [...rows], digests, scanned, isDone: false, isCut: false, error: undefined, ...rest }
    }
    try {
      for await (const batch of streamRows(source, { signal: this.abort.signal })) {
        for (const { row, digest } of batch) {
          scanned++
          if (!filter.matches(row.cells, digest)) continue
          digests.add(digest)
          if (rows.push(row) >= matchesMax) {
            show({ isDone: true, isCut: true })
            this.abort.abort()
            return
          }
        }
        if (performance.now() - shownMs > 250) {
          shownMs = performance.now()
          show()
        }
      }
      show({ isDone: true })
    } catch (error) {
      if (!this.abort.signal.aborted) show({ isDone: true, error })
    }
  }
}
