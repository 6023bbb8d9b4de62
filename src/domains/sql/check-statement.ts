import { DomainError, quoted } from '../../lib/errors.ts'

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

/** What `json_serialize_sql` returns. */
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
  const { error, error_message, statements = [] } = JSON.parse(serialized) as Serialized
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

function check(node: unknown, { tables, depth }: Scope): void {
  if (typeof node !== 'object' || node === null) return
  if (depth > depthMax) throw refusal('it is nested too deeply')
  if (Array.isArray(node)) {
    for (const item of node) check(item, { tables, depth: depth + 1 })
    return
  }
  const object = node as Node
  const visible = 'cte_map' in object ? checkNamed(object, { tables, depth }) : tables
  checkReference(object, visible)
  for (const [key, value] of Object.entries(object)) {
    if (key !== 'cte_map') check(value, { tables: visible, depth: depth + 1 })
  }
}

/** Checks what WITH defines, each with the names before it, and returns all names. */
function checkNamed({ cte_map }: Node, { tables, depth }: Scope): ReadonlySet<string> {
  const named = new Set(tables)
  const { map = [] } = (cte_map ?? {}) as { map?: readonly { key: string; value: Node }[] }
  for (const { key, value } of map) {
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
      const name = String((node['function'] as Node | undefined)?.['function_name'] ?? '')
      if (!tableFunctions.has(name.toLowerCase())) throw refusal(`the table function ${quoted(name)} is not allowed`)
      return
    }
  }
  const name = node['function_name']
  if (typeof name !== 'string') return
  if (forbiddenFunctions.test(name.toLowerCase())) throw refusal(`the function ${quoted(name)} is not allowed`)
}

const refusal = (why: string): DomainError => new DomainError('InvalidRequest', `Run the statement: ${why}`)
