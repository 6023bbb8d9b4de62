import { SqliteFile } from '../../runtime/platform/files/sqlite-file.ts'

/** Opens a SQLite file of another program. @throws Error if it lacks one of the tables */
export function openSqlite(file: string, tables: readonly string[]): SqliteFile {
  const database = new SqliteFile(file)
  const missing = tables.filter((table) => !database.hasTable(table))
  if (missing.length === 0) return database
  database[Symbol.dispose]()
  throw new Error(
    `${file} has no table "${missing[0]}": it was written by another program or by an unsupported version`,
  )
}

/** The version of the schema, which Alembic keeps; `unknown` without it. */
export const schemaVersion = (database: SqliteFile): string =>
  database.hasTable('alembic_version')
    ? String(database.row('SELECT version_num FROM alembic_version')?.['version_num'] ?? 'unknown')
    : 'unknown'

/** The number of rows of a table; 0 if there is no such table. */
export const countRows = (database: SqliteFile, table: string): number =>
  database.hasTable(table) ? Number(database.row(`SELECT count(*) AS count FROM "${table}"`)?.['count'] ?? 0) : 0
