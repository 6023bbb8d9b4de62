import { DomainError } from '../../lib/errors.ts'
import { lakeLimits } from '../../lib/limits/objects.ts'
import { itemAt, valueAt } from '../../lib/present.ts'
import type { RowRanges } from '../../lib/relation.ts'
import type { Cell, Table } from '../../lib/table.ts'
import { readCost } from '../../runtime/platform/read-cost.ts'
import { type DataFile, fileMatcher, hasOnlyValue, isAllNull } from '../data-files/data-file.ts'
import { loadFilters, unloadedFilters } from '../data-files/deferred-filter.ts'
import { isOwnName } from '../data-files/file-names.ts'
import type { TableLayout } from '../layout.ts'
import { groupsWithin, type ParquetFile, rowsBetween } from '../parquet/parquet-file.ts'
import type { ParquetFiles } from '../parquet/parquet-files.ts'
import type { ValueIndexes } from '../value-index/value-indexes.ts'

/** A single-row read from data files. */
export interface RowRequest {
  readonly table: Table
  readonly layout: TableLayout
  /** Files that may contain the row, pinned by the caller. */
  readonly dataFiles: readonly DataFile[]
  readonly valueIndexes: ValueIndexes
  readonly projectId: string
  readonly id: string
  readonly columns: readonly string[]
  /** Aborts the wait for other reads. */
  readonly signal: AbortSignal
}

/** The cells of a row by column name. */
export type NamedCells = Readonly<Record<string, Cell>>

/**
 * Reads a single row from data files, without DuckDB. See docs/performance-log.md, entry 157.
 *
 * @returns null if there is no such row; undefined if only DuckDB can find out
 * @throws DomainError Overloaded, QueryTimeout, RequestCancelled
 */
export async function findRow(files: ParquetFiles, request: RowRequest): Promise<NamedCells | null | undefined> {
  const { layout, dataFiles, signal } = request
  if (dataFiles.some(({ fileName, converted, deletedRows }) => !isOwnName(fileName) || converted + deletedRows !== ''))
    return undefined
  const startMs = performance.now()
  const cost = readCost()
  try {
    const candidates = await filesThatMayHave(request)
    const ranges = layout.files.filters === undefined ? await rangesIn(request, candidates) : undefined
    for (const dataFile of candidates) {
      const inFile = ranges === undefined ? await rangesByFooter(files, request, dataFile) : ranges
      if (inFile.get(dataFile.fileName)?.length === 0) continue
      const path = layout.parquet(dataFile.fileName)
      cost?.filesRead.add(path)
      const row = await files.read(path, signal, (file) =>
        findInFile(file, request, dataFile, inFile.get(dataFile.fileName)),
      )
      if (row !== undefined) return row
    }
    return null
  } catch (cause) {
    if (cause instanceof DomainError) throw cause
    // If the file is damaged, or gone, DuckDB finds out as well, and its errors are handled.
    return undefined
  } finally {
    if (cost !== undefined) cost.readMs += performance.now() - startMs
  }
}

/** The rows of files that may be the wanted one, by file name; of other files, any row. */
const rangesIn = ({ table, valueIndexes, id }: RowRequest, dataFiles: readonly DataFile[]) =>
  valueIndexes.lookUp(dataFiles, new Map([[table.key[1], [id]]]))

/**
 * The same for a file that may have to be fetched. Its footer is needed in any case; its index only
 * if the bounds of the row groups do not tell where the row is.
 */
async function rangesByFooter(
  files: ParquetFiles,
  request: RowRequest,
  dataFile: DataFile,
): Promise<ReadonlyMap<string, RowRanges>> {
  const { table, layout, projectId, id, signal } = request
  const [projectColumn, idColumn] = table.key
  const texts = new Map([
    [projectColumn, utf8(projectId)],
    [idColumn, utf8(id)],
  ])
  const ranges = await files.read(layout.parquet(dataFile.fileName), signal, async ({ footer }) =>
    footer.groupsWith(texts).map((group) => footer.rowsOf(group)),
  )
  return ranges.length <= 1 ? new Map([[dataFile.fileName, ranges]]) : await rangesIn(request, [dataFile])
}

/** Reads filters that are not loaded if the bounds of the files leave more than a few of them. */
async function filesThatMayHave({ table, dataFiles, projectId, id }: RowRequest): Promise<readonly DataFile[]> {
  if (dataFiles.length <= lakeLimits.filesWithoutFilterMax || unloadedFilters(dataFiles).length === 0) return dataFiles
  await loadFilters(dataFiles)
  return dataFiles.filter(fileMatcher(table, { projectId, anyOf: new Map([[table.key[1], [id]]]) }))
}

async function findInFile(
  file: ParquetFile,
  { table, projectId, id, columns }: RowRequest,
  dataFile: DataFile,
  ranges: RowRanges = [[0, dataFile.rows - 1]],
): Promise<NamedCells | undefined> {
  const [projectColumn, idColumn] = table.key
  const isOneProject = hasOnlyValue(dataFile, projectColumn, projectId)
  const areAllVisible = dataFile.statistics.nullCount[table.presenceColumn] === 0
  const keys = [idColumn, ...(isOneProject ? [] : [projectColumn]), ...(areAllVisible ? [] : [table.presenceColumn])]
  const [idBytes, projectBytes] = [utf8(id), utf8(projectId)]
  const read = columns.filter((name) => !isAllNull(dataFile, name) && !(isOneProject && name === projectColumn))
  const groups = groupsWithin(file.footer, ranges)
  if (groups.length === 1) await file.bring([...keys, ...read], itemAt(groups, 0).group)
  for (const { group, first, last } of groups) {
    const inRange = rowsBetween(first, last)
    using values = await file.values(keys, group, inRange)
    const ids = valueAt(values, idColumn)
    const [projects, presence] = [values.get(projectColumn), values.get(table.presenceColumn)]
    for (const [index, row] of inRange.entries()) {
      if (!ids.hasText(index, idBytes) || projects?.hasText(index, projectBytes) === false) continue
      if (!areAllVisible && presence?.isNull(index) !== false) continue
      const known = isOneProject ? { [projectColumn]: projectId } : {}
      const others = read.filter((name) => !values.has(name))
      using cells = await file.values(others, group, [row])
      const cellOf = (name: string) => values.get(name)?.cell(index) ?? cells.get(name)?.cell(0) ?? null
      return {
        ...Object.fromEntries(columns.map((name) => [name, null])),
        ...known,
        ...Object.fromEntries(read.map((name) => [name, cellOf(name)])),
      }
    }
  }
  return undefined
}

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
