import { type Static, Type } from '@sinclair/typebox'
import { Nullable, NullableInteger, OpenObject } from '../../../formats/schemas/members.ts'
import { sqlLimits } from '../../../lib/limits/sql.ts'
import { TimeText } from '../../../lib/time.ts'

const timeText = (description: string) => Type.Unsafe<string>({ ...TimeText, description })

/** A statement and the form of its answer. */
export const SqlRun = OpenObject({
  statement: Type.String({
    minLength: 1,
    maxLength: sqlLimits.statementCharsMax,
    description: 'One SELECT of DuckDB over the tables that `GET /sql/schema` lists',
    examples: ['SELECT op_name, count(*) AS calls FROM calls GROUP BY ALL ORDER BY calls DESC'],
  }),
  project_id: Nullable(
    Type.String({ minLength: 1, description: 'Every table has the rows of this project only; of all if omitted' }),
  ),
  from: Nullable(
    timeText('Value of the parameter `$from` in the statement, as TIMESTAMP WITH TIME ZONE: the start of a time range'),
  ),
  to: Nullable(timeText('Value of the parameter `$to`: the end of a time range')),
  limit: Nullable(
    Type.Integer({
      minimum: 1,
      maximum: sqlLimits.rowsMax,
      default: sqlLimits.rowsDefault,
      description: 'Maximum number of rows',
    }),
  ),
  format: Nullable(
    Type.Union([Type.Literal('json'), Type.Literal('jsonl'), Type.Literal('csv')], {
      default: 'json',
      description: '`json`: one object; `jsonl`: an object per row; `csv`: names, then a line per row',
    }),
  ),
})
export type SqlRun = Static<typeof SqlRun>

/** The answer in the format `json`. */
export const SqlAnswer = Type.Object({
  columns: Type.Array(
    Type.Object({ name: Type.String(), type: Type.String({ description: "DuckDB's name of the type" }) }),
  ),
  rows: Type.Array(Type.Array(Type.Unknown()), {
    description: 'Cells in the order of `columns`; numbers have all their digits, times and intervals are texts',
  }),
  row_count: Type.Integer(),
  is_cut: Type.Boolean({ description: 'There are more rows: `limit`, or the bytes of an answer, left them out' }),
  elapsed_ms: Type.Number({ description: 'Time of the statement, without waiting and without opening the tables' }),
  memory_bytes: Type.Integer({ description: 'Most memory of the database while the statement ran, as sampled' }),
  files_read: Type.Union(NullableInteger.anyOf, {
    description: 'Data files that the statement read; null if it was cut',
  }),
  bytes_read: Type.Union(NullableInteger.anyOf, { description: 'Bytes of these files that it read' }),
})

/** Tables and columns, with their descriptions. */
export const SqlSchema = Type.Object({
  tables: Type.Array(
    Type.Object({
      name: Type.String(),
      description: Type.String({ description: 'Markdown' }),
      columns: Type.Array(
        Type.Object({
          name: Type.String(),
          type: Type.String({ description: "DuckDB's name of the type; JSON for texts with JSON" }),
          description: Type.String({ description: 'Markdown' }),
        }),
      ),
    }),
  ),
  limits: Type.Object({
    timeout_ms: Type.Integer(),
    rows_max: Type.Integer(),
    memory_bytes: Type.Integer(),
    statement_chars_max: Type.Integer(),
  }),
})
export type SqlSchema = Static<typeof SqlSchema>
