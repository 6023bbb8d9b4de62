import { quoted } from '../../lib/errors.ts'
import { sqlLimits } from '../../lib/limits/sql.ts'
import { memberOf } from '../../lib/present.ts'
import { nearest } from './meant-name.ts'
import { placeAtByte, placeAtCharacter, type StatementPlace } from './statement-place.ts'

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
 * Functions that read the settings, the catalog or the environment, that wait, or that run a text
 * as a statement. Some are macros of DuckDB over its catalog: the views there name files.
 */
const forbiddenFunctions = new RegExp(
  `^(${[
    ...['getenv', 'getvariable', 'nextval', 'currval', 'current_setting', 'which_secret', 'write_log', 'glob'],
    ...['query', 'query_table', 'sniff_.*', 'read_.*', 'parquet_.*', 'duckdb_.*', 'pragma_.*', 'load_.*', 'set_.*'],
    ...['enable_.*', 'disable_.*', 'force_.*', 'checkpoint', 'sleep.*', 'json_execute_.*', 'json_serialize_plan'],
    ...['parse_duckdb_log_message', 'pg_.*', 'format_type', 'get_block_size', 'current_schemas', 'in_search_path'],
    ...['has_.*_privilege', 'col_description', 'obj_description', 'shobj_description', 'sql_auto_complete'],
    ...['histogram_values', 'seq_scan', 'arrow_scan.*', 'truncate_.*', 'test_.*', 'st_.*'],
  ].join('|')})$`,
)

/** `set_bit` changes a value, not a setting. */
const allowedFunctions: ReadonlySet<string> = new Set(['set_bit', 'pg_typeof'])

/** A statement that must not run, or cannot: the reason, and where DuckDB or the check found it. */
export class StatementRefusal extends Error {
  readonly place: StatementPlace | undefined
  /** A word that may have been meant. */
  readonly suggestion: string | undefined

  constructor(why: string, place?: StatementPlace, suggestion?: string) {
    super(`Cannot run the statement: ${why}`)
    this.place = place
    this.suggestion = suggestion
  }
}

/** The result of `json_serialize_sql`. */
interface Serialized {
  readonly error: boolean
  readonly error_message?: string
  readonly position?: string
  readonly statements?: readonly unknown[]
}

/**
 * Checks the syntax tree of a user's statement: one SELECT that names only the given tables, and
 * only functions that read nothing else.
 *
 * @param serialized JSON text of DuckDB's `json_serialize_sql`
 * @throws StatementRefusal
 */
export function checkStatement(serialized: string, statement: string, tables: ReadonlySet<string>): void {
  const { error, error_message, position, statements = [] } = parsedStatements(serialized)
  if (error) {
    const place = position === undefined ? undefined : placeAtCharacter(statement, Number(position))
    throw new StatementRefusal(reasonOf(error_message), place)
  }
  if (statements.length !== 1)
    throw new StatementRefusal(`it must be one statement, not ${statements.length === 0 ? 'none' : statements.length}`)
  check(statements[0], { statement, tables, known: [...tables], depth: 0 })
}

/** DuckDB says of other statements that they cannot be serialized, which is our doing. */
const reasonOf = (message = 'it cannot be parsed'): string =>
  message.startsWith('Only SELECT statements can be serialized')
    ? 'only SELECT is allowed; nothing can be changed here'
    : message

interface Scope {
  readonly statement: string
  /** Tables, and the names that WITH defines here. */
  readonly tables: ReadonlySet<string>
  /** The tables alone. */
  readonly known: readonly string[]
  readonly depth: number
}

type Node = Readonly<Record<string, unknown>>

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value)

function check(node: unknown, scope: Scope): void {
  if (!Array.isArray(node) && !isNode(node)) return
  if (scope.depth > sqlLimits.depthMax) throw new StatementRefusal('it is nested too deeply')
  const below = { ...scope, depth: scope.depth + 1 }
  if (Array.isArray(node)) {
    for (const item of node) check(item, below)
    return
  }
  const tables = 'cte_map' in node ? checkNamed(node, scope) : scope.tables
  checkReference(node, { ...scope, tables })
  for (const [key, value] of Object.entries(node)) if (key !== 'cte_map') check(value, { ...below, tables })
}

const parsedStatements = (serialized: string): Serialized => JSON.parse(serialized)

/** Checks what WITH defines, each with the names before it, and returns all names. */
function checkNamed({ cte_map }: Node, scope: Scope): ReadonlySet<string> {
  const named = new Set(scope.tables)
  const map = memberOf(cte_map, 'map') ?? []
  if (!Array.isArray(map)) throw new StatementRefusal('its WITH cannot be read')
  for (const entry of map) {
    const key = String(memberOf(entry, 'key'))
    const value = memberOf(entry, 'value')
    const isRecursive = JSON.stringify(value).includes('"type":"RECURSIVE_CTE_NODE"')
    // Only a recursive one may name itself; any other finds a table of that name instead.
    const own = isRecursive ? new Set([...named, key.toLowerCase()]) : new Set(named)
    check(value, { ...scope, tables: own, depth: scope.depth + 1 })
    named.add(key.toLowerCase())
  }
  return named
}

function checkReference(node: Node, scope: Scope): void {
  const refusal = (why: string, suggestion?: string) =>
    new StatementRefusal(why, placeOf(node, scope.statement), suggestion)
  switch (node['type']) {
    case 'BASE_TABLE': {
      const { catalog_name, schema_name, table_name } = node
      const name = [catalog_name, schema_name, table_name].filter(Boolean).join('.')
      if (scope.tables.has(name.toLowerCase())) return
      throw refusal(
        `there is no table ${quoted(name)}; the tables are ${scope.known.join(', ')}`,
        nearest(name, scope.known),
      )
    }
    case 'SHOW_REF':
    case 'BOUND_TABLE_REF':
    case 'COLUMN_DATA':
    case 'DELIM_GET':
      throw refusal('only SELECT is allowed')
    case 'TABLE_FUNCTION': {
      const name = String(memberOf(node['function'], 'function_name') ?? '')
      if (tableFunctions.has(name.toLowerCase())) return
      throw refusal(`the table function ${quoted(name)} is not allowed`)
    }
  }
  const name = node['function_name']
  if (typeof name !== 'string') return
  const lower = name.toLowerCase()
  if (forbiddenFunctions.test(lower) && !allowedFunctions.has(lower))
    throw refusal(`the function ${quoted(name)} is not allowed`)
}

/** Nodes have positions in bytes; one without has the largest number there is. */
function placeOf(node: Node, statement: string): StatementPlace | undefined {
  const position = memberOf(node['function'], 'query_location') ?? node['query_location']
  return typeof position === 'number' ? placeAtByte(statement, position) : undefined
}
