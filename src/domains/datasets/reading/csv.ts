import { type Options, type Parser, parse } from 'csv-parse'
import { datasetLimits } from '../../../lib/limits/datasets.ts'
import type { ReadOptions } from '../model/datasets.ts'
import type { Faults } from './faults.ts'
import { PlainRecords } from './plain-csv.ts'
import type { FileReader, SourceRecord } from './records.ts'
import { lineEnd, type TextFile } from './text-file.ts'

const delimiters = [',', ';', '\t', '|'] as const
const numberLike = /^-?\d[\d.,]*$/

/**
 * Opens a CSV file. The delimiter is the one that divides the first lines most evenly into cells;
 * the first line is the header unless one of its cells is empty, a number or a duplicate.
 * See docs/decisions/241-reading-files-of-rows.md.
 */
export async function openCsv(file: TextFile, options: ReadOptions, faults: Faults): Promise<FileReader> {
  const quote = options.quote ?? '"'
  const start = await beginning(file)
  const delimiter = options.delimiter ?? (await likelyDelimiter(start, quote))
  const dialect = { delimiter, quote }
  const [first] = await headOf(start, dialect)
  const names = first ?? []
  const header = options.header ?? looksLikeNames(names)
  const columns = names.map((name, at) => ({ name: header ? name : `column_${at + 1}`, type: undefined }))
  // Otherwise such cells stand between characters that the file was searched for.
  if (/[\w ]/.test(delimiter)) file.hasQuotedEmpty = true
  if (first === undefined) faults.add(0, null, null, 'the file is empty')
  if (columns.length > datasetLimits.columnsMax) {
    faults.add(1, null, null, `there are ${columns.length} columns; at most ${datasetLimits.columnsMax} are allowed`)
  }
  return {
    facts: { encoding: file.encoding, byte_order_mark: file.hasMark, delimiter, quote, header },
    isText: true,
    columns,
    records: () => recordsOf(file, dialect, { skipFirst: header, width: columns.length }, faults),
  }
}

interface CsvDialect {
  readonly delimiter: string
  readonly quote: string
}

/** The text from which the form is guessed. */
async function beginning(file: TextFile): Promise<string> {
  for await (const text of file.texts()) return text
  return ''
}

const looksLikeNames = (cells: readonly string[]): boolean =>
  new Set(cells).size === cells.length && cells.every((cell) => cell.trim() !== '' && !numberLike.test(cell))

const parserOptions = ({ delimiter, quote }: CsvDialect): Options => ({
  delimiter,
  quote: quote === '' ? null : quote,
  escape: quote === '' ? null : quote,
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  skip_records_with_error: true,
  max_record_size: datasetLimits.recordCharsMax,
})

/** Text given to a parser at a time, and lines that it may refuse before the search ends. */
const headChars = 4_096
const refusedMax = 40

/** The first records of a text that may end in the middle of one. */
async function headOf(text: string, dialect: CsvDialect, recordsMax = 1): Promise<string[][]> {
  const records: string[][] = []
  let refused = 0
  const parser = parse({
    ...parserOptions(dialect),
    to: recordsMax,
    on_record: (record: string[]) => {
      records.push(record)
      return null
    },
    on_skip: () => {
      refused++
      return undefined
    },
  })
  parser.on('error', () => {
    refused = refusedMax
  })
  let at = 0
  // Each refused line costs as much as a thousand others.
  const isEnough = () => records.length >= recordsMax || refused >= refusedMax
  for (; at < text.length && !isEnough(); at += headChars) await write(parser, text.slice(at, at + headChars))
  if (isEnough()) parser.destroy()
  else await end(parser, '')
  return records
}

const write = (parser: Parser, text: string): Promise<void> =>
  new Promise((resolve) => parser.write(text, () => resolve()))

/** Gives a parser its last text. */
async function end(parser: Parser, text: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    parser.on('end', resolve).on('error', reject).resume()
    parser.end(text)
  })
}

async function likelyDelimiter(text: string, quote: string): Promise<string> {
  const some = text.slice(0, 64 * 1024)
  let best: { delimiter: string; score: number } = { delimiter: ',', score: 0 }
  for (const delimiter of delimiters) {
    const widths = (await headOf(some, { delimiter, quote }, 20)).map((record) => record.length)
    const width = widths[0] ?? 1
    if (width < 2) continue
    const even = widths.filter((other) => other === width).length / widths.length
    const score = even * 1000 + Math.min(width, 999)
    if (score > best.score) best = { delimiter, score }
  }
  return best.delimiter
}

/** The records of a file: plain ones by the short way, and the rest from the first other one on. */
export async function* recordsOf(
  file: TextFile,
  dialect: CsvDialect,
  { skipFirst, width }: { skipFirst: boolean; width: number },
  faults: Faults,
): AsyncGenerator<readonly SourceRecord[]> {
  const plain = new PlainRecords({ ...dialect, width, hasQuotedEmpty: file.hasQuotedEmpty })
  let skips = skipFirst
  const read = (text: string, isEnd: boolean) => {
    const records = [...plain.read(text, isEnd)]
    if (!skips || records.length === 0) return records
    skips = false
    return records.slice(1)
  }
  const texts = file.texts()
  try {
    while (!plain.isOver) {
      const { value, done } = await texts.next()
      const records = done ? (file.isWhole ? read('', true) : []) : read(value, false)
      if (records.length > 0) yield records
      if (done && !plain.isOver) return
    }
    const rest = async function* () {
      if (plain.rest !== '') yield plain.rest
      yield* texts
    }
    const start = { skipFirst: skips, width, linesBefore: plain.lines }
    yield* anyRecordsOf({ file, texts: rest() }, dialect, start, faults)
  } finally {
    await texts.return(undefined)
  }
}

/** All records as the parser reads them, whatever they are. */
export async function* anyRecordsOf(
  { file, texts }: { file: TextFile; texts: AsyncGenerator<string> },
  dialect: CsvDialect,
  { skipFirst, width, linesBefore }: { skipFirst: boolean; width: number; linesBefore: number },
  faults: Faults,
): AsyncGenerator<readonly SourceRecord[]> {
  let batch: SourceRecord[] = []
  let isFirst = skipFirst
  // What the parser counts, and by how much that is too many: a CRLF in a cell counts twice.
  let lastCounted = 0
  /** The first line of the record that is being read, as the parser counts. */
  let beginsAt = 1
  let tooMany = -linesBefore
  let hasSkipped = false
  // An empty line at the end is no record, one in between is a record of one empty cell.
  let blank: number[] = []
  const take = (cells: (string | undefined)[], lines: number) => {
    const ends = lines === lastCounted + 1 ? 0 : lineEndsIn(cells)
    if (!hasSkipped) tooMany += lines - lastCounted - 1 - ends
    const line = lines - tooMany - ends
    lastCounted = lines
    beginsAt = lines + 1
    hasSkipped = false
    if (isFirst) {
      isFirst = false
      return
    }
    if (cells.length === 1 && width > 1 && !cells[0]) {
      blank.push(line)
      return
    }
    for (const at of blank) faults.addOfLine(at, null, '', 'the line is empty')
    blank = []
    if (cells.length === width) batch.push({ line, cells })
    else faults.addOfLine(line, null, startOf(cells, dialect), `the line has ${cells.length} cells instead of ${width}`)
  }
  const parser = parse({
    ...parserOptions(dialect),
    // Called for every cell, so only where it makes a difference.
    ...(file.hasQuotedEmpty && {
      cast: (value: string, { quoting }: { quoting: boolean }) => (value === '' && !quoting ? undefined : value),
    }),
    on_record: (cells: (string | undefined)[], { lines }: { lines: number }) => {
      take(file.hasQuotedEmpty ? cells : cells.map((cell) => (cell === '' ? undefined : cell)), lines)
      return null
    },
    on_skip: (error: { code?: string; lines?: number; column?: unknown } | undefined) => {
      const code = error?.code ?? ''
      const foundAt = error?.lines ?? beginsAt
      const isInLaterLine = code === 'CSV_INVALID_CLOSING_QUOTE' && foundAt > beginsAt
      const reason = isInLaterLine ? closedLater : (reasons[code] ?? 'the line cannot be read')
      faults.add(beginsAt - tooMany, null, null, reason)
      hasSkipped = true
      beginsAt = foundAt + 1
      return undefined
    },
  })
  let failed: Error | undefined
  parser.on('error', (cause) => {
    failed = cause
  })
  parser.resume()
  const taken = () => {
    const records = batch
    batch = []
    return records
  }
  for await (const text of texts) {
    await write(parser, text)
    if (failed !== undefined) break
    if (batch.length > 0) yield taken()
  }
  // The last record of a sample may be cut off.
  if (file.isWhole && failed === undefined) await end(parser, '')
  if (failed !== undefined) faults.add(beginsAt - tooMany, null, null, 'the line cannot be read')
  if (batch.length > 0) yield taken()
}

const reasons: Readonly<Record<string, string>> = {
  INVALID_OPENING_QUOTE: 'there is a quote inside a cell that does not begin with one',
  CSV_INVALID_CLOSING_QUOTE: 'something follows the closing quote of a cell; double the quotes inside of it',
  CSV_QUOTE_NOT_CLOSED: 'the quote of a cell is never closed',
  CSV_MAX_RECORD_SIZE: `the line is longer than ${datasetLimits.recordCharsMax} characters; is a quote never closed?`,
}

const closedLater =
  'something follows the closing quote of a cell, in a later line; is the quote that opens here never closed?'

const lineEndsIn = (cells: readonly (string | undefined)[]): number =>
  cells.reduce((sum, cell) => sum + (cell?.match(lineEnd)?.length ?? 0), 0)

const startOf = (cells: readonly (string | undefined)[], { delimiter }: CsvDialect): string =>
  cells.slice(0, 50).join(delimiter).slice(0, datasetLimits.faultCharsMax)
