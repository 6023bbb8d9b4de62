import { DomainError } from '../../lib/errors.ts'
import { limits } from '../../lib/limits.ts'
import { textLiteral } from '../../runtime/duck/column-types.ts'
import type { Database } from '../../runtime/duck/database.ts'
import { checkStatement } from './check-statement.ts'
import { openSqlTables } from './open-sql-tables.ts'
import { readableNames, sqlTables } from './sql-tables.ts'

/** A statement for the program, as JSON on its standard input. */
export interface SqlTask {
  readonly dataFolder: string
  readonly temporaryFolder: string
  readonly projectId: string
  readonly statement: string
  readonly rowsMax: number
}

/** What the program answers on its standard output. */
export type SqlOutcome =
  | {
      readonly names: readonly string[]
      readonly rows: readonly (readonly unknown[])[]
      /** There are more rows. */
      readonly isCut: boolean
    }
  | { readonly refused: string }

/**
 * Runs a user's statement over the rows of one project. It has a process of its own: DuckDB shares
 * nothing with that of the server, and the process ends with the answer, or is killed.
 *
 * Four walls stand around the statement, so that a gap in one opens nothing: its database holds the
 * rows of one project; its syntax tree may name nothing else; DuckDB may open no file but the data
 * files of the tables, and only for reading; and its settings are locked.
 */
export async function runSqlTask(task: SqlTask): Promise<SqlOutcome> {
  const { database, dataFiles, close } = await openSqlTables({
    dataFolder: task.dataFolder,
    tables: sqlTables,
    memoryBytesMax: limits.sqlMemoryBytes,
    temporaryFolder: task.temporaryFolder,
    projectId: task.projectId,
  })
  try {
    const [serialized] = await firstRow(database, `SELECT json_serialize_sql(${textLiteral(task.statement)})`)
    checkStatement(serialized as string, new Set(readableNames))
    await lockDown(database, dataFiles)
    return await rowsOf(database, task)
  } catch (error) {
    if (error instanceof DomainError) return { refused: error.message }
    // The statement is the user's own, so DuckDB's message is the help they need; not its paths.
    const message = error instanceof Error ? error.message : String(error)
    return { refused: message.replaceAll(task.dataFolder, 'DATA').slice(0, limits.sqlMessageCharsMax) }
  } finally {
    close()
  }
}

async function firstRow(database: Database, statement: string): Promise<readonly unknown[]> {
  for await (const { rows } of database.query(statement)) if (rows[0]) return rows[0]
  return []
}

async function lockDown(database: Database, dataFiles: readonly string[]): Promise<void> {
  const statements = [
    `SET allowed_paths = [${dataFiles.map(textLiteral).join(', ')}]`,
    `SET max_temp_directory_size = '${limits.sqlSpillBytes / 1e6} MB'`,
    'SET enable_external_access = false',
    'SET lock_configuration = true',
  ]
  for (const statement of statements) for await (const _ of database.query(statement));
}

async function rowsOf(database: Database, { statement, rowsMax }: SqlTask): Promise<SqlOutcome> {
  const shown: (readonly unknown[])[] = []
  let names: readonly string[] = []
  for await (const chunk of database.query(statement)) {
    names = chunk.names
    for (const row of chunk.rows) {
      if (shown.length === rowsMax) return { names, rows: shown, isCut: true }
      shown.push(row.map(shortened))
    }
  }
  return { names, rows: shown, isCut: false }
}

/** A cell as short text: payloads may have megabytes. */
function shortened(cell: unknown): string | null {
  if (cell === null) return null
  const text = typeof cell === 'string' ? cell : JSON.stringify(cell)
  return text.slice(0, limits.sqlCellCharsMax)
}
