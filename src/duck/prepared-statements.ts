import type { DuckDBConnection, DuckDBPreparedStatement } from '@duckdb/node-api'
import { limits } from '../limits.ts'

/**
 * An LRU cache of the prepared statements of one connection: planning a statement once saves a good
 * part of a short read. A statement that names a file does not keep it open.
 */
export class PreparedStatements {
  private readonly connection: DuckDBConnection
  private readonly statements = new Map<string, DuckDBPreparedStatement>()

  constructor(connection: DuckDBConnection) {
    this.connection = connection
  }

  async get(text: string): Promise<DuckDBPreparedStatement> {
    const statement = this.statements.get(text) ?? (await this.connection.prepare(text))
    // Reinsert it as the most recent entry of the map.
    this.statements.delete(text)
    this.statements.set(text, statement)
    if (this.statements.size > limits.preparedStatementsMax) this.drop(this.statements.keys().next().value!)
    return statement
  }

  clear(): void {
    for (const text of this.statements.keys()) this.drop(text)
  }

  private drop(text: string): void {
    this.statements.get(text)?.destroySync()
    this.statements.delete(text)
  }
}
