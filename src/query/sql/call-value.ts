import { present } from '../../lib/present.ts'
import { type SpanCells, spanColumns, spanText } from '../../lib/stored-span.ts'
import type { CallMember } from '../columns.ts'
import type { Parameters } from './parameters.ts'
import { spanTextSql } from './span-text.ts'

/** A value that answers have. */
export type Scalar = string | number | null

/**
 * A value of a call, described once: SQL for statements, and a function for rows that are read
 * without DuckDB. Both give the same text or number. The functions below make values of others, so
 * only they have two forms.
 */
export interface CallValue<in Row, out T extends Scalar = Scalar> {
  /** An expression over the columns of alias `c`. */
  readonly sql: string
  readonly of: (row: Row) => T
  /** The stored columns that it reads. */
  readonly reads: readonly string[]
}

/** Whether something holds for a call. */
interface CallTest<in Row> extends Pick<CallValue<Row>, 'sql' | 'reads'> {
  readonly holds: (row: Row) => boolean
}

/** Cells of a stored call. */
type StoredCells = SpanCells &
  Readonly<Record<Exclude<CallMember, ComputedMember>, Scalar>> & {
    readonly attributes: string | null
    readonly display_name: string | null
    readonly error_inside: string | null
    readonly ext_user_id: string
    readonly latency_ms: number | null
    readonly payload_bytes: number
    readonly status: string
    readonly summary: string | null
    readonly trace_name: string | null
    readonly turn_id: string | null
  }

/** Cells that an answer joins to the row of a call. Rows that are read without DuckDB have none. */
interface JoinedCells {
  /** Entries of feedback on the call, with commas between them. */
  readonly feedback_entries?: string | null
  /** Bytes of the whole trace. */
  readonly trace_bytes?: number | null
}

/** Cells of which an answer is made. */
export type CallCells = StoredCells & JoinedCells

/** Cells of which the summary of a call is made. */
export type SummaryCells = JoinedCells &
  Pick<StoredCells, 'status' | 'latency_ms' | 'display_name' | 'trace_name' | 'error_inside' | 'summary'>

/** Members of a call that no column of their name holds. */
export type ComputedMember =
  | 'ext_username'
  | 'deleted_at'
  | 'expire_at'
  | 'storage_size_bytes'
  | 'total_storage_size_bytes'

const sqlText = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** A stored cell. */
export const column = <Name extends keyof StoredCells>(
  name: Name,
): CallValue<Pick<StoredCells, Name>, StoredCells[Name]> => ({
  sql: `c."${name}"`,
  of: (row) => row[name],
  reads: [name],
})

const joinedCell = <Name extends keyof JoinedCells>(sql: string, name: Name) => ({
  sql,
  of: (row: JoinedCells) => row[name] ?? null,
  reads: [],
})

export const feedbackEntries = joinedCell('f."entries"', 'feedback_entries')
export const traceBytes = joinedCell('z."total"', 'trace_bytes')

/** The OpenTelemetry span that a call was made from. Only for calls with `otel_dump`. */
export const span: CallValue<SpanCells, string> = {
  sql: `(${spanTextSql('c')})`,
  of: (row) => present(spanText(row), 'The span of a call'),
  reads: spanColumns,
}

/** Null, in the given SQL type. */
export const nothing = (sql: string): CallValue<unknown, null> => ({ sql, of: () => null, reads: [] })

/** A text or null as a value. */
const asValue = <Row, T extends Scalar>(part: T | CallValue<Row, T>): CallValue<Row, T> => {
  if (typeof part === 'object' && part !== null) return part
  return { sql: part === null ? 'NULL' : sqlText(String(part)), of: () => part, reads: [] }
}

/** Texts and values, one after another. */
export function joined<Row>(...parts: readonly (string | CallValue<Row, string>)[]): CallValue<Row, string> {
  const values = parts.filter((part) => part !== '').map((part) => asValue(part))
  return {
    sql: values.map(({ sql }) => sql).join(' || '),
    of(row) {
      let text = ''
      for (const value of values) text += value.of(row)
      return text
    },
    reads: values.flatMap(({ reads }) => reads),
  }
}

/** A prefix and a value; an empty text if the value is null. */
export const ifAny = <Row>(prefix: string, { sql, of, reads }: CallValue<Row>): CallValue<Row, string> => ({
  sql: `coalesce(${sqlText(prefix)} || ${sql}, '')`,
  of(row) {
    const cell = of(row)
    return cell === null ? '' : `${prefix}${String(cell)}`
  },
  reads,
})

/** A text in the place of null. */
export const orElse = <Row>(
  { sql, of, reads }: CallValue<Row, string | null>,
  text: string,
): CallValue<Row, string> => ({ sql: `coalesce(${sql}, ${sqlText(text)})`, of: (row) => of(row) ?? text, reads })

/** Null in the place of a text. */
export const exceptFor = <Row>(
  { sql, of, reads }: CallValue<Row, string | null>,
  text: string,
): CallValue<Row, string | null> => ({
  sql: `nullif(${sql}, ${sqlText(text)})`,
  of(row) {
    const cell = of(row)
    return cell === text ? null : cell
  },
  reads,
})

/** A text without its first characters, all of which are ASCII. */
export const without = <Row>(first: string, { sql, of, reads }: CallValue<Row, string>): CallValue<Row, string> => ({
  sql: `substr(${sql}, ${first.length + 1})`,
  of: (row) => of(row).slice(first.length),
  reads,
})

/** JSON text as DuckDB writes it: `\u001F`, where JavaScript writes `\u001f`. */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value)
  if (!text.includes('\\u00')) return text
  return text.replaceAll(/(\\u00)([01][a-f])|\\./g, (written, start: string | undefined, digits: string | undefined) =>
    start === undefined || digits === undefined ? written : start + digits.toUpperCase(),
  )
}

/** A cell as JSON text. */
export const asJson = <Row>({ sql, of, reads }: CallValue<Row>): CallValue<Row, string> => ({
  sql: `to_json(${sql})::VARCHAR`,
  of: (row) => jsonText(of(row)),
  reads,
})

/** What a map holds for a text; null if nothing. */
export const lookedUp = <Row>(
  { sql, of, reads }: CallValue<Row, string>,
  map: ReadonlyMap<string, string>,
  parameters: Parameters,
): CallValue<Row, string | null> => {
  const keys = parameters.bind({ texts: [...map.keys()] })
  const values = parameters.bind({ texts: [...map.values()] })
  return { sql: `map_extract_value(map(${keys}, ${values}), ${sql})`, of: (row) => map.get(of(row)) ?? null, reads }
}

/** A time, moved by days. */
export const daysAfter = <Row>(
  { sql, of, reads }: CallValue<Row, number | null>,
  days: number,
): CallValue<Row, number | null> => ({
  sql: `${sql} + INTERVAL ${Math.trunc(days)} DAY`,
  of(row) {
    const micros = of(row)
    return micros === null ? null : micros + Math.trunc(days) * dayMicros
  },
  reads,
})

const dayMicros = 86_400_000_000

export const isNull = <Row>({ sql, of, reads }: CallValue<Row>): CallTest<Row> => ({
  sql: `${sql} IS NULL`,
  holds: (row) => of(row) === null,
  reads,
})

export const equals = <Row>({ sql, of, reads }: CallValue<Row, string>, text: string): CallTest<Row> => ({
  sql: `${sql} = ${sqlText(text)}`,
  holds: (row) => of(row) === text,
  reads,
})

export const startsWith = <Row>({ sql, of, reads }: CallValue<Row, string>, text: string): CallTest<Row> => ({
  sql: `starts_with(${sql}, ${sqlText(text)})`,
  holds: (row) => of(row).startsWith(text),
  reads,
})

/** One of two values. */
export function choose<Row, T extends Scalar>(
  test: CallTest<Row>,
  whenTrue: T | CallValue<Row, T>,
  otherwise: T | CallValue<Row, T>,
): CallValue<Row, T> {
  const [one, other] = [asValue(whenTrue), asValue(otherwise)]
  return {
    sql: `CASE WHEN ${test.sql} THEN ${one.sql} ELSE ${other.sql} END`,
    of: (row) => (test.holds(row) ? one : other).of(row),
    reads: [...test.reads, ...one.reads, ...other.reads],
  }
}
