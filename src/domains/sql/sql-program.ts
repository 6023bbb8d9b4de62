import { DomainError, quoted } from '../../lib/errors.ts'
import { memberOf } from '../../lib/json-value.ts'
import { toolLimits } from '../../lib/limits/tools.ts'
import { textLiteral } from '../../runtime/duck/column-types.ts'
import type { Database } from '../../runtime/duck/database.ts'
import { openSqlTables, readableNames, sqlTables } from './open-sql-tables.ts'

/** Functions that make rows from their arguments alone. All others could read something else. */
const tableFunctions: ReadonlySet<string> = new Set([
  'unnest',
  'range',
  'generate_series',
  'json_each',
  'json_tree',
  'repeat_row',
])

/**
 * Functions that read the settings, the catalog or the environment, or that run a text as a
 * statement.
 */
const forbiddenFunctions = new RegExp(
  `^(${[
    ...['getenv', 'getvariable', 'nextval', 'currval', 'current_setting', 'which_secret', 'write_log', 'glob'],
    ...['query', 'query_table', 'sniff_.*', 'read_.*', 'parquet_.*', 'duckdb_.*', 'pragma_.*', 'load_.*', 'set_.*'],
    ...['enable_.*', 'disable_.*', 'force_.*', 'checkpoint', 'sleep.*', 'json_execute_.*', 'json_serialize_plan'],
    'parse_duckdb_log_message',
  ].join('|')})$`,
)

/** The result of `json_serialize_sql`. */
interface Serialized {
  readonly error: boolean
  readonly error_message?: string
  readonly statements?: readonly unknown[]
}

/**
 * Checks the syntax tree of a user's statement: one SELECT that names only the given tables, and
 * only functions that read nothing else.
 *
 * @param serialized JSON text of DuckDB's `json_serialize_sql`
 * @throws DomainError InvalidRequest
 */
export function checkStatement(serialized: string, tables: ReadonlySet<string>): void {
  const { error, error_message, statements = [] } = parsedStatements(serialized)
  if (error) throw refusal(error_message ?? 'it cannot be parsed')
  if (statements.length !== 1) throw refusal(`it must be one statement, not ${statements.length}`)
  check(statements[0], { tables, depth: 0 })
}

interface Scope {
  /** Tables, and the names that WITH defines here. */
  readonly tables: ReadonlySet<string>
  readonly depth: number
}

const depthMax = 400

type Node = Readonly<Record<string, unknown>>

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value)

function check(node: unknown, { tables, depth }: Scope): void {
  if (!Array.isArray(node) && !isNode(node)) return
  if (depth > depthMax) throw refusal('it is nested too deeply')
  if (Array.isArray(node)) {
    for (const item of node) check(item, { tables, depth: depth + 1 })
    return
  }
  const visible = 'cte_map' in node ? checkNamed(node, { tables, depth }) : tables
  checkReference(node, visible)
  for (const [key, value] of Object.entries(node)) {
    if (key !== 'cte_map') check(value, { tables: visible, depth: depth + 1 })
  }
}

const parsedStatements = (serialized: string): Serialized => JSON.parse(serialized)

/** Checks what WITH defines, each with the names before it, and returns all names. */
function checkNamed({ cte_map }: Node, { tables, depth }: Scope): ReadonlySet<string> {
  const named = new Set(tables)
  const map = memberOf(cte_map, 'map') ?? []
  if (!Array.isArray(map)) throw refusal('its WITH cannot be read')
  for (const entry of map) {
    const key = String(memberOf(entry, 'key'))
    const value = memberOf(entry, 'value')
    const isRecursive = JSON.stringify(value).includes('"type":"RECURSIVE_CTE_NODE"')
    // Only a recursive one may name itself; any other finds a table of that name instead.
    const own = isRecursive ? new Set([...named, key.toLowerCase()]) : new Set(named)
    check(value, { tables: own, depth: depth + 1 })
    named.add(key.toLowerCase())
  }
  return named
}

function checkReference(node: Node, tables: ReadonlySet<string>): void {
  switch (node['type']) {
    case 'BASE_TABLE': {
      const { catalog_name, schema_name, table_name } = node
      const name = [catalog_name, schema_name, table_name].filter(Boolean).join('.')
      if (!tables.has(name.toLowerCase()))
        throw refusal(`there is no table ${quoted(name)}; \`describe_schema\` lists them`)
      return
    }
    case 'SHOW_REF':
    case 'BOUND_TABLE_REF':
    case 'COLUMN_DATA':
    case 'DELIM_GET':
      throw refusal('only SELECT is allowed; `describe_schema` describes the tables')
    case 'TABLE_FUNCTION': {
      const name = String(memberOf(node['function'], 'function_name') ?? '')
      if (!tableFunctions.has(name.toLowerCase())) throw refusal(`the table function ${quoted(name)} is not allowed`)
      return
    }
  }
  const name = node['function_name']
  if (typeof name !== 'string') return
  if (forbiddenFunctions.test(name.toLowerCase())) throw refusal(`the function ${quoted(name)} is not allowed`)
}

const refusal = (why: string): DomainError => new DomainError('InvalidRequest', `Cannot run the statement: ${why}`)

/** A statement for the program, as JSON on its standard input. */
export interface SqlTask {
  readonly dataFolder: string
  readonly temporaryFolder: string
  readonly projectId: string
  readonly statement: string
  readonly rowsMax: number
}

/** The answer of the program on its standard output. */
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
 * Four independent barriers surround the statement, so that a gap in one exposes nothing: its
 * database holds the rows of one project; its syntax tree may name nothing else; DuckDB may open no
 * file but the data files of the tables, and only for reading; and its settings are locked.
 */
export async function runSqlTask(task: SqlTask): Promise<SqlOutcome> {
  const { database, dataFiles, close } = await openSqlTables({
    dataFolder: task.dataFolder,
    tables: sqlTables,
    memoryBytesMax: toolLimits.sqlMemoryBytes,
    temporaryFolder: task.temporaryFolder,
    projectId: task.projectId,
  })
  try {
    const [serialized] = await firstRow(database, `SELECT json_serialize_sql(${textLiteral(task.statement)})`)
    checkStatement(String(serialized), new Set(readableNames))
    await lockDown(database, dataFiles)
    return await rowsOf(database, task)
  } catch (error) {
    if (error instanceof DomainError) return { refused: error.message }
    // The statement is the user's own, so DuckDB's message helps them; paths in it do not.
    const message = error instanceof Error ? error.message : String(error)
    return { refused: message.replaceAll(task.dataFolder, 'DATA').slice(0, toolLimits.sqlMessageCharsMax) }
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
    `SET max_temp_directory_size = '${toolLimits.sqlSpillBytes / 1e6} MB'`,
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
  return text.slice(0, toolLimits.sqlCellCharsMax)
}
