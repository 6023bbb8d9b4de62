import { findDiskFault } from '../../lib/errors.ts'
import type { Table } from '../../lib/table.ts'
import { textLiteral } from '../../runtime/duck/column-types.ts'
import type { Writer } from '../../runtime/duck/writer.ts'
import { publishFile } from '../../runtime/platform/files/durable-files.ts'
import { fileBytes, removeFile } from '../../runtime/platform/files/files.ts'
import type { TableLayout } from '../layout.ts'
import { type DataFile, dataFileOf } from './data-file.ts'
import { checksumTag, computeChecksumTag } from './file-checksum.ts'
import { FileFilter } from './file-filter.ts'
import type { FileIndexBuilder } from './file-index-builder.ts'
import { newFileName } from './file-names.ts'
import { computeStatistics } from './file-scan.ts'
import { confirmedPlan, noPaths, type PathPlan, pathTagsOf, planPathColumns } from './path-columns.ts'
import { pathColumnsOf } from './path-tags.ts'
import { planRowGroups } from './row-groups.ts'
import { sortedSlices } from './sorted-slices.ts'
import { discardFile, markUncommitted } from './uncommitted-files.ts'
import { computeSections, indexRows, sectionsOfValues, writeIndexFile } from './write-index-file.ts'
import { temporaryName, writeSlices } from './write-slices.ts'

export interface RowsToWrite {
  readonly writer: Writer
  readonly table: Table
  readonly layout: TableLayout
  /**
   * A FROM clause over file columns, for example `"memtable_calls_7" t WHERE …`; trusted SQL, never
   * user input.
   */
  readonly source: string
  readonly nowMs: number
  /** See `writeSlices`. */
  readonly pause?: (() => Promise<void>) | undefined
}

/**
 * Writes rows as one sorted zstd Parquet file with statistics and an index file, and publishes it.
 * The file stays marked as uncommitted until a commit adds it.
 *
 * @param known at least the values of the rows, if these have been hashed before
 * @returns undefined if the source has no rows
 */
export async function writeDataFile(rows: RowsToWrite, known?: FileIndexBuilder): Promise<DataFile | undefined> {
  const { writer, table, layout, source, nowMs } = rows
  let givenUp: unknown
  const pause = async () => {
    await rows.pause?.().catch((cause: unknown) => {
      givenUp = cause
      throw cause
    })
  }
  // Without path columns it takes less memory, but no less space.
  const maySucceed = (cause: unknown) => cause !== givenUp && findDiskFault(cause) === undefined
  const values = known ?? (await indexRows(writer, table, source))
  const fileName = newFileName()
  const filter = await values.toFilter()
  const statistics = await computeStatistics(writer, table, source)
  if (statistics.numRecords === 0) return undefined
  const temporary = temporaryName(layout, fileName)
  const planned = await planRowGroups(writer, table, source, statistics.numRecords)
  const slices = await sortedSlices(writer, table, source, planned)
  const copy = async (plan: PathPlan | undefined) => {
    await writeSlices({ writer, table, layout, pause }, slices, plan, temporary)
    return await pathTagsOf(writer, temporary, plan)
  }
  let tags: Readonly<Record<string, string>>
  try {
    const plan = await planPathColumns(writer, table, source, statistics.numRecords)
    const paths = await copy(plan)
      // A sample may miss rows that are not like the others.
      .catch(async (cause: unknown) => {
        if (plan?.assumed === undefined || !maySucceed(cause)) throw cause
        return await copy(await confirmedPlan(writer, source, plan))
      })
      // Other programs may have written text that is not JSON. It can be stored, but has no paths.
      .catch(async (cause: unknown) => {
        if (plan === undefined || !maySucceed(cause)) throw cause
        return await copy(noPaths)
      })
    await expectRows(writer, temporary, statistics.numRecords)
    tags = {
      [checksumTag]: await computeChecksumTag(temporary, await fileBytes(temporary)),
      ...paths,
    }
    const indexed = { rows: statistics.numRecords, pathColumns: pathColumnsOf({ tags }), missing: [] }
    await writeIndexFile(layout, fileName, [
      ...sectionsOfValues(filter, values),
      ...(await computeSections(writer, table, { ...indexed, layout, fileName, parquet: temporary, pause })),
    ])
    await markUncommitted(layout, fileName)
    await publishFile(temporary, layout.parquet(fileName))
  } catch (cause) {
    // Retries must not fill up a full disk. If even this fails, the first error says why, and the
    // next start cleans up.
    await removeFile(temporary).catch(() => {})
    await discardFile(layout, fileName).catch(() => {})
    throw cause
  }
  const add = {
    path: encodeURIComponent(fileName),
    partitionValues: {},
    size: await fileBytes(layout.parquet(fileName)),
    modificationTime: nowMs,
    dataChange: true,
    stats: JSON.stringify(statistics),
    tags,
  }
  return dataFileOf(add, new FileFilter({ own: filter }), {
    fileName,
    statistics,
    missing: [],
    converted: '',
    deletedRows: '',
  })
}

/** @throws Error if a Parquet file has another number of rows than its source */
async function expectRows(writer: Writer, file: string, expected: number): Promise<void> {
  const { rows } = await writer.readOne(
    { rows: 'integer' },
    `SELECT num_rows FROM parquet_file_metadata(${textLiteral(file)})`,
  )
  if (rows !== expected) throw new Error(`Write a Parquet file: it has ${rows} rows instead of ${expected}`)
}
