import { apiUrl } from '../api/api-request.ts'
import { postRaw, send } from '../api/client.ts'
import { saveBlob } from '../api/download.ts'

/** A table that statements can read, as the server describes it. */
export interface SqlTable {
  readonly name: string
  readonly description: string
  readonly columns: readonly { readonly name: string; readonly type: string; readonly description: string }[]
}

/** What statements can read, and their limits. */
export interface Schema {
  readonly tables: readonly SqlTable[]
  readonly limits: { readonly timeout_ms: number; readonly rows_max: number; readonly memory_bytes: number }
}

/** A cell: numbers that JavaScript would change are texts with their digits. */
export type Cell = unknown

/** Times that `$from` and `$to` in a statement are. */
export interface Times {
  /** ISO 8601. */
  readonly from: string
  readonly to: string
}

/** The rows of a statement. */
export interface Result {
  readonly statement: string
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  readonly rows: readonly (readonly Cell[])[]
  readonly isCut: boolean
  readonly elapsedMs: number
  /** Most memory that it took. */
  readonly memoryBytes: number
  readonly filesRead: number | null
  readonly bytesRead: number | null
  /** What `$from` and `$to` were, if the statement names them. */
  readonly times: Times | undefined
  /** When it arrived, in milliseconds since 1970. */
  readonly at: number
}

interface Answer {
  readonly columns: Result['columns']
  readonly rows: Result['rows']
  readonly is_cut: boolean
  readonly elapsed_ms: number
  readonly memory_bytes: number
  readonly files_read: number | null
  readonly bytes_read: number | null
}

/** Most rows that the page asks for. */
export const rowsMax = 10_000

/** Runs a statement. @throws {Problem} */
export async function runStatement(statement: string, signal: AbortSignal, times?: Times): Promise<Result> {
  const response = await postRaw('/sql', { statement, limit: rowsMax, ...times }, { signal })
  const answer = JSON.parse(await response.text(), exactly) as Answer
  return {
    statement,
    times,
    columns: answer.columns,
    rows: answer.rows,
    isCut: answer.is_cut,
    elapsedMs: answer.elapsed_ms,
    memoryBytes: answer.memory_bytes,
    filesRead: answer.files_read,
    bytesRead: answer.bytes_read,
    at: Date.now(),
  }
}

/** Keeps the digits of a number that would be printed with others: `0.10`, `9007199254740993`. */
function exactly(_: string, value: unknown, context?: { source?: string }): unknown {
  return typeof value === 'number' && context?.source !== undefined && String(value) !== context.source
    ? context.source
    : value
}

/** Tables, columns and limits. @throws {Problem} */
export const readSchema = async (signal: AbortSignal): Promise<Schema> => {
  const schema: Schema = await (await send(apiUrl('/sql/schema'), { signal })).json()
  return schema
}

/** Runs a statement once more and saves its rows. @throws {Problem} */
export async function exportRows(statement: string, format: 'csv' | 'jsonl', times?: Times): Promise<void> {
  const response = await postRaw('/sql', { statement, limit: rowsMax, format, ...times })
  saveBlob(await response.blob(), `rows.${format}`)
}
