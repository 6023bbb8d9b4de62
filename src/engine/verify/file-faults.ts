import { sharedMembers } from '../../lib/json-pointer.ts'
import { itemAt } from '../../lib/present.ts'
import type { Row, Table } from '../../lib/table.ts'
import { textLiteral } from '../../runtime/duck/column-types.ts'
import type { Writer } from '../../runtime/duck/writer.ts'
import { yieldToEventLoop } from '../../runtime/platform/event-loop.ts'
import { compareUtf8, type DataFile } from '../data-files/data-file.ts'
import { findContentFault } from '../data-files/file-checksum.ts'
import { allRowsSource, computeStatistics, fileColumns, fileNameOf } from '../data-files/file-scan.ts'
import { openWithoutFilters, parquetSource } from '../data-files/open-data-files.ts'
import { isShared, unsharedSql } from '../data-files/path-columns.ts'
import { shownColumnsOf } from '../data-files/path-tags.ts'
import type { FileStatistics } from '../delta/actions.ts'
import type { TableFile } from '../delta/delta-state.ts'
import type { TableLayout } from '../layout.ts'
import { rowsOfColumns } from '../row-key.ts'
import { indexFaults } from './index-faults.ts'
import { type RowCheck, RowFaults, reason } from './verification.ts'

/** Columns for paths that do not hold what the JSON says. */
async function pathFaults(
  writer: Writer,
  { pathed = [] }: Table,
  { pathColumns, sharedColumns, add }: DataFile,
  source: string,
): Promise<string[]> {
  const shown = [...shownColumnsOf(add)]
  const isShown = (path: string) => shown.some(([, member]) => path.startsWith(`${member}/`))
  const paths = [...pathColumns].filter(([path]) => !isShown(path))
  const shared = pathed.filter(isShared).filter(({ name }) => sharedColumns.has(sharedMembers(name)))
  if (paths.length + shared.length === 0) return []
  const items = paths.map(([path, name]) => `count(*) FILTER (t."${name}" IS DISTINCT FROM ${jsonAt(path)})`)
  const members = shown.map(([, member]) => `count(${jsonAt(member.replace('.', '/'))})`)
  const unshared = shared.map((column) => `count(*) FILTER (${unsharedSql(column)})`)
  const [found = []] = await writer.rows(`SELECT ${[...items, ...members, ...unshared].join(', ')} FROM ${source}`)
  const faultAt = (index: number, fault: (rows: number) => string) => {
    const rows = Number(found[index])
    return rows === 0 ? [] : [fault(rows)]
  }
  return [
    ...paths.flatMap(([path, name], index) =>
      faultAt(index, (rows) => `has ${rows} rows whose column ${name} is not the JSON at ${JSON.stringify(path)}`),
    ),
    ...shown.flatMap(([column, member], index) =>
      faultAt(
        paths.length + index,
        (rows) => `has ${rows} rows with JSON at ${JSON.stringify(member)}, where ${column} should be read`,
      ),
    ),
    ...shared.flatMap(({ name, sharedIn }, index) =>
      faultAt(
        paths.length + shown.length + index,
        (rows) => `has ${rows} rows with all of ${name} in the column itself, not in ${sharedIn.column}`,
      ),
    ),
  ]
}

function jsonAt(path: string): string {
  const slash = path.indexOf('/')
  return `json_extract(t."${path.slice(0, slash)}", ${textLiteral(path.slice(slash))})::VARCHAR`
}

/** Lists the faults of one Parquet file and of its index. Reads the whole file. */
export async function fileFaults(
  writer: Writer,
  table: Table,
  layout: TableLayout,
  file: TableFile,
  rowCheck: RowCheck | undefined,
): Promise<string[]> {
  const { add } = file
  const fileName = fileNameOf(add.path)
  const fault = await findContentFault(layout.parquet(fileName), add)
  if (fault !== undefined) return [fault]
  try {
    const dataFile = itemAt(await openWithoutFilters(writer, table, layout, [file]), 0)
    const source = `${parquetSource(layout, [dataFile])} t`
    const actual = await computeStatistics(writer, table, source)
    const faults = statisticsFaults(dataFile.statistics, actual, table)
    const columns = fileColumns(table).map(({ name }) => `t."${name}"`)
    // Makes DuckDB decode every value.
    await writer.rows(`SELECT bit_xor(hash(${columns.join(', ')}))::VARCHAR FROM ${source}`)
    faults.push(...(await pathFaults(writer, table, dataFile, source)))
    const whole = withDeletedRows(dataFile)
    const all = `${allRowsSource(table, layout, dataFile)} t`
    const read = (columns: readonly string[]) => rowsOf(writer, table, columns, all)
    faults.push(...(await indexFaults({ writer, table, layout, dataFile: whole, source: all, rowsOf: read })))
    return rowCheck === undefined ? faults : [...faults, ...(await rowFaults(writer, table, source, rowCheck))]
  } catch (cause) {
    return [`cannot be read: ${reason(cause)}`]
  }
}

/** The file without its deletion vector, which says nothing of its index; see `allRowsSource`. */
function withDeletedRows(dataFile: DataFile): DataFile {
  const { deletedRows, rows } = dataFile
  return deletedRows === '' ? dataFile : { ...dataFile, deletedRows: '', rows: rows + deletedRows.split(',').length }
}

function statisticsFaults(stated: FileStatistics, actual: FileStatistics, table: Table): string[] {
  const faults: string[] = []
  if (actual.numRecords !== stated.numRecords)
    faults.push(`has ${actual.numRecords} rows, but the Delta log says ${stated.numRecords}`)
  for (const { name } of fileColumns(table)) {
    const [nulls, statedNulls] = [actual.nullCount[name], stated.nullCount[name]]
    if (statedNulls !== undefined && nulls !== statedNulls)
      faults.push(`has ${nulls} nulls in ${name}, but the Delta log says ${statedNulls}`)
    const isTime = table.columns.some((column) => column.name === name && column.type === 'time')
    const [min, statedMin] = [actual.minValues[name], stated.minValues[name]]
    const [max, statedMax] = [actual.maxValues[name], stated.maxValues[name]]
    if (isBelow(min, statedMin, isTime))
      faults.push(`has ${name} ${text(min)}, below the minimum ${text(statedMin)} in the Delta log`)
    if (isBelow(statedMax, max, isTime))
      faults.push(`has ${name} ${text(max)}, above the maximum ${text(statedMax)} in the Delta log`)
  }
  return faults
}

type Bound = string | number | undefined

/** False if one of them is missing, so nothing can be said. */
function isBelow(a: Bound, b: Bound, isTime: boolean): boolean {
  if (typeof a === 'number' && typeof b === 'number') return a < b
  if (typeof a !== 'string' || typeof b !== 'string') return false
  return isTime ? Date.parse(a) < Date.parse(b) : compareUtf8(a, b) < 0
}

const text = (bound: Bound): string => JSON.stringify(String(bound).slice(0, 80))

async function rowFaults(writer: Writer, table: Table, source: string, check: RowCheck): Promise<string[]> {
  const broken = new RowFaults(check)
  for await (const row of rowsOf(writer, table, check.columns, source)) broken.add(row)
  return broken.fault === undefined ? [] : [broken.fault]
}

async function* rowsOf(writer: Writer, table: Table, columns: readonly string[], source: string): AsyncGenerator<Row> {
  const names = [...new Set([table.key[0], ...columns])]
  for await (const chunk of writer.columns(`SELECT ${names.map((name) => `t."${name}"`).join(', ')} FROM ${source}`)) {
    yield* rowsOfColumns(table, names, chunk)
    await yieldToEventLoop()
  }
}
