import type { SourceRecord } from './records.ts'
import { lineEnd } from './text-file.ts'

/** How a CSV file is written, as far as its records are plain. */
interface PlainForm {
  readonly delimiter: string
  /** Empty if cells are never quoted. */
  readonly quote: string
  /** Cells of a record. */
  readonly width: number
  /** Whether an empty text in quotes differs from an empty cell. */
  readonly hasQuotedEmpty: boolean
}

/** A record that spans more text is left to the parser that reads any record. */
const plainCharsMax = 1024 * 1024

/**
 * Reads records that have the right number of cells, quotes around whole cells only, and LF or CRLF
 * at the end. It stops for good before any other record, and says where. See
 * docs/decisions/243-fast-imports.md.
 */
export class PlainRecords {
  /** The text behind the records that have been read. */
  rest = ''
  /** Lines of the file before `rest`. */
  lines = 0
  /** Whether `rest` does not begin with a plain record. */
  isOver: boolean
  private readonly form: PlainForm

  constructor(form: PlainForm) {
    this.form = form
    const { delimiter, quote } = form
    const isUsual = delimiter.length === 1 && quote.length <= 1 && delimiter !== quote
    this.isOver = !isUsual || /[\r\n]/.test(delimiter + quote) || form.width < 2
  }

  /** @param isEnd whether the file ends behind the text */
  *read(text: string, isEnd: boolean): Generator<SourceRecord> {
    const all = this.rest + text
    const { quote } = this.form
    let start = 0
    let [nextQuote, nextReturn] = [-1, -1]
    while (start < all.length) {
      if (quote !== '' && nextQuote < start) nextQuote = placeOf(all, quote, start)
      if (nextReturn < start) nextReturn = placeOf(all, '\r', start)
      const end = placeOf(all, '\n', start)
      const isQuoted = quote !== '' && nextQuote < end
      const record = isQuoted ? this.quoted(all, start, isEnd) : this.unquoted(all, start, { end, nextReturn, isEnd })
      if (record === 'unfinished') break
      if (record === 'other') {
        this.isOver = true
        break
      }
      yield { line: this.lines + 1, cells: record.cells }
      this.lines += record.lines
      start = record.end
    }
    this.rest = all.slice(start)
    if (this.rest.length > (isEnd ? 0 : plainCharsMax)) this.isOver = true
  }

  private unquoted(
    text: string,
    start: number,
    at: { readonly end: number; readonly nextReturn: number; readonly isEnd: boolean },
  ): Found {
    const { end, nextReturn, isEnd } = at
    if (end >= text.length && !isEnd) return 'unfinished'
    if (nextReturn < end - 1 || (nextReturn < end && end >= text.length)) return 'other'
    const cells: (string | undefined)[] = text
      .slice(start, nextReturn === end - 1 ? nextReturn : end)
      .split(this.form.delimiter)
    if (cells.length !== this.form.width) return 'other'
    for (let cell = 0; cell < cells.length; cell++) if (cells[cell] === '') cells[cell] = undefined
    return { cells, end: end + 1, lines: 1 }
  }

  private quoted(text: string, start: number, isEnd: boolean): Found {
    const { delimiter, quote, width, hasQuotedEmpty } = this.form
    const unfinished = isEnd ? 'other' : 'unfinished'
    const cells: (string | undefined)[] = []
    let lines = 1
    for (let at = start; ; ) {
      let end: number
      if (text[at] === quote) {
        let isDoubled = false
        end = text.indexOf(quote, at + 1)
        while (end !== -1 && text[end + 1] === quote) {
          isDoubled = true
          end = text.indexOf(quote, end + 2)
        }
        if (end === -1) return unfinished
        const inner = text.slice(at + 1, end)
        const cell = isDoubled ? inner.replaceAll(quote + quote, quote) : inner
        if (/[\r\n]/.test(inner)) lines += inner.match(lineEnd)?.length ?? 0
        cells.push(cell === '' && !hasQuotedEmpty ? undefined : cell)
        end++
      } else {
        end = Math.min(placeOf(text, delimiter, at), placeOf(text, '\n', at))
        if (end < text.length && text[end] === '\n' && text[end - 1] === '\r' && end > at) end--
        const cell = text.slice(at, end)
        if (cell.includes('\r') || (quote !== '' && cell.includes(quote)))
          return end < text.length ? 'other' : unfinished
        cells.push(cell === '' ? undefined : cell)
      }
      if (end >= text.length - 1 && !isEnd) return 'unfinished'
      const next = text[end]
      if (next === delimiter) {
        at = end + 1
        continue
      }
      const after = next === '\r' && text[end + 1] === '\n' ? end + 2 : next === '\n' ? end + 1 : end
      if (after === end && end < text.length) return 'other'
      return cells.length === width ? { cells, end: after, lines } : 'other'
    }
  }
}

type Found =
  | { readonly cells: readonly (string | undefined)[]; readonly end: number; readonly lines: number }
  | 'unfinished'
  | 'other'

/** The place of a text; the end if it is not there. */
function placeOf(text: string, wanted: string, from: number): number {
  const at = text.indexOf(wanted, from)
  return at === -1 ? text.length : at
}
