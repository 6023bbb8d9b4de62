import { fileColumns } from '../../src/engine/data-files/file-scan.ts'
import type { Snapshot } from '../../src/engine/reads/snapshot.ts'
import type { Store } from '../../src/engine/store.ts'
import type { Relation } from '../../src/lib/relation.ts'
import type { Sql, SqlValue } from '../../src/lib/sql.ts'
import type { Cell, Table } from '../../src/lib/table.ts'
import { notesTable } from './notes-table.ts'

/** A visible row without its null cells. */
export type VisibleRow = Readonly<Record<string, Cell>>

/** The rows of one project that a reader sees now, ordered by id. */
export async function visibleRows(store: Store, table: Table = notesTable, project = 'p'): Promise<VisibleRow[]> {
  return await store.read([table.name], { projectId: project }, (snapshot) => rowsIn(snapshot, table, project))
}

/** The same of a snapshot of that project that is already held. */
export async function rowsIn(snapshot: Snapshot, table: Table = notesTable, project = 'p'): Promise<VisibleRow[]> {
  const names = fileColumns(table).map(({ name }) => name)
  const relation = snapshot.relation(table.name)
  const rows = await snapshot.rows(rowsSql(relation, names, project))
  if (relation.isEmpty && rows.length > 0) throw new Error('A relation is marked as empty and has rows')
  return rows.map((row) =>
    Object.fromEntries(names.map((name, i) => [name, row[i]!]).filter(([, cell]) => cell !== null)),
  )
}

export const idsOf = (rows: readonly VisibleRow[]): string[] => rows.map((row) => String(row['id']))

/**
 * The union of the branches as specified: masks hide rows, and rows without a presence value are
 * invisible.
 */
function rowsSql({ branches, key, presenceColumn }: Relation, names: readonly string[], project: string): Sql {
  const values: SqlValue[] = [project]
  const selects = branches.map(({ source, masks }) => {
    const from =
      source.kind === 'table' ? `"${source.name}"` : filesSql(source, `$${values.push({ files: source.paths })}`)
    const hidden = masks.map(
      (mask) =>
        ` AND NOT EXISTS (FROM "${mask}" m WHERE ${key.map((name) => `m."${name}" = t."${name}"`).join(' AND ')})`,
    )
    const columns = names.map((name) => `t."${name}"`).join(', ')
    return `SELECT ${columns} FROM ${from} t WHERE t."${key[0]}" = $1 AND t."${presenceColumn}" IS NOT NULL${hidden.join('')}`
  })
  return { text: `SELECT * FROM (${selects.join(' UNION ALL ')}) r ORDER BY "${key[1]}"`, values }
}

type Files = Extract<Relation['branches'][number]['source'], { kind: 'files' }>

function filesSql({ missing, converted = '', deletedRows }: Files, paths: string): string {
  const files = `read_parquet(${paths})`
  const all = converted === '' ? '*' : `* REPLACE (${converted})`
  const rows = deletedRows === undefined ? '' : ` WHERE file_row_number NOT IN (${deletedRows})`
  return `(SELECT ${all}${missing === '' ? '' : `, ${missing}`} FROM ${files}${rows})`
}
