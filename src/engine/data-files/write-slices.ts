import type { Table } from '../../lib/table.ts'
import { textLiteral } from '../../runtime/duck/column-types.ts'
import { parquetOptions } from '../../runtime/duck/files-sql.ts'
import type { Writer } from '../../runtime/duck/writer.ts'
import { removeFile } from '../../runtime/platform/files/files.ts'
import type { TableLayout } from '../layout.ts'
import { JoinedFile } from '../parquet/join-files.ts'
import { newFileName } from './file-names.ts'
import { fileColumnList } from './file-scan.ts'
import { type PathPlan, withPathColumns } from './path-columns.ts'
import { sequentialSql, sortedRowsSql } from './row-groups.ts'
import type { SortedSlice } from './sorted-slices.ts'

interface FileOptions {
  readonly writer: Writer
  readonly table: Table
  readonly layout: TableLayout
  /** Waits before each slice for work that matters more. */
  readonly pause?: (() => Promise<void>) | undefined
}

/** The name of a Parquet file that is not complete. The next start removes what a crash leaves. */
export const temporaryName = (layout: TableLayout, fileName: string): string => `${layout.parquet(`_${fileName}`)}.tmp`

/** Writes the rows of slices, each sorted, as one Parquet file, in place of an earlier attempt. */
export async function writeSlices(
  options: FileOptions,
  slices: readonly SortedSlice[],
  plan: PathPlan | undefined,
  file: string,
): Promise<void> {
  const [first, ...others] = slices
  if (first === undefined) throw new Error('Write a Parquet file: there are no rows')
  await copySlice(options, first, plan, file)
  if (others.length === 0) return
  const joined = await JoinedFile.begin(file)
  const part = temporaryName(options.layout, newFileName())
  try {
    for (const slice of others) {
      await options.pause?.()
      await copySlice(options, slice, plan, part)
      await joined.take(part)
    }
  } catch (cause) {
    await removeFile(part).catch(() => {})
    throw cause
  }
  await joined.finish()
}

async function copySlice(
  { writer, table }: FileOptions,
  { source, groups }: SortedSlice,
  plan: PathPlan | undefined,
  file: string,
): Promise<void> {
  const order = table.order.map((name) => `t."${name}"`).join(', ')
  const rows = { ...withPathColumns({ columns: fileColumnList(table), source }, plan), order }
  const { select, rowGroupSize } = sortedRowsSql(rows, groups)
  const inOneThread = groups.kind === 'uniform' && (await writer.threads()) <= 2
  await writer.executeLong(
    `COPY (${inOneThread ? sequentialSql(table, select) : select}) TO ${textLiteral(file)}
     (${parquetOptions}, COMPRESSION_LEVEL 1, ROW_GROUP_SIZE ${rowGroupSize})`,
  )
}
