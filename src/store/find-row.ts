import type { ReadLimits } from '../duck/reader.ts'
import type { ReaderPool } from '../duck/reader-pool.ts'
import type { RowRanges } from '../kernel/relation.ts'
import type { Sql, SqlValue } from '../kernel/sql.ts'
import type { Cell, Table } from '../kernel/table.ts'
import { type DataFile, hasOnlyValue, isAllNull } from './data-files/data-file.ts'
import { fileSource } from './data-files/file-scan.ts'
import type { TableLayout } from './layout.ts'
import type { ValueIndexes } from './value-index/value-indexes.ts'

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
  readonly limits: ReadLimits
  /** Aborts the wait for a reader. */
  readonly signal: AbortSignal
}

/** The cells of a row by column name. */
export type NamedCells = Readonly<Record<string, Cell>>

/**
 * Reads a single row from data files with the readers of a DuckDB tuned for this; see
 * docs/decisions/047.
 *
 * @throws DomainError Overloaded, QueryTimeout
 */
export async function findRow(readers: ReaderPool, request: RowRequest): Promise<NamedCells | undefined> {
  const reader = await readers.acquire(request.signal)
  try {
    const wanted = new Map([[request.table.key[1], [request.id]]])
    const rows = await request.valueIndexes.lookUp(request.dataFiles, wanted)
    for (const dataFile of request.dataFiles) {
      const ranges = rows.get(dataFile.fileName)
      if (ranges?.length === 0) continue
      const { text, values, read, known } = statementFor(request, dataFile, ranges)
      const [cells] = await reader.preparedRows({ text, values }, request.limits)
      if (cells !== undefined) return named(request.columns, read, cells, known)
    }
    return undefined
  } finally {
    readers.release(reader)
  }
}

interface Statement extends Sql {
  readonly read: readonly string[]
  /** Cells whose value is known without reading them. */
  readonly known: NamedCells
}

/**
 * The statement for one file. The file name is part of the text, because only then can the
 * statement be prepared. Cells that the statistics determine are not selected: DuckDB would open
 * the column in every row group.
 */
function statementFor(
  { table, layout, columns, projectId, id }: RowRequest,
  dataFile: DataFile,
  ranges: RowRanges | undefined,
): Statement {
  const [projectColumn, idColumn] = table.key
  const isOneProject = hasOnlyValue(dataFile, projectColumn, projectId)
  const known = isOneProject ? { [projectColumn]: projectId } : {}
  const read = columns.filter((name) => !isAllNull(dataFile, name) && !Object.hasOwn(known, name))
  const values: SqlValue[] = isOneProject ? [id] : [id, projectId]
  const ofProject = isOneProject ? '' : ` AND t."${projectColumn}" = $2`
  // One range, so that the statement stays the same from one row to the next.
  const [first, last] = [ranges?.[0]?.[0], ranges?.at(-1)?.[1]]
  const isLocated = first !== undefined && last !== undefined
  if (isLocated) values.push(BigInt(first), BigInt(last))
  const within = isLocated
    ? ` AND t.file_row_number BETWEEN $${values.length - 1}::BIGINT AND $${values.length}::BIGINT`
    : ''
  const isVisible =
    dataFile.statistics.nullCount[table.presenceColumn] === 0 ? '' : ` AND t."${table.presenceColumn}" IS NOT NULL`
  const text = `SELECT ${read.map((name) => `t."${name}"`).join(', ')}
    FROM ${fileSource(layout, [dataFile])} t WHERE t."${idColumn}" = $1${ofProject}${within}${isVisible} LIMIT 1`
  return { text, values, read, known }
}

function named(
  columns: readonly string[],
  read: readonly string[],
  cells: readonly Cell[],
  known: NamedCells,
): NamedCells {
  const row: Record<string, Cell> = { ...Object.fromEntries(columns.map((name) => [name, null])), ...known }
  for (const [index, name] of read.entries()) row[name] = cells[index]!
  return row
}
