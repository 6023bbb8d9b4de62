import type { DuckDBConnection, DuckDBPreparedStatement } from '@duckdb/node-api'
import { limits } from '../limits.ts'

/**
 * Statements of one connection that come again with other values: planning them once saves a good part of a short read. The one that was
 * not asked for longest goes first. A statement that names a file does not hold it open.
 */
export class PreparedStatements {
  private readonly connection: DuckDBConnection
  private readonly statements = new Map<string, DuckDBPreparedStatement>()

  constructor(connection: DuckDBConnection) {
    this.connection = connection
  }

  async get(text: string): Promise<DuckDBPreparedStatement> {
    const statement = this.statements.get(text) ?? (await this.connection.prepare(text))
    // Last in the order of the map: the newest.
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
