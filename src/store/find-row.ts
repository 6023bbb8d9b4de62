import { textLiteral } from '../duck/column-types.ts'
import type { ReadLimits } from '../duck/reader.ts'
import type { ReaderPool } from '../duck/reader-pool.ts'
import type { Cell, Table } from '../model/table.ts'
import type { TableLayout } from './layout.ts'
import { isEmptyColumn, type Segment } from './segment/segment.ts'

/** One row out of files. */
export interface RowRequest {
  readonly table: Table
  readonly layout: TableLayout
  /** Files that may hold the row. Nobody removes them meanwhile. */
  readonly segments: readonly Segment[]
  readonly projectId: string
  readonly id: string
  readonly columns: readonly string[]
  readonly limits: ReadLimits
}

/** Cells of a row by the name of their column. */
export type NamedCells = Readonly<Record<string, Cell>>

/**
 * Reads a single row out of files, with readers of a DuckDB that is made for that: see docs/decisions/047.
 *
 * @throws DomainError Overloaded, QueryTimeout
 */
export async function findRow(readers: ReaderPool, request: RowRequest): Promise<NamedCells | undefined> {
  const { projectId, id, columns, limits } = request
  const reader = await readers.acquire()
  try {
    for (const segment of request.segments) {
      const { text, read } = statementFor(request, segment)
      const [cells] = await reader.preparedRows({ text, values: [projectId, id] }, limits)
      if (cells !== undefined) return named(columns, read, cells)
    }
    return undefined
  } finally {
    readers.release(reader)
  }
}

/**
 * The statement for one file. Its name is part of the text, because only so the statement can be prepared. A column without a value in
 * the whole file is not asked for: DuckDB would open it in every row group.
 */
function statementFor({ table, layout, columns }: RowRequest, segment: Segment): { text: string; read: string[] } {
  const read = columns.filter((name) => !isEmptyColumn(segment, name))
  const [project, id] = table.key
  const text = `SELECT ${read.map((name) => `t."${name}"`).join(', ')}
    FROM read_parquet(${textLiteral(layout.parquet(segment.fileName))}) t WHERE t."${project}" = $1 AND t."${id}" = $2 LIMIT 1`
  return { text, read }
}

function named(columns: readonly string[], read: readonly string[], cells: readonly Cell[]): NamedCells {
  const row: Record<string, Cell> = Object.fromEntries(columns.map((name) => [name, null]))
  for (const [index, name] of read.entries()) row[name] = cells[index]!
  return row
}
