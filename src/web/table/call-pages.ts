import { batch, computed, signal } from '@preact/signals'
import { memberOf } from '../../lib/present.ts'
import { postLines } from '../api/lines.ts'
import { remember, remembered } from '../state/preferences.ts'
import { takeBegunRows } from './begun-rows.ts'
import { type CallLine, type CallRow, rowOfLine } from './call-row.ts'
import { type CallsQuery, pageBody, pageRows, rowsPath, sortKeys } from './calls-request.ts'
import { askForCost, costPreference, type ReadCost, readCostOf } from './read-cost.ts'

const isFlag = (value: unknown): value is boolean => typeof value === 'boolean'

/** Whether the user wants to see what reading a table costs. */
export const asksForCost = computed(() => remembered(costPreference, isFlag) ?? false)

export const setAsksForCost = (asks: boolean): void => remember(costPreference, asks || undefined)

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
  private readonly first = Promise.withResolvers<void>()
  /** Settles once rows can be shown, or why there are none. */
  readonly firstRows = this.first.promise
  private readonly lines: CallLine[] = []
  /** How many of them are rows. */
  private shown = 0
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
    headers: askForCost,
    onHeaders: (headers: Headers): void => {
      this.cost.value = readCostOf(headers)
    },
  }

  private async readPage(): Promise<void> {
    const { signal: left } = this.abort
    const before = this.lines.length
    let timer: ReturnType<typeof setTimeout> | undefined
    this.state.value = 'reading'
    try {
      const body = pageBody(this.query, this.cursor(), before)
      const asksCost = before === 0 && asksForCost.peek()
      const begun = before === 0 ? takeBegunRows(JSON.stringify(body), asksCost, left) : undefined
      const start = begun?.startMs ?? performance.now()
      const options = { signal: left, begun: begun?.answer, ...(asksCost && this.costOptions) }
      for await (const lines of postLines<CallLine>(rowsPath, body, options)) {
        this.lines.push(...lines)
        // A moment later: a page that arrives as a whole is drawn once, with what it ends with.
        timer ??= setTimeout(() => {
          timer = undefined
          this.show()
        })
      }
      this.firstPageMs.value ??= performance.now() - start
      const isFull = this.lines.length - before >= pageRows && this.lines.length < rowsMax
      this.show(isFull ? 'more' : 'complete')
    } catch (error) {
      if (left.aborted) return
      this.failure.value = error
      this.show('failed')
    } finally {
      clearTimeout(timer)
    }
  }

  /** Shows the rows that have been read, and what comes after them. */
  private show(state: PagesState = 'reading'): void {
    const lines = this.lines.slice(this.shown)
    this.shown = this.lines.length
    batch(() => {
      if (lines.length > 0) this.rows.value = [...this.rows.peek(), ...lines.map(rowOfLine)]
      this.state.value = state
    })
    this.first.resolve()
  }

  /** Sort values and id of the last row. */
  private cursor(): readonly unknown[] | undefined {
    const last = this.lines.at(-1)
    if (!last) return undefined
    return [...sortKeys(this.query).map(({ field }) => valueAt(last, field)), last.id]
  }
}

const valueAt = (line: unknown, path: string): unknown => path.split('.').reduce<unknown>(memberOf, line) ?? null
