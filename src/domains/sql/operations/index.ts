import type { Static, TSchema } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { DomainError } from '../../../lib/errors.ts'
import { consoleStatement, sqlLimits } from '../../../lib/limits/sql.ts'
import { parseTime } from '../../../lib/time.ts'
import type { Caller } from '../../access/index.ts'
import { requestContext } from '../../requests/index.ts'
import { SqlAnswer, SqlRun, SqlSchema } from '../model/sql.ts'
import type { SqlResult, SqlRunner } from '../sql-runner.ts'
import { sqlSchema } from '../sql-schema.ts'

/** The services that these operations are given. */
interface SqlServices {
  readonly sql: SqlRunner
}

const tags = ['Administration']
const forOperators = 'Requires an admin key with scope `*`.'
const file = { schema: { type: 'string' as const } }

/** Without the types of its members, which those of the API description do not know. */
const answer: TSchema = SqlAnswer

const contentTypes = {
  json: 'application/json',
  jsonl: 'application/jsonl',
  csv: 'text/csv; charset=utf-8; header=present',
} as const

const runRoute = {
  body: SqlRun,
  detail: {
    operationId: 'sql.run',
    summary: 'Run a read-only SQL statement',
    description:
      'One SELECT of DuckDB over the stored tables of all projects, or of one, in a process of its own: without ' +
      'files, network, settings, keys and secrets. Ends after ' +
      `${consoleStatement.timeoutMs / 1000} s (504), with more than ${consoleStatement.memoryBytes / 1e6} MB (502), ` +
      'and when the client leaves. `$from` and `$to` in the statement are the times given. ' +
      'An error has the `line` and `column` of its cause and a `suggestion` where they ' +
      `are known. Answers in JSON Lines and CSV state \`is_cut\`, rows and milliseconds in headers. ${forOperators}`,
    tags,
    responses: {
      200: {
        description: 'The rows',
        content: { 'application/json': { schema: answer }, 'application/jsonl': file, 'text/csv': file },
      },
    },
  },
}

async function run(services: SqlServices, caller: Caller, { signal }: Request, body: SqlRun): Promise<Response> {
  caller.requireOperator()
  const { statement, project_id } = body
  const reader = project_id == null ? caller.readProjects() : caller.read(project_id)
  const format = body.format ?? 'json'
  const times = { ...timeOf('from', body.from), ...timeOf('to', body.to) }
  const asked = { statement, times, rowsMax: body.limit ?? sqlLimits.rowsDefault, format, limits: consoleStatement }
  const result = await services.sql.run(reader, asked, signal)
  return new Response(format === 'json' ? jsonText(result) : result.text, {
    headers: {
      'content-type': contentTypes[format],
      'cache-control': 'no-store',
      'x-row-count': String(result.rows),
      'x-is-cut': String(result.isCut),
      'x-elapsed-ms': String(Math.round(result.elapsedMs)),
    },
  })
}

/** @throws DomainError InvalidRequest */
function timeOf(name: 'from' | 'to', text: string | null | undefined): Partial<Record<'from' | 'to', number>> {
  if (text == null) return {}
  const micros = parseTime(text)
  if (micros === undefined) throw new DomainError('InvalidRequest', `\`${name}\` is not a valid time`)
  return { [name]: micros }
}

/** The rows are not parsed: they may be megabytes, and have numbers that JavaScript would round. */
function jsonText({ columns, rows, isCut, elapsedMs, memoryBytes, read, text }: SqlResult): string {
  const facts: Omit<Static<typeof SqlAnswer>, 'rows'> = {
    columns: [...columns],
    row_count: rows,
    is_cut: isCut,
    elapsed_ms: Math.round(elapsedMs * 10) / 10,
    memory_bytes: Math.round(memoryBytes),
    files_read: read?.files ?? null,
    bytes_read: read?.bytes ?? null,
  }
  return `${JSON.stringify(facts).slice(0, -1)},"rows":${text}}`
}

const schemaRoute = {
  response: { 200: SqlSchema },
  detail: {
    operationId: 'sql.schema',
    summary: 'List the tables and columns that SQL can read',
    description: `Their types, descriptions, and the limits of a statement. ${forOperators}`,
    tags,
  },
}

function schema(caller: Caller): SqlSchema {
  caller.requireOperator()
  return {
    tables: sqlSchema.map((table) => ({ ...table, columns: [...table.columns] })),
    limits: {
      timeout_ms: consoleStatement.timeoutMs,
      rows_max: sqlLimits.rowsMax,
      memory_bytes: consoleStatement.memoryBytes,
      statement_chars_max: sqlLimits.statementCharsMax,
    },
  }
}

/** SQL over HTTP. */
export const sqlApi = (services: SqlServices) =>
  new Elysia({ normalize: false })
    .decorate(requestContext)
    .post('/sql', ({ caller, request, body }) => run(services, caller, request, body), runRoute)
    .get('/sql/schema', ({ caller }) => schema(caller), schemaRoute)
