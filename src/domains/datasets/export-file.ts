import { parseObject } from '../../formats/wire/exact-json.ts'
import { DomainError } from '../../lib/errors.ts'
import { datasetLimits } from '../../lib/limits/datasets.ts'
import { csvToParquet, type WrittenColumn } from '../../runtime/duck/parquet-file.ts'
import { TimeSlice } from '../../runtime/platform/event-loop.ts'
import { streamThenRemove, writeChunks } from '../../runtime/platform/files/file-chunks.ts'
import { removeFile } from '../../runtime/platform/files/files.ts'
import { cellText, columnsOf, type RowColumn } from './columns.ts'
import { parquetNote } from './reading/parquet.ts'

/** Rows of a version in batches, from the first, as often as they are asked for. */
export type Rows = () => AsyncGenerator<readonly { readonly val: string }[]>

const encoder = new TextEncoder()

/** The rows as JSON Lines. */
export async function* jsonLinesOf(rows: Rows): AsyncGenerator<Uint8Array> {
  for await (const batch of rows()) yield encoder.encode(batch.map(({ val }) => `${val}\n`).join(''))
}

/**
 * The rows as CSV (RFC 4180) with the names in the first line. Texts are not changed, also those
 * that a spreadsheet takes for a formula: an empty cell has no value, and an empty text is quoted.
 */
export async function* csvOf(rows: Rows): AsyncGenerator<Uint8Array> {
  const { columns } = await columnsOf(rows())
  if (columns.length === 0) return
  yield encoder.encode(`${columns.map(({ name }) => quotedCell(name)).join(',')}\r\n`)
  yield* recordsOf(rows, columns)
}

async function* recordsOf(
  rows: Rows,
  columns: readonly RowColumn[],
  onRecord: (bytes: number) => void = () => {},
): AsyncGenerator<Uint8Array> {
  const slice = new TimeSlice()
  for await (const batch of rows()) {
    let text = ''
    for (const { val } of batch) {
      const row = parseObject(val)
      const record = columns.map((column) => quotedCell(cellText(row, column))).join(',')
      onRecord(record.length * 3)
      text += `${record}\r\n`
      if (slice.expired) await slice.yield()
    }
    yield encoder.encode(text)
  }
}

/** A reader takes a mark at the very beginning for that of the encoding. */
const special = /[",\r\n]|^$|^\ufeff/
const quotedCell = (text: string | undefined): string =>
  text === undefined ? '' : special.test(text) ? `"${text.replaceAll('"', '""')}"` : text

/**
 * The rows as a Parquet file: numbers as BIGINT or DOUBLE where these keep the spelling, else as
 * JSON. A note in the file says what an empty cell is and how numbers are spelled.
 *
 * @throws DomainError InvalidRequest for rows without members
 */
export async function parquetOf(
  rows: Rows,
  {
    temporaryFile,
    temporaryFolder,
    signal,
  }: {
    readonly temporaryFile: (ending: string) => string
    readonly temporaryFolder: string
    readonly signal: AbortSignal
  },
): Promise<AsyncGenerator<Uint8Array>> {
  const { columns } = await columnsOf(rows())
  if (columns.length === 0) {
    throw new DomainError('InvalidRequest', 'The rows have no columns, which Parquet needs: export them as jsonl')
  }
  if (new Set(columns.map(({ name }) => name.toLowerCase())).size < columns.length) {
    throw new DomainError(
      'InvalidRequest',
      'Two columns differ in upper and lower case only, which many readers of Parquet confuse: export as jsonl or csv',
    )
  }
  const csv = temporaryFile('csv')
  const parquet = temporaryFile('parquet')
  const note = Object.fromEntries(
    columns.map(({ name, empty, numbers }) => [name, { empty, isShort: numbers === 'short' }]),
  )
  try {
    let rowBytesMax = 0
    const noteLength = (bytes: number) => {
      rowBytesMax = Math.max(rowBytesMax, bytes)
    }
    await writeChunks(csv, recordsOf(rows, columns, noteLength))
    await csvToParquet(
      {
        csv,
        parquet,
        columns: columns.map((column) => ({ name: column.name, type: parquetType(column) })),
        note: { name: parquetNote, text: JSON.stringify(note) },
      },
      {
        memoryBytesMax: datasetLimits.parquetMemoryBytes,
        temporaryFolder,
        rowBytesMax,
      },
    )
  } catch (cause) {
    await removeFile(parquet)
    throw cause
  } finally {
    await removeFile(csv)
  }
  return await streamThenRemove(parquet, { signal, onRemoved: () => {} })
}

function parquetType({ type, numbers }: RowColumn): WrittenColumn['type'] {
  if (type === 'text') return 'VARCHAR'
  if (type === 'boolean') return 'BOOLEAN'
  if (type !== 'number' || numbers === undefined) return 'JSON'
  return numbers === 'integer' ? 'BIGINT' : 'DOUBLE'
}
