import { openReadOnly } from '../../engine/read-only.ts'
import { callsTable } from '../../engine/tables/calls-table.ts'
import { costsTable } from '../../engine/tables/costs-table.ts'
import type { DescribedTable } from '../../engine/tables/define-table.ts'
import { tables } from '../../engine/tables/tables.ts'
import { textIn } from '../../lib/typed-rows.ts'
import type { Database } from '../../runtime/duck/database.ts'
import { Writer } from '../../runtime/duck/writer.ts'
import { loadPriceBook, type PriceBook, priceCells, projectPrice } from '../costs/index.ts'
import { costFunction, pricedCallsSql, usageView, usageViewSql } from './computed-columns.ts'

/**
 * Names of the tables that statements of users may read: what the operations show as well. Others
 * hold work in progress, or settings that may contain credentials.
 */
const names: ReadonlySet<string> = new Set([
  'calls',
  'feedback',
  'costs',
  'objects',
  'object_labels',
  'files',
  'annotation_queues',
  'annotation_queue_items',
  'table_rows',
  'logs',
  'metrics',
])

/** The tables that statements of users may read, restricted to one project. */
export const sqlTables: readonly DescribedTable[] = tables.filter(({ name }) => names.has(name))

/** Columns of a readable table, without the project: it is the same in all rows. */
export const sqlColumns = ({ columns }: DescribedTable) => columns.filter(({ storedIn }) => storedIn !== 'wal')

/** Everything that a statement of a user may name as a table. */
export const readableNames: readonly string[] = [...sqlTables.map(({ name }) => name), usageView.name]

/** Tables that a statement may read, by what is in its text; perhaps some more. */
export function tablesNamed(statement: string): string[] {
  const text = statement.toLowerCase()
  const named = new Set(sqlTables.flatMap(({ name }) => (text.includes(name) ? [name] : [])))
  if (text.includes(usageView.name)) named.add(callsTable.name)
  // Their column `cost`.
  if (named.has(callsTable.name)) named.add(costsTable.name)
  return [...named]
}

/**
 * Opens tables read-only for statements of users: as `openReadOnly` does, with what only the server
 * can compute. `calls` has the column `cost`, and the view `usage` has a row for each call and
 * model. Without the tables `calls` and `costs`, both are missing.
 */
export async function openSqlTables(options: Parameters<typeof openReadOnly>[0]): ReturnType<typeof openReadOnly> {
  const opened = await openReadOnly(options)
  const views = options.tables.map(({ name }) => name).filter((name) => !opened.gone.includes(name))
  try {
    if ([callsTable, costsTable].every(({ name }) => views.includes(name))) await addCosts(opened.database)
  } catch (error) {
    opened.close()
    throw error
  }
  return opened
}

async function addCosts(database: Database): Promise<void> {
  const writer = new Writer(await database.connect())
  try {
    const prices = await projectPrices(writer)
    await database.addFunction(
      costFunction,
      ['text', 'number', 'text', 'text'],
      (projectId, startedAt, usage, model) => {
        if (typeof projectId !== 'string' || typeof startedAt !== 'number' || typeof usage !== 'string') return null
        const book = prices(projectId)
        const cost =
          typeof model === 'string' ? book.modelCost(usage, model, startedAt) : book.totalCost(usage, startedAt)
        return cost === undefined ? null : Number(cost.toFixed(12))
      },
    )
    await writer.execute(`ALTER VIEW "${callsTable.name}" RENAME TO calls_as_stored`)
    await writer.execute(`CREATE VIEW "${callsTable.name}" AS ${pricedCallsSql('calls_as_stored')}`)
    await writer.execute(`CREATE VIEW "${usageView.name}" AS ${usageViewSql('calls_as_stored')}`)
  } finally {
    writer.close()
  }
}

/**
 * The price books of projects, created on first use. @param writer of a database with the table
 * `costs`
 */
export async function projectPrices(writer: Writer): Promise<(projectId: string) => PriceBook> {
  const columns = ['project_id', ...priceCells.columns].map((name) => `"${name}"`)
  const rows = await writer.rows(`SELECT ${columns.join(', ')} FROM "${costsTable.name}"`)
  const byProject = Map.groupBy(rows, ([projectId]) => textIn(projectId))
  const { PriceBook } = await loadPriceBook()
  const books = new Map<string, PriceBook>()
  return (projectId) => {
    const known = books.get(projectId)
    if (known !== undefined) return known
    const own = byProject.get(projectId) ?? []
    const book = new PriceBook(
      projectId,
      own.map(([, ...cells]) => projectPrice(priceCells.read(cells))),
    )
    books.set(projectId, book)
    return book
  }
}
