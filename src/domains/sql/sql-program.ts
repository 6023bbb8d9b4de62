import { harmless } from '../../formats/wire/separated-values.ts'
import { type StatementLimits, sqlLimits } from '../../lib/limits/sql.ts'
import { textLiteral } from '../../runtime/duck/column-types.ts'
import type { Database, ResultColumn } from '../../runtime/duck/database.ts'
import { PeakMemory } from '../../runtime/duck/peak-memory.ts'
import type { StatementCost } from '../../runtime/duck/statement-cost.ts'
import { checkStatement, StatementRefusal } from './check-statement.ts'
import { meantName } from './meant-name.ts'
import { openSqlTables, readableNames, sqlTables } from './open-sql-tables.ts'
import { sqlSchema } from './sql-schema.ts'
import { placedMessage, type StatementPlace } from './statement-place.ts'

/** A statement for the program, as JSON on its standard input. */
export interface SqlTask {
  readonly dataFolder: string
  /** Where it may write what its memory does not hold; only this statement uses it. */
  readonly temporaryFolder: string
  /** The only tables that the statement may name; all that can be read if undefined. */
  readonly tables?: readonly string[] | undefined
  /** The only project whose rows it reads; those of all projects if undefined. */
  readonly projectId?: string | undefined
  readonly statement: string
  /** Values of `$from` and `$to`, in microseconds since 1970. */
  readonly times?: Readonly<Partial<Record<'from' | 'to', number>>> | undefined
  readonly rowsMax: number
  readonly format: SqlFormat
  readonly limits: StatementLimits
}

/** What was found besides the rows. */
export interface SqlAnswer {
  readonly columns: readonly ResultColumn[]
  readonly rows: number
  /** There are more rows. */
  readonly isCut: boolean
  readonly elapsedMs: number
  /** The most memory that the database had while it ran, as sampled. */
  readonly memoryBytes: number
  /** Data files and their bytes that the statement read; undefined if it was cut. */
  readonly read?: Pick<StatementCost, 'files' | 'bytes'>
}

/** Why a statement has no rows. */
export interface SqlRefusal {
  readonly refused: string
  readonly place?: StatementPlace | undefined
  readonly suggestion?: string | undefined
  /** It needed more memory, or more space on disk, than it may have. */
  readonly isTooLarge: boolean
}

/**
 * The answer of the program on its standard output: an empty line once the tables are open, a line
 * with this as JSON, and the rows in the format of the task.
 */
export type SqlOutcome = SqlAnswer | SqlRefusal

/**
 * Runs a user's statement over the rows of one project, or of all. It has a process of its own:
 * DuckDB shares nothing with that of the server, and the process ends with the answer, or is
 * killed.
 *
 * Four independent barriers surround the statement, so that a gap in one exposes nothing: its
 * database holds the rows of one project; its syntax tree may name nothing else; DuckDB may open no
 * file but the data files of the tables, and only for reading; and its settings are locked.
 *
 * @param onOpen called when the tables are open
 */
export async function runSqlTask(task: SqlTask, onOpen: () => void): Promise<{ outcome: SqlOutcome; rows: string }> {
  const { database, dataFiles, close } = await openSqlTables({
    dataFolder: task.dataFolder,
    tables: sqlTables.filter(({ name }) => task.tables?.includes(name) ?? true),
    memoryBytesMax: task.limits.memoryBytes,
    temporaryFolder: task.temporaryFolder,
    ...(task.projectId !== undefined && { projectId: task.projectId }),
  })
  onOpen()
  try {
    const [serialized] = await firstRow(database, `SELECT json_serialize_sql(${textLiteral(task.statement)})`)
    checkStatement(String(serialized), task.statement, new Set(readableNames))
    await lockDown(database, dataFiles, task.limits)
    return await rowsOf(database, dataFiles, task)
  } catch (error) {
    return { outcome: refusalOf(error, task), rows: '' }
  } finally {
    close()
  }
}

function refusalOf(error: unknown, { statement, dataFolder, limits }: SqlTask): SqlRefusal {
  if (error instanceof StatementRefusal) {
    const { message, place, suggestion } = error
    return { refused: message, place, suggestion, isTooLarge: false }
  }
  // The statement is the user's own, so DuckDB's message helps them; paths in it do not.
  const text = (error instanceof Error ? error.message : String(error)).replaceAll(dataFolder, 'DATA')
  const { message, place } = placedMessage(text, statement)
  const exceeded = exceededOf(message, limits)
  if (exceeded !== undefined)
    return { refused: `The statement needed more than ${exceeded}; read less`, isTooLarge: true }
  return {
    refused: message.slice(0, sqlLimits.messageCharsMax),
    place,
    suggestion: meantName(message, columnNames()),
    isTooLarge: false,
  }
}

const columnNames = (): string[] => sqlSchema.flatMap(({ columns }) => columns.map(({ name }) => name))

/** The limit that a message of DuckDB is about. */
function exceededOf(message: string, { memoryBytes, spillBytes }: StatementLimits): string | undefined {
  if (/max_temp_directory_size/.test(message)) return `${spillBytes / 1e6} MB on disk`
  return /^Out of Memory Error/.test(message) ? `${memoryBytes / 1e6} MB of memory` : undefined
}

async function firstRow(database: Database, statement: string): Promise<readonly unknown[]> {
  for await (const { rows } of database.query(statement)) if (rows[0]) return rows[0]
  return []
}

async function lockDown(database: Database, dataFiles: readonly string[], { spillBytes }: StatementLimits) {
  const statements = [
    `SET allowed_paths = [${dataFiles.map(textLiteral).join(', ')}]`,
    `SET max_temp_directory_size = '${spillBytes / 1e6} MB'`,
    'SET enable_external_access = false',
    'SET lock_configuration = true',
  ]
  for (const statement of statements) for await (const _ of database.query(statement));
}

async function rowsOf(database: Database, dataFiles: readonly string[], task: SqlTask) {
  const memory = new PeakMemory(database)
  const found = await readRows(database, dataFiles, task).finally(() => memory.stop())
  return { ...found, outcome: { ...found.outcome, memoryBytes: memory.bytesMax } }
}

async function readRows(database: Database, dataFiles: readonly string[], task: SqlTask) {
  const { statement, rowsMax, format, limits, times: { from, to } = {} } = task
  const output = new StatementOutput(format, limits.outputBytesMax, limits.cellCharsMax)
  const startMs = performance.now()
  let columns: readonly ResultColumn[] = []
  const answer = (more: Pick<SqlAnswer, 'isCut' | 'read'>) => ({
    outcome: { columns, rows: output.rows, elapsedMs: performance.now() - startMs, ...more },
    rows: output.end(names),
  })
  let names: readonly string[] = []
  const chunks = database.explainedQuery(statement, dataFiles, {
    ...(from !== undefined && { from: { micros: from } }),
    ...(to !== undefined && { to: { micros: to } }),
  })
  for (;;) {
    const { done, value } = await chunks.next()
    if (done === true) return answer({ isCut: false, read: { files: value.files, bytes: value.bytes } })
    columns = value.columns
    names = distinctNames(value.names)
    for (const row of value.rows) if (output.rows === rowsMax || !output.add(names, row)) return answer({ isCut: true })
  }
}

/** Forms of an answer; `texts` has cells as short texts, for agents. */
type SqlFormat = 'json' | 'jsonl' | 'csv' | 'texts'

/** The rows of an answer as text, bounded in bytes, written while they arrive. */
class StatementOutput {
  private readonly format: SqlFormat
  private readonly bytesMax: number
  private readonly cellCharsMax: number
  private readonly pieces: string[] = []
  private bytes = 0
  rows = 0

  constructor(format: SqlFormat, bytesMax: number, cellCharsMax = Number.POSITIVE_INFINITY) {
    this.format = format
    this.bytesMax = bytesMax
    this.cellCharsMax = cellCharsMax
  }

  /** Adds a row; false if there is no more space for it. */
  add(names: readonly string[], row: readonly unknown[]): boolean {
    const text = this.textOf(names, row)
    const bytes = Buffer.byteLength(text)
    if (this.bytes + bytes > this.bytesMax) return false
    this.bytes += bytes
    this.rows++
    this.pieces.push(text)
    return true
  }

  /** The rows: elements of a JSON array, lines of JSON, or lines of CSV below their names. */
  end(names: readonly string[]): string {
    if (this.format === 'json' || this.format === 'texts') return `[${this.pieces.join(',')}]`
    return this.format === 'csv' ? csvLine(names) + this.pieces.join('') : this.pieces.join('')
  }

  private textOf(names: readonly string[], row: readonly unknown[]): string {
    switch (this.format) {
      case 'csv':
        return csvLine(row.map(cellText))
      case 'jsonl':
        return `${JSON.stringify(Object.fromEntries(names.map((name, index) => [name, row[index]])))}\n`
      case 'texts':
        return JSON.stringify(row.map((cell) => cellText(cell)?.slice(0, this.cellCharsMax) ?? null))
      case 'json':
        return JSON.stringify(row)
    }
  }
}

/** A line of CSV (RFC 4180). An empty cell is NULL; an empty text is quoted. */
const csvLine = (cells: readonly (string | null)[]): string => `${cells.map(csvCell).join(',')}\r\n`

function csvCell(cell: string | null): string {
  if (cell === null) return ''
  const text = String(harmless(cell))
  return /[",\r\n]|^$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A cell as text: numbers with all their digits, lists and structs as JSON. */
const cellText = (cell: unknown): string | null =>
  cell === null || cell === undefined ? null : typeof cell === 'string' ? cell : JSON.stringify(cell)

/** Names as members of an object: repeated ones get a number. */
function distinctNames(names: readonly string[]): string[] {
  const used = new Set<string>()
  return names.map((name) => {
    let distinct = name
    for (let count = 2; used.has(distinct); count++) distinct = `${name}_${count}`
    used.add(distinct)
    return distinct
  })
}
