import { version } from '../../../lib/version.ts'
import { clickhouse } from './engines/clickhouse.ts'
import { duckdb } from './engines/duckdb.ts'
import { spark } from './engines/spark.ts'
import { trino } from './engines/trino.ts'
import type { SqlEngine } from './sql-engine.ts'
import type { Sources, View } from './view.ts'
import type { ProjectRate } from './views/prices.ts'
import { viewsWith } from './views.ts'

/** Engines by the name that `--engine` takes. */
export const engines = { duckdb, clickhouse, trino, spark } as const
export type EngineName = keyof typeof engines

/** Tables that the views read. */
const viewedTables = ['calls', 'feedback', 'table_rows'] as const

/** Where the tables are, and where the views go. */
export interface Placement {
  /** Schema (database) of the views: a name, or catalog and name. */
  readonly schema: string
  /** Folder or URL of a data folder. */
  readonly location: string
  /** FROM item of a table, with `{table}` in the place of its name; else the engine's own. */
  readonly tables: string | undefined
  /** The only project that the views show; all if undefined. */
  readonly projectId: string | undefined
}

/** The statements that create the views, with comments. @throws ConfigError */
export function viewStatements(name: EngineName, placement: Placement, rates: readonly ProjectRate[]): string {
  const engine = engines[name]
  const from = sourcesOf(engine, placement)
  const statements = viewsWith(rates).map((view) => statementOf(engine, view, placement.schema, from))
  return [head(engine, placement), engine.createSchema(placement.schema), ...tablesOf(name, placement), ...statements]
    .join('\n\n')
    .concat('\n')
}

const folderOf = ({ location }: Placement, table: string) => `${location}/tables/${table}`

function sourcesOf(engine: SqlEngine, placement: Placement): Sources {
  const { schema, tables, projectId } = placement
  const table = (name: string): string => {
    if (tables !== undefined) return tables.replaceAll('{table}', name)
    return engine === trino ? `${schema}.${name}` : engine.deltaTable(folderOf(placement, name))
  }
  return {
    table: (name) =>
      projectId === undefined
        ? table(name)
        : `(SELECT p.* FROM ${table(name)} p WHERE p.project_id = ${engine.literal(projectId)})`,
    view: (name) => `${schema}.${name}`,
  }
}

/** Trino reads Delta tables by name, once they are registered. No semicolons: see `commented`. */
function tablesOf(name: EngineName, placement: Placement): string[] {
  if (name !== 'trino' || placement.tables !== undefined) return []
  const [catalog = '', schema = ''] = placement.schema.split('.')
  const { literal } = engines.trino
  const calls = viewedTables.map(
    (table) =>
      `--   CALL ${catalog}.system.register_table(schema_name => ${literal(schema)}, ` +
      `table_name => ${literal(table)}, table_location => ${literal(folderOf(placement, table))})`,
  )
  return [['-- Register the tables once (delta.register-table-procedure.enabled=true):', ...calls].join('\n')]
}

function statementOf(engine: SqlEngine, view: View, schema: string, from: Sources): string {
  const comments = [
    ...wrapped(`${view.name}: ${view.description}`),
    ...Object.entries(view.columns).map(([name, holds]) => commented(`  ${name}: ${holds}`)),
  ]
  return `${comments.join('\n')}\nCREATE OR REPLACE VIEW ${schema}.${view.name} AS\n${view.select(engine, from)};`
}

function head({ title, limits }: SqlEngine, { location, projectId }: Placement): string {
  const whose = projectId === undefined ? 'all projects' : `the project ${projectId}`
  return [
    `Views for ${title} over the tables of ${location}, for ${whose}. Printed by tracelake ${version}.`,
    'They show what is in data files: the newest rows of a running server are there after POST /flush.',
    ...limits,
  ]
    .flatMap(wrapped)
    .join('\n')
}

const widthMax = 107

/** Semicolons would end the statement for programs that split at them. */
const commented = (text: string): string => `-- ${text.replaceAll(';', ',')}`

/** A comment in lines. A line break in a name would end it. */
function wrapped(text: string): string[] {
  const lines: string[] = []
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1)
    if (last === undefined || last.length + word.length >= widthMax) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines.map(commented)
}
