import { computed, signal } from '@preact/signals'
import { memberOf } from '../../lib/present.ts'
import { postLines } from '../api/lines.ts'
import { remember, remembered } from '../state/preferences.ts'
import { type CallLine, type CallRow, rowOfLine } from './call-row.ts'
import { type CallsQuery, pageBody, pageRows, sortKeys } from './calls-request.ts'
import { type ReadCost, readCostOf } from './read-cost.ts'

const name = 'read-cost'

const isFlag = (value: unknown): value is boolean => typeof value === 'boolean'

/** Whether the user wants to see what reading a table costs. */
export const asksForCost = computed(() => remembered(name, isFlag) ?? false)

export const setAsksForCost = (asks: boolean): void => remember(name, asks || undefined)

/** The read in progress, or the reason why there is none. */
export type PagesState = 'reading' | 'more' | 'complete' | 'failed'

/** Most rows that a table holds; a filter finds what is further down. */
export const rowsMax = 20_000

/**
 * The rows of a query, read page by page as somebody scrolls, each shown as soon as it arrives.
 */
export class CallPages {
  readonly rows = signal<readonly CallRow[]>([])
  readonly state = signal<PagesState>('reading')
  readonly failure = signal<unknown>(undefined)
  /** Time until the first page was complete. */
  readonly firstPageMs = signal<number | undefined>(undefined)
  /** Cost of the first page for the server, if requested. */
  readonly cost = signal<ReadCost | undefined>(undefined)
  /** Scroll position and cursor to restore when the table is shown again. */
  scrollTop = 0
  cursorRow = -1

  readonly query: CallsQuery
  private readonly lines: CallLine[] = []
  private abort = new AbortController()

  constructor(query: CallsQuery) {
    this.query = query
    void this.readPage()
  }

  /** Reads the next page, if there is one and none is being read. */
  more(): void {
    if (this.state.peek() === 'more') void this.readPage()
  }

  /** Reads the page that failed once more. */
  retry(): void {
    if (this.state.peek() === 'failed') void this.readPage()
  }

  /** Stops reading; rows read so far stay. */
  stop(): void {
    this.abort.abort()
  }

  /** Goes on after `stop`. */
  resume(): void {
    if (!this.abort.signal.aborted) return
    this.abort = new AbortController()
    if (this.state.peek() === 'reading') void this.readPage()
  }

  /** Changes a row in place. */
  patch(id: string, changes: Partial<CallRow>): void {
    const rows = this.rows.peek()
    if (!rows.some((row) => row.id === id)) return
    this.rows.value = rows.map((row) => (row.id === id ? { ...row, ...changes } : row))
  }

  private readonly costOptions = {
    headers: { prefer: 'explain' },
    onHeaders: (headers: Headers): void => {
      this.cost.value = readCostOf(headers)
    },
  }

  private async readPage(): Promise<void> {
    const { signal: left } = this.abort
    const before = this.lines.length
    const start = performance.now()
    this.state.value = 'reading'
    try {
      const body = pageBody(this.query, this.cursor(), before)
      const options = { signal: left, ...(before === 0 && asksForCost.peek() && this.costOptions) }
      for await (const batch of postLines<CallLine>('/calls/stream_query', body, options)) {
        this.lines.push(...batch)
        this.rows.value = [...this.rows.peek(), ...batch.map(rowOfLine)]
      }
      this.firstPageMs.value ??= performance.now() - start
      const isFull = this.lines.length - before >= pageRows && this.lines.length < rowsMax
      this.state.value = isFull ? 'more' : 'complete'
    } catch (error) {
      if (left.aborted) return
      this.failure.value = error
      this.state.value = 'failed'
    }
  }

  /** Sort values and id of the last row. */
  private cursor(): readonly unknown[] | undefined {
    const last = this.lines.at(-1)
    if (!last) return undefined
    return [...sortKeys(this.query).map(({ field }) => valueAt(last, field)), last.id]
  }
}

const valueAt = (line: unknown, path: string): unknown => path.split('.').reduce<unknown>(memberOf, line) ?? null
