import { DomainError } from '../../lib/errors.ts'
import { lakeLimits } from '../../lib/limits/objects.ts'
import { valueAt } from '../../lib/present.ts'
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
  const { table, layout, dataFiles, valueIndexes, id, signal } = request
  if (dataFiles.some(({ fileName, converted, deletedRows }) => !isOwnName(fileName) || converted + deletedRows !== ''))
    return undefined
  const startMs = performance.now()
  const cost = readCost()
  try {
    const candidates = await filesThatMayHave(request)
    const rows = await valueIndexes.lookUp(candidates, new Map([[table.key[1], [id]]]))
    for (const dataFile of candidates) {
      const ranges = rows.get(dataFile.fileName)
      if (ranges?.length === 0) continue
      const path = layout.parquet(dataFile.fileName)
      cost?.filesRead.add(path)
      const row = await files.read(path, signal, (file) => findInFile(file, request, dataFile, ranges))
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
  for (const { group, first, last } of groupsWithin(file.footer, ranges)) {
    const inRange = rowsBetween(first, last)
    const values = await file.values(keys, group, inRange)
    const ids = valueAt(values, idColumn)
    const [projects, presence] = [values.get(projectColumn), values.get(table.presenceColumn)]
    for (const [index, row] of inRange.entries()) {
      if (!ids.hasText(index, idBytes) || projects?.hasText(index, projectBytes) === false) continue
      if (!areAllVisible && presence?.isNull(index) !== false) continue
      const known = isOneProject ? { [projectColumn]: projectId } : {}
      const read = columns.filter((name) => !isAllNull(dataFile, name) && !Object.hasOwn(known, name))
      const others = read.filter((name) => !values.has(name))
      const cells = await file.values(others, group, [row])
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
