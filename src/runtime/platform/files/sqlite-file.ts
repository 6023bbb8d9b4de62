import { DatabaseSync } from 'node:sqlite'

/** A SQLite database of another program, opened for reading. Close it with `using`. */
export class SqliteFile implements Disposable {
  private readonly database: DatabaseSync

  /** @throws Error if there is no such file, or if it is no SQLite database */
  constructor(file: string) {
    this.database = new DatabaseSync(file, { readOnly: true })
  }

  /** The rows of a statement, one by one. */
  *rows(statement: string, ...values: readonly (string | number | null)[]): Generator<SqliteRow> {
    for (const row of this.database.prepare(statement).iterate(...values)) yield row
  }

  row(statement: string, ...values: readonly (string | number | null)[]): SqliteRow | undefined {
    return this.database.prepare(statement).get(...values)
  }

  /** Whether the database has a table of that name. */
  hasTable(name: string): boolean {
    return this.row("SELECT 1 FROM sqlite_master WHERE type IN ('table', 'view') AND name = ?", name) !== undefined
  }

  [Symbol.dispose](): void {
    this.database.close()
  }
}

export type SqliteRow = Readonly<Record<string, string | number | bigint | Uint8Array | null>>
