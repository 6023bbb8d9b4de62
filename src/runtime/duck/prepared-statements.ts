import type { DuckDBConnection, DuckDBMaterializedResult, DuckDBPreparedStatement } from '@duckdb/node-api'
import { readLimits } from '../../lib/limits/reads.ts'
import { filesOf, type Sql } from '../../lib/sql.ts'
import type { Bindings } from './parameters.ts'

/**
 * Statements over tables that a connection has parsed, for the next time that the same text comes.
 * DuckDB binds and plans a statement with parameters anew whenever it runs. See
 * docs/decisions/314-statements-parsed-once.md.
 */
export class PreparedStatements {
  private readonly connection: DuckDBConnection
  /** By text, the least recently used first; none of them runs. */
  private readonly idle = new Map<string, DuckDBPreparedStatement>()

  constructor(connection: DuckDBConnection) {
    this.connection = connection
  }

  async run(sql: Sql<unknown>, { values, types }: Bindings): Promise<DuckDBMaterializedResult> {
    const { text } = sql
    if (!isKept(sql)) return await this.connection.run(text, values, types)
    const known = this.idle.get(text)
    // Until it has run: another read may have the same text with other values.
    this.idle.delete(text)
    const prepared = known ?? (await this.connection.prepare(text))
    try {
      prepared.bind(values, types)
      const result = await prepared.run()
      this.keep(text, prepared)
      return result
    } catch (cause) {
      prepared.destroySync()
      throw cause
    }
  }

  private keep(text: string, prepared: DuckDBPreparedStatement): void {
    this.idle.get(text)?.destroySync()
    this.idle.delete(text)
    this.idle.set(text, prepared)
    if (this.idle.size <= readLimits.preparedStatementsMax) return
    const [[oldest, dropped] = [text, prepared]] = this.idle
    this.idle.delete(oldest)
    dropped.destroySync()
  }
}

/** Parsing is a small part of a statement that reads files. */
const isKept = ({ text, values }: Sql<unknown>): boolean =>
  values.length > 0 && text.length <= readLimits.preparedCharsMax && filesOf(values).length === 0
