import { sharedMembers } from '../../lib/json-pointer.ts'
import { itemAt } from '../../lib/present.ts'
import { columnIndex, type Row, type Table } from '../../lib/table.ts'
import { cellAt, keyPositions } from '../../lib/typed-rows.ts'
import { textLiteral } from '../../runtime/duck/column-types.ts'
import type { Writer } from '../../runtime/duck/writer.ts'
import { yieldToEventLoop } from '../../runtime/platform/event-loop.ts'
import { areSameBytes } from '../../runtime/platform/files/bytes.ts'
import { fileExists, findBytes } from '../../runtime/platform/files/files.ts'
import { compareUtf8, type DataFile } from '../data-files/data-file.ts'
import { findContentFault } from '../data-files/file-checksum.ts'
import { computeStatistics, fileColumns, fileNameOf } from '../data-files/file-scan.ts'
import { openWithoutFilters, parquetSource } from '../data-files/open-data-files.ts'
import { isShared, unsharedSql } from '../data-files/path-columns.ts'
import { shownColumnsOf } from '../data-files/path-tags.ts'
import { indexRows } from '../data-files/write-data-file.ts'
import type { FileStatistics } from '../delta/actions.ts'
import type { TableFile } from '../delta/delta-state.ts'
import { BloomFilter, hashValue } from '../keys/bloom-filter.ts'
import { KeyFile } from '../keys/key-file.ts'
import type { TableLayout } from '../layout.ts'
import { hasOwnMark, statedMark } from '../rollups/rollups.ts'
import { isRollupOf } from '../rollups/write-rollup.ts'
import { rowsOfColumns } from '../row-key.ts'
import { bytesOf, TextFilterFile } from '../text-filter/text-filter-file.ts'
import { computeTextFilter } from '../text-filter/write-text-filter.ts'
import { ValueIndexFile } from '../value-index/value-index-file.ts'
import { bytesOfValueIndex } from '../value-index/value-index-format.ts'
import { computeValueIndex } from '../value-index/write-value-index.ts'
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

/** A missing value index only makes reads slower; one that lacks a row hides it. */
async function valueIndexFaults(
  writer: Writer,
  table: Table,
  layout: TableLayout,
  dataFile: DataFile,
): Promise<string[]> {
  const path = layout.values(dataFile.fileName)
  const bytes = await findBytes(path)
  if (bytes === undefined) return []
  if ((await ValueIndexFile.find(path)) === undefined)
    return ['has a damaged value index; delete it, and a running server rebuilds it']
  const contents = await computeValueIndex(writer, table, dataFile, layout.parquet(dataFile.fileName))
  if (areSameBytes(bytesOfValueIndex(contents), bytes)) return []
  return ['has a value index of other rows; delete it, and a running server rebuilds it']
}

/**
 * Lists the faults of a key file. A missing one is rebuilt by the server; one that lacks a row lets
 * its next part become a second row.
 *
 * @param source the rows of the data file, as a FROM item `t`
 */
async function keyFaults(
  writer: Writer,
  table: Table,
  layout: TableLayout,
  { fileName, source }: { fileName: string; source: string },
): Promise<string[]> {
  const path = layout.keys(fileName)
  if (!(await fileExists(path))) return []
  const keys = (await indexRows(writer, table, source)).toKeys()
  const indexes = Array.from({ length: keys.length / 2 }, (_, index) => index)
  const held = await (await KeyFile.find(path))?.findPresent(keys, indexes)
  if (held === undefined) return ['has a damaged key file; the server rebuilds it']
  const denied = indexes.length - held.length
  return denied === 0 ? [] : [`has a key file that lacks ${denied} of its rows; delete it, and the server rebuilds it`]
}

/** A missing rollup only makes statistics slower; a wrong one makes them wrong. */
export async function rollupFaults(
  writer: Writer,
  table: Table,
  layout: TableLayout,
  { fileName, source }: { fileName: string; source: string },
): Promise<string[]> {
  const path = layout.rollup(fileName)
  if (table.rollup === undefined || !(await fileExists(path))) return []
  try {
    const stated = await statedMark(writer, path)
    // Written by another version; a running server replaces it.
    if (stated !== undefined && !stated.startsWith(`${table.rollup.version} `)) return []
    const isRight = (await hasOwnMark(writer, table, path)) && (await isRollupOf(writer, table, source, path))
    return isRight ? [] : ['has a rollup of other rows; delete it, and a running server rebuilds it']
  } catch {
    return ['has a damaged rollup; delete it, and a running server rebuilds it']
  }
}

/** A missing text filter only makes searches slower; one that lacks a text hides its row. */
export async function textFilterFaults(
  writer: Writer,
  table: Table,
  layout: TableLayout,
  fileName: string,
): Promise<string[]> {
  const path = layout.texts(fileName)
  const bytes = await findBytes(path)
  if (bytes === undefined) return []
  if ((await TextFilterFile.find(path)) === undefined)
    return ['has a damaged text filter; delete it, and a running server rebuilds it']
  const contents = await computeTextFilter(writer, table, layout.parquet(fileName))
  if (contents !== undefined && areSameBytes(bytesOf(contents), bytes)) return []
  return ['has a text filter of other texts; delete it, and a running server rebuilds it']
}

/**
 * Lists the faults of one Parquet file, its Bloom filter and its key file. Reads the whole file.
 */
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
    const all = fileColumns(table).map(({ name }) => `t."${name}"`)
    // Makes DuckDB decode every value.
    await writer.rows(`SELECT bit_xor(hash(${all.join(', ')}))::VARCHAR FROM ${source}`)
    faults.push(...(await filterFaults(writer, table, layout, dataFile, source)))
    faults.push(...(await keyFaults(writer, table, layout, { fileName, source })))
    faults.push(...(await pathFaults(writer, table, dataFile, source)))
    faults.push(...(await textFilterFaults(writer, table, layout, fileName)))
    faults.push(...(await rollupFaults(writer, table, layout, { fileName, source })))
    faults.push(...(await valueIndexFaults(writer, table, layout, dataFile)))
    return rowCheck === undefined ? faults : [...faults, ...(await rowFaults(writer, table, source, rowCheck))]
  } catch (cause) {
    return [`cannot be read: ${reason(cause)}`]
  }
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

/** A missing filter is rebuilt at the next start; one that lacks a row hides it. */
async function filterFaults(
  writer: Writer,
  table: Table,
  layout: TableLayout,
  { fileName, missing }: DataFile,
  source: string,
): Promise<string[]> {
  const bytes = await findBytes(layout.filter(fileName))
  if (bytes === undefined) return []
  const filter = BloomFilter.fromBytes(bytes)
  if (filter === undefined) return ['has a damaged Bloom filter; the next start rebuilds it']
  const columns = table.filtered.filter((name) => !missing.some((column) => column.name === name))
  const { project } = keyPositions(table)
  let unknown = 0
  for await (const row of rowsOf(writer, table, columns, source)) {
    const ofProject = cellAt(row, project)
    const isKnown = columns.every((name) => {
      const value = row[columnIndex(table, name)]
      return typeof value !== 'string' || filter.mayContain(hashValue(name, ofProject, value))
    })
    if (!isKnown) unknown++
  }
  return unknown === 0
    ? []
    : [`has a Bloom filter that lacks ${unknown} of its rows; delete it, and the next start rebuilds it`]
}

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
