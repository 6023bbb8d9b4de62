import { DuckDBInstance } from '@duckdb/node-api'
import { tables } from '../../src/engine/tables/tables.ts'
import type { Relation } from '../../src/lib/relation.ts'
import type { Sql } from '../../src/lib/sql.ts'
import type { Expression } from '../../src/query/expression.ts'
import { type CompileOptions, compileRows } from '../../src/query/sql/statements.ts'
import { columnsSql } from '../../src/runtime/duck/column-types.ts'
import { toBindings } from '../../src/runtime/duck/parameters.ts'

export const projectId = 'acme/traces'

/**
 * The tables of the store in an empty DuckDB, as the store passes them to the compiler.
 */
export class Fixture {
  readonly run: (text: string) => Promise<unknown>
  readonly rows: (sql: Sql, prefix?: string) => Promise<unknown[][]>
  readonly calls: Relation = branchOf('calls', 'op_name')
  readonly feedback: Relation = branchOf('feedback', 'feedback_type')

  private constructor(run: Fixture['run'], rows: Fixture['rows']) {
    this.run = run
    this.rows = rows
  }

  static async open(): Promise<Fixture> {
    const connection = await (await DuckDBInstance.create(':memory:')).connect()
    await connection.run("SET TimeZone = 'UTC'")
    for (const { name, columns } of tables) {
      await connection.run(
        `CREATE TABLE "${name}" (${columnsSql(columns.filter(({ storedIn }) => storedIn !== 'wal'))})`,
      )
    }
    const rows = async (sql: Sql, prefix = ''): Promise<unknown[][]> => {
      const { values, types } = toBindings(sql.values)
      return (await connection.runAndReadAll(prefix + sql.text, values, types)).getRows()
    }
    return new Fixture((text) => connection.run(text), rows)
  }

  /** Inserts a call; omitted members are null. */
  async insert(members: Record<string, unknown>): Promise<void> {
    await this.insertInto('calls', { project_id: projectId, op_name: 'op', ...members })
  }

  async insertFeedback(members: Record<string, unknown>): Promise<void> {
    await this.insertInto('feedback', { project_id: projectId, ...members })
  }

  /** Ids of the calls for which a condition is true, ascending. */
  async select(where: Expression, options: CompileOptions = {}): Promise<string[]> {
    const { calls: relation, feedback } = this
    const rows = await this.rows(compileRows({ relation, projectId, where, columns: ['id'], feedback }, options))
    return rows.map(([id]) => id as string).sort()
  }

  async insertInto(table: string, members: Record<string, unknown>): Promise<void> {
    const names = Object.keys(members).map((name) => `"${name}"`)
    const cells = Object.values(members).map(cellSql)
    await this.run(`INSERT INTO "${table}" (${names.join(', ')}) VALUES (${cells.join(', ')})`)
  }
}

/** A table of the fixture as the store passes it to the compiler. */
export const branchOf = (name: string, presenceColumn: string, key = 'id'): Relation => ({
  branches: [{ source: { kind: 'table', name }, masks: [] }],
  key: ['project_id', key],
  presenceColumn,
})

function cellSql(cell: unknown): string {
  if (cell === null || cell === undefined) return 'NULL'
  if (typeof cell === 'string') return `'${cell.replaceAll("'", "''")}'`
  if (Array.isArray(cell)) return `[${cell.map(cellSql).join(', ')}]`
  return String(cell)
}
