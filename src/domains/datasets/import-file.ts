import { DomainError } from '../../lib/errors.ts'
import { datasetLimits } from '../../lib/limits/datasets.ts'
import { digestOfBytes } from '../../runtime/digest.ts'
import { TimeSlice } from '../../runtime/platform/event-loop.ts'
import { writeChunks } from '../../runtime/platform/files/file-chunks.ts'
import { removeFile } from '../../runtime/platform/files/files.ts'
import { collectGarbage } from '../../runtime/platform/garbage.ts'
import { pythonJson, pythonJsonOf } from '../../runtime/python-json.ts'
import type { ProjectWriter } from '../access/index.ts'
import { noteRow, type PrintedRows, type SentRows } from '../tables/index.ts'
import type { ColumnType, ImportOptions } from './model/datasets.ts'
import { type OpenedFile, openFile } from './open-file.ts'
import { Corrections } from './reading/corrections.ts'
import { Faults } from './reading/faults.ts'
import type { RowText } from './reading/row-text.ts'
import { ColumnGuesses, type CorrectedCells, rowsOfColumns, rowsOfObjects } from './reading/rows.ts'
import type { ReceivedFile } from './reading/text-file.ts'
import { RowBlocks, storedRows } from './row-blocks.ts'

/** Rows of a file that are ready to be stored, in a temporary file. Remove it. */
export interface PreparedRows {
  readonly rows: number
  readonly skipped: number
  /** Lines with faults that were left out. */
  readonly leftOut: number
  batches(): AsyncGenerator<PrintedRows>
  remove(): Promise<void>
}

interface Preparation {
  readonly writer: ProjectWriter
  readonly options: ImportOptions
  readonly temporaryFile: (ending: string) => string
  readonly temporaryFolder: string
  /** Digests of rows that are there already, if equal rows are skipped. */
  readonly known: AsyncIterable<readonly string[]>
  readonly refuseIfShort: () => void
  readonly signal: AbortSignal
}

/** @throws DomainError RequestCancelled */
export function refuseIfLeft(signal: AbortSignal): void {
  if (signal.aborted) throw new DomainError('RequestCancelled', 'The client disconnected')
}

/**
 * Batches for as long as the client waits for them. After each, garbage is collected: the runtime
 * would let hundreds of MB pile up before it does so itself. @throws DomainError RequestCancelled
 */
export async function* untilLeft<Batch>(batches: AsyncIterable<Batch>, signal: AbortSignal): AsyncGenerator<Batch> {
  for await (const batch of batches) {
    refuseIfLeft(signal)
    yield batch
    collectGarbage()
  }
}

/**
 * Reads a whole file and writes its rows, with their digests, into a temporary file. See
 * docs/decisions/240-importing-datasets.md.
 *
 * @throws DomainError InvalidRows with the first faults, if there are any; InvalidRequest,
 *   RequestCancelled, InsufficientStorage
 */
export async function prepareRows(file: ReceivedFile, fileName: string, work: Preparation): Promise<PreparedRows> {
  const faults = new Faults()
  const { options, temporaryFolder } = work
  const { types, delimiter } = await guess(file, fileName, work)
  const read = { ...options, delimiter: options.delimiter ?? delimiter }
  const opened = await openFile(file, fileName, { options: read, temporaryFolder, isSample: false }, faults)
  faults.refuse()
  const path = work.temporaryFile('rows')
  const count = { rows: 0, skipped: 0 }
  const corrections = new Corrections(options.corrections ?? [])
  // See docs/decisions/254-faulty-lines.md.
  const leftOut = options.leave_out_lines ?? 0
  try {
    const rows = rowsOf(opened, { options, types, corrections }, faults)
    await writeChunks(path, rowBlocks(rows, { work, faults, count, leavesOut: leftOut > 0 }))
  } finally {
    opened.close()
  }
  try {
    faults.refuse(leftOut)
    if (faults.count === 0 && leftOut > 0) throw noFaults(leftOut)
    corrections.refuseUnused()
  } catch (cause) {
    await removeFile(path)
    throw cause
  }
  return { ...count, leftOut, batches: () => storedRows(path), remove: () => removeFile(path) }
}

interface Guess {
  readonly types: readonly ColumnType[]
  readonly delimiter: string | null
}

const noFaults = (leftOut: number): DomainError =>
  new DomainError(
    'InvalidRequest',
    `Nothing was written: \`leave_out_lines\` is ${leftOut}, but no line of the file has a fault`,
  )

/** The types of CSV columns, and what is between them, as far as the options do not state it. */
async function guess(file: ReceivedFile, fileName: string, work: Preparation): Promise<Guess> {
  const faults = new Faults()
  const { options, temporaryFolder } = work
  const opened = await openFile(file, fileName, { options, temporaryFolder, isSample: true }, faults)
  try {
    if (opened.kind !== 'columns' || !opened.reader.isText) return { types: [], delimiter: null }
    const guesses = new ColumnGuesses(opened.reader.columns)
    const slice = new TimeSlice()
    for await (const records of opened.reader.records()) {
      for (const record of records) guesses.add(record)
      await slice.yieldIfExpired()
    }
    return { types: guesses.result.map(({ type }) => type), delimiter: opened.facts.delimiter }
  } finally {
    opened.close()
  }
}

/** Prints a row as digests are computed from it. */
type PrintedRow = (row: Readonly<Record<string, unknown>>) => string

/** A row that is read, as text if it could be printed directly; undefined with a fault. */
type ReadRow = { readonly row: Readonly<Record<string, unknown>> } | { readonly text: RowText } | undefined

/** Batches of rows, each read when it is asked for. */
async function* rowsOf(
  opened: OpenedFile,
  { options, types, corrections }: { options: ImportOptions; types: readonly ColumnType[]; corrections: Corrections },
  faults: Faults,
): AsyncGenerator<{
  readonly rows: Iterable<readonly [line: number, row: ReadRow]>
  readonly print: PrintedRow
}> {
  const choices = options.columns ?? []
  if (opened.kind === 'none') return
  if (opened.kind === 'objects') {
    const rowOf = rowsOfObjects(choices, faults)
    for await (const some of opened.objects()) yield { rows: read(some, corrections, rowOf), print: pythonJson }
    return
  }
  const { reader, emptyOf } = opened
  const typeOf = (at: number) => types[at] ?? reader.columns?.[at]?.type ?? 'text'
  const { names, rowOf, textOf } = rowsOfColumns(reader, choices, { typeOf, emptyOf }, faults)
  const print = pythonJsonOf(names)
  for await (const some of reader.records()) yield { rows: read(some, corrections, rowOf, textOf), print }
}

function* read<Source extends { readonly line: number }>(
  records: readonly Source[],
  corrections: Corrections,
  rowOf: (record: Source, corrected?: CorrectedCells) => Readonly<Record<string, unknown>> | undefined,
  textOf?: (record: Source) => RowText | undefined,
): Generator<readonly [line: number, row: ReadRow]> {
  for (const record of records) {
    const corrected = corrections.of(record.line)
    const text = corrected === undefined ? textOf?.(record) : undefined
    const row = text === undefined ? rowOf(record, corrected) : undefined
    yield [record.line, text === undefined ? row && { row } : { text }]
  }
}

async function* rowBlocks(
  batches: ReturnType<typeof rowsOf>,
  {
    work,
    faults,
    count,
    leavesOut,
  }: { work: Preparation; faults: Faults; count: { rows: number; skipped: number }; leavesOut: boolean },
): AsyncGenerator<Uint8Array> {
  const skips = work.options.equal_rows === 'skip'
  const seen = new Set<string>()
  for await (const digests of work.known) for (const digest of digests) seen.add(digest)
  const slice = new TimeSlice()
  const blocks = new RowBlocks()
  let blockCount = 0
  for await (const { rows, print } of batches) {
    for (const [line, row] of rows) {
      if (slice.expired) {
        refuseIfLeft(work.signal)
        await slice.yield()
      }
      // The rest is read for its faults only, unless lines with faults are left out.
      if (row === undefined || (faults.count > 0 && !leavesOut)) continue
      const noted =
        'text' in row
          ? ([digestOfBytes(row.text.digested), row.text.val] as const)
          : notedRow(work.writer, row.row, { line, print }, faults)
      if (noted === undefined) continue
      const [digest, val] = noted
      if (skips) {
        if (seen.has(digest)) {
          count.skipped++
          continue
        }
        seen.add(digest)
      }
      count.rows++
      blocks.add(digest, val)
      if (!blocks.isFull) continue
      work.refuseIfShort()
      yield blocks.take()
      if (++blockCount % datasetLimits.blocksPerCollection === 0) collectGarbage()
    }
    work.refuseIfShort()
  }
  if (!blocks.isEmpty) yield blocks.take()
}

/** Digest and JSON text of a row; undefined, with a fault, for a ref that is out of reach. */
function notedRow(
  writer: ProjectWriter,
  row: Readonly<Record<string, unknown>>,
  { line, print }: { readonly line: number; readonly print: PrintedRow },
  faults: Faults,
): readonly [digest: string, val: string] | undefined {
  const val = JSON.stringify(row)
  // Only refs differ between what is sent, what is stored and what has the digest.
  if (!val.includes(':///')) return [digestOfBytes(print(row)), val]
  const sent: SentRows = new Map()
  try {
    noteRow(sent, writer, row)
  } catch (cause) {
    if (!(cause instanceof DomainError)) throw cause
    faults.addOfLine(line, null, null, cause.message)
  }
  for (const entry of sent) return entry
  return undefined
}
