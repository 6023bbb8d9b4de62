import { Command, Option } from 'commander'
import { stringify } from 'csv-stringify/sync'
import { computedCallColumns, openSqlTables, usageView } from '../domains/sql/index.ts'
import type { AsOf } from '../engine/delta/state-as-of.ts'
import { callsTable } from '../engine/tables/calls-table.ts'
import { costsTable } from '../engine/tables/costs-table.ts'
import type { DescribedTable } from '../engine/tables/define-table.ts'
import { tables } from '../engine/tables/tables.ts'
import { ConfigError } from '../runtime/config/config-error.ts'
import type { Config } from '../runtime/config/configuration.ts'
import type { Database, ResultChunk } from '../runtime/duck/database.ts'
import type { StatementCost } from '../runtime/duck/statement-cost.ts'
import { joinPath } from '../runtime/platform/files/paths.ts'
import { exitOnBrokenPipe, writeStderr, writeStdout } from '../runtime/platform/runtime.ts'
import { textTable } from './output.ts'
import { type PlaceOptions, placeConfig, withPlace } from './place.ts'
import { readPlace } from './read-place.ts'

/**
 * The argument of `--as-of`: a version number or a time.
 *
 * @throws ConfigError for anything else
 */
function parseAsOf(text: string, nowMs: number): AsOf {
  if (/^\d{1,15}$/.test(text)) return { version: Number(text) }
  const timeMs = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(withOffset(text)) : Number.NaN
  if (Number.isNaN(timeMs))
    throw new ConfigError(`--as-of "${text}": use a version number or a time such as 2026-01-31T12:00:00Z`)
  if (timeMs > nowMs) throw new ConfigError(`--as-of "${text}": that time is in the future`)
  return { timeMs }
}

/** A time without an offset is UTC, as in the API. */
const withOffset = (text: string): string => {
  const time = text.includes('T') || text.includes(' ') ? text.replace(' ', 'T') : `${text}T00:00:00`
  return /(?:Z|[+-]\d\d:?\d\d)$/i.test(time) ? time : `${time}Z`
}

const viewNames = [...tables.map(({ name }) => name), usageView.name]

type Format = 'table' | 'csv' | 'jsonl'

/** Rows shown by the `table` format; other formats are unlimited. */
const tableRowsMax = 200

/** `sql`: runs one statement over the tables of a data folder. */
export const sqlCommand = (): Command =>
  withPlace(new Command('sql'))
    .description('run a read-only DuckDB query over the stored tables; safe while a server is running')
    .argument('<statement>', `SQL statement over the views ${viewNames.join(', ')}`)
    .option('--as-of <time-or-version>', 'query the data files as of that time or version')
    .addOption(new Option('--format <name>', 'output format').choices(['table', 'csv', 'jsonl']).default('table'))
    .option('--explain', 'then print the cost of the statement to standard error')
    .addHelpText('after', notes)
    .action(runSql)

const notes = `
The views have the columns that docs/data-on-disk.md describes. Two things are computed:

calls.cost is the cost of a call's own usage in US dollars: what the client stated, else by the prices in force when the
call started, those of the project first. Cached tokens have their own prices. It is null without usage or price.

usage has one row per call and model, for adding up tokens and cost. A call that has calls with usage below it is left
out, because it repeats theirs:
${usageView.columns.map(({ name }) => name).join(', ')}.

With --as-of, a version number is that of the Delta table of each table that the statement reads. Old versions can be
read for as long as TRACELAKE_VERSIONS_KEPT_MIN says, five minutes by default. Rows that were only in memory and in the
write-ahead log at that time are not part of a version.

With --lake, the tables that the statement names are fetched into a temporary folder, or into that of --data, where the
next command finds them. The node that serves the lake goes on; its newest rows, which are only in the log, are seen.

--explain prints the time that the statement took, and how many data files (of those of all tables), row groups and
bytes it read. Bytes include the footers of files; metadata that was read to open the tables does not count.

Examples:
  tracelake sql "SELECT op_name, count(*) AS calls FROM calls GROUP BY ALL ORDER BY calls DESC"
  tracelake sql "SELECT model, sum(total_tokens) AS tokens, sum(cost) AS cost FROM usage GROUP BY ALL ORDER BY cost"
  tracelake sql --lake s3://my-bucket/traces --data ./fetched "SELECT count(*) FROM calls"
  tracelake sql --as-of 2026-01-31T12:00:00Z "SELECT count(*) FROM calls"`

interface SqlOptions extends PlaceOptions {
  readonly format: Format
  readonly asOf?: string
  readonly explain?: boolean
}

async function runSql(statement: string, options: SqlOptions): Promise<void> {
  if (statement.trim() === '') throw new ConfigError('the SQL statement is empty')
  exitOnBrokenPipe()
  const asOf = options.asOf === undefined ? undefined : parseAsOf(options.asOf, Date.now())
  const wanted = { tables: placeConfig(options).lake === undefined ? tables : tablesOf(statement), asOf }
  await readPlace(options, wanted, ({ config }) => answer(statement, options, { config, ...wanted }))
}

/** The tables that a statement mentions, which are fetched of a lake; all if it mentions none. */
function tablesOf(statement: string): readonly DescribedTable[] {
  const mentioned = tables.filter(({ name }) => mentions(statement, [name, ...(computedFrom[name] ?? [])]))
  // The cost of calls is computed from both.
  const priced = [callsTable, costsTable]
  const found = mentioned.some(({ name }) => priced.some((table) => table.name === name))
    ? tables.filter((table) => mentioned.includes(table) || priced.some(({ name }) => name === table.name))
    : mentioned
  return found.length === 0 ? tables : found
}

async function answer(
  statement: string,
  options: SqlOptions,
  { config, tables, asOf }: { config: Config; tables: readonly DescribedTable[]; asOf: AsOf | undefined },
): Promise<void> {
  const { database, dataFiles, gone, close } = await openSqlTables({
    dataFolder: config.data,
    tables,
    memoryBytesMax: config.memoryBytesMax,
    temporaryFolder: joinPath(config.data, 'tmp'),
    asOf,
  })
  try {
    const missing = gone.find((name) => mentions(statement, [name, ...(computedFrom[name] ?? [])]))
    if (missing !== undefined) throw new ConfigError(goneMessage(missing, options.asOf, config.versionsKeptMs))
    if (options.explain) await printExplained(database, { statement, dataFiles, format: options.format })
    else await print(database.query(statement), options.format)
  } catch (cause) {
    if (cause instanceof ConfigError) throw cause
    // The statement is the user's own, so DuckDB's message is the help they need, and all of it.
    throw new Error(reasonOf(cause instanceof Error ? cause.message : String(cause)))
  } finally {
    close()
  }
}

/** Without what is ours: how we run statements, and that tables are views. */
const reasonOf = (message: string): string =>
  /^Binder Error: Can only \w+ (from )?base table/.test(message)
    ? 'the tables of a data folder can be read here, but not changed'
    : message.replace(/^Failed to extract statements: /, '')

/** A view computed from a table; it is missing if the table is. */
const computedFrom: Readonly<Record<string, readonly string[]>> = {
  [callsTable.name]: [usageView.name],
  [costsTable.name]: [usageView.name, ...computedCallColumns.map(({ name }) => name)],
}

const mentions = (statement: string, names: readonly string[]): boolean =>
  new RegExp(`\\b(?:${names.join('|')})\\b`, 'i').test(statement)

const goneMessage = (table: string, asOf: string | undefined, keptMs: number): string =>
  `cannot read ${table} as of ${asOf}: that version does not exist, or its files have been removed; old versions are ` +
  `kept for ${keptMs / 60_000} minutes (TRACELAKE_VERSIONS_KEPT_MIN)`

async function printExplained(
  database: Database,
  { statement, dataFiles, format }: { statement: string; dataFiles: readonly string[]; format: Format },
): Promise<void> {
  let cost: StatementCost | undefined
  const chunks = async function* () {
    cost = yield* database.explainedQuery(statement, dataFiles)
  }
  await print(chunks(), format)
  if (cost === undefined) return
  const { ms, files, rowGroups, bytes } = cost
  const read = `${files} of ${dataFiles.length} data files, ${rowGroups} row groups, ${bytes} bytes read`
  writeStderr(`${ms.toFixed(1)} ms; ${read}\n`)
}

async function print(chunks: AsyncGenerator<ResultChunk>, format: Format): Promise<void> {
  const shown: string[][] = []
  let names: readonly string[] = []
  let rowCount = 0
  for await (const chunk of chunks) {
    if (format === 'csv') writeStdout(stringify(rowCount === 0 ? [[...chunk.names], ...chunk.rows] : [...chunk.rows]))
    if (format === 'jsonl')
      for (const row of chunk.rows) writeStdout(`${JSON.stringify(namedValues(chunk.names, row))}\n`)
    names = chunk.names
    rowCount += chunk.rows.length
    for (const row of chunk.rows) if (shown.length < tableRowsMax) shown.push(row.map(cellText))
  }
  if (format !== 'table') return
  writeStdout(textTable(names, shown))
  const rows = rowCount === 1 ? '1 row' : `${rowCount} rows`
  writeStdout(rowCount > shown.length ? `${rows} (first ${shown.length} shown)\n` : `${rows}\n`)
}

const namedValues = (names: readonly string[], row: readonly unknown[]): Record<string, unknown> =>
  Object.fromEntries(names.map((name, index) => [name, row[index]]))

function cellText(value: unknown): string {
  if (value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
