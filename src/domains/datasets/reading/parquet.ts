import { DomainError } from '../../../lib/errors.ts'
import { rawNumber } from '../../../lib/json-value.ts'
import { datasetLimits } from '../../../lib/limits/datasets.ts'
import { isOutOfMemory } from '../../../runtime/duck/out-of-memory.ts'
import { type ParquetColumn, ParquetFile } from '../../../runtime/duck/parquet-file.ts'
import type { ColumnType } from '../model/datasets.ts'
import type { Faults } from './faults.ts'
import type { FileReader, SourceRecord } from './records.ts'
import type { ReceivedFile } from './text-file.ts'
import { jsonOf, Refused } from './values.ts'

const numberTypes = /^(?:U?(?:TINY|SMALL|BIG|HUGE)INT|U?INTEGER|DECIMAL\(.*|DOUBLE|FLOAT)$/
/** Types of one value whose text says everything. */
const textTypes = /^(?:VARCHAR|UUID|DATE|TIME.*|INTERVAL|BLOB|ENUM\(.*|BIT)$/

/** Name of the note about columns in files that are exported. */
export const parquetNote = 'tracelake'

/** What the note says about columns by name. */
interface NotedColumn {
  readonly empty?: 'null' | 'absent'
  /** Numbers are spelled as JavaScript prints them: `1`, not `1.0`. */
  readonly isShort?: boolean
}

/** A Parquet file being read. Close it. */
export interface ParquetReader extends FileReader {
  readonly emptyOf: (name: string) => 'null' | 'absent' | undefined
  close(): void
}

/** Opens a Parquet file; undefined, with a fault, if it is damaged. */
export async function openParquet(
  file: ReceivedFile,
  { temporaryFolder, isSample }: { temporaryFolder: string; isSample: boolean },
  faults: Faults,
): Promise<ParquetReader | undefined> {
  let opened: ParquetFile
  let note: Readonly<Record<string, NotedColumn>>
  try {
    const memoryBytesMax = datasetLimits.parquetMemoryBytes
    opened = await ParquetFile.open(file.path, { memoryBytesMax, temporaryFolder })
    note = JSON.parse((await opened.note(parquetNote)) ?? '{}')
  } catch (cause) {
    refuseIfLarge(cause)
    faults.add(0, null, null, 'the file is not Parquet, or it is damaged or truncated')
    return undefined
  }
  const { columns } = opened
  return {
    facts: { encoding: null, byte_order_mark: false, delimiter: null, quote: null, header: null },
    isText: false,
    columns: columns.map((column) => ({ name: column.name, type: typeOf(column) })),
    emptyOf: (name) => note[name]?.empty,
    records: () => recordsOf(opened, { note, isSample }, faults),
    close: () => opened.close(),
  }
}

const typeOf = ({ type }: ParquetColumn): ColumnType =>
  type === 'BOOLEAN' ? 'boolean' : numberTypes.test(type) ? 'number' : textTypes.test(type) ? 'text' : 'json'

const isNested = (column: ParquetColumn): boolean => typeOf(column) === 'json' && column.type !== 'JSON'

async function* recordsOf(
  file: ParquetFile,
  { note, isSample }: { note: Readonly<Record<string, NotedColumn>>; isSample: boolean },
  faults: Faults,
): AsyncGenerator<readonly SourceRecord[]> {
  const readers = file.columns.map((column) => cellReader(column, note[column.name]?.isShort === true))
  let line = 0
  try {
    for await (const rows of file.rows(isNested)) {
      const records: SourceRecord[] = []
      for (const row of rows) {
        line++
        let isWhole = true
        const cells = row.map((text, at) => {
          const value = text === null ? undefined : readers[at]?.(text)
          if (!(value instanceof Refused)) return value
          faults.add(line, file.columns[at]?.name ?? null, text, value.reason)
          isWhole = false
          return undefined
        })
        if (isWhole) records.push({ line, cells })
      }
      if (records.length > 0) yield records
      if (isSample && line >= datasetLimits.sampleRecords) return
    }
  } catch (cause) {
    refuseIfLarge(cause)
    faults.add(line + 1, null, null, 'the rest of the file is damaged or truncated')
  }
}

function cellReader(column: ParquetColumn, isShort: boolean): (text: string) => unknown {
  const type = typeOf(column)
  if (type === 'boolean') return (text) => text === 'true'
  if (type === 'text') return (text) => text
  if (type === 'json') return (text) => jsonOf(text)
  return (text) => {
    const value = Number(text)
    if (!Number.isFinite(value)) return new Refused('it is not a finite number')
    return isShort || String(value) === text ? value : rawNumber(text)
  }
}

function refuseIfLarge(cause: unknown): void {
  if (!isOutOfMemory(cause)) return
  throw new DomainError('RequestTooLarge', 'The row groups of the Parquet file are too large; write smaller ones', {
    cause,
  })
}
