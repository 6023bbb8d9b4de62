import { readChunks } from '../../runtime/platform/files/file-chunks.ts'
import type { Format, ReadOptions } from './model/datasets.ts'
import { openCsv } from './reading/csv.ts'
import type { Faults } from './reading/faults.ts'
import { type ObjectRecord, objectsOf } from './reading/json-lines.ts'
import { openParquet } from './reading/parquet.ts'
import type { FileReader } from './reading/records.ts'
import { openText, type ReceivedFile } from './reading/text-file.ts'

interface Opened {
  readonly format: Format
  readonly facts: FileReader['facts']
  readonly isWhole: boolean
  close(): void
}

/** A file that is being read: with columns, as objects, or neither if it is damaged. */
export type OpenedFile = Opened &
  (
    | {
        readonly kind: 'columns'
        readonly reader: FileReader
        readonly emptyOf: (name: string) => 'null' | 'absent' | undefined
      }
    | { readonly kind: 'objects'; readonly objects: () => AsyncGenerator<readonly ObjectRecord[]> }
    | { readonly kind: 'none' }
  )

/** Opens a file, guessing what the options do not say. Close it. */
export async function openFile(
  file: ReceivedFile,
  fileName: string,
  how: { readonly options: ReadOptions; readonly temporaryFolder: string; readonly isSample: boolean },
  faults: Faults,
): Promise<OpenedFile> {
  const { options, isSample } = how
  const format = options.format ?? (await likelyFormat(file, fileName))
  const close = () => {}
  const facts = { encoding: null, byte_order_mark: false, delimiter: null, quote: null, header: null }
  if (format === 'parquet') {
    const reader = await openParquet(file, how, faults)
    if (reader === undefined) return { format, facts, isWhole: true, close, kind: 'none' }
    const { emptyOf } = reader
    return { format, facts, isWhole: !isSample, close: () => reader.close(), kind: 'columns', reader, emptyOf }
  }
  const text = await openText(file, { encoding: options.encoding, isSample }, faults)
  const { isWhole } = text
  const stated = { ...facts, encoding: text.encoding, byte_order_mark: text.hasMark }
  if (faults.count > 0) return { format, facts: stated, isWhole, close, kind: 'none' }
  if (format === 'jsonl') {
    return { format, facts: stated, isWhole, close, kind: 'objects', objects: () => objectsOf(text, faults) }
  }
  const reader = await openCsv(text, options, faults)
  return { format, facts: reader.facts, isWhole, close, kind: 'columns', reader, emptyOf: () => undefined }
}

/** By the first bytes, then by the name. */
async function likelyFormat(file: ReceivedFile, fileName: string): Promise<Format> {
  for await (const piece of readChunks(file.path, 0, Math.min(64, file.bytes))) {
    const start = new TextDecoder().decode(piece)
    if (start.startsWith('PAR1') || /\.parquet$/i.test(fileName)) return 'parquet'
    if (/\.(?:jsonl|ndjson)$/i.test(fileName)) return 'jsonl'
    if (/\.(?:csv|tsv|txt)$/i.test(fileName)) return 'csv'
    return /^\s*\{/.test(start) ? 'jsonl' : 'csv'
  }
  return 'csv'
}
