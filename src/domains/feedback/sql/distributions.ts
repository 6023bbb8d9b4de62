import type { Relation } from '../../../lib/relation.ts'
import { rowShape } from '../../../lib/typed-rows.ts'
import { Parameters } from '../../../query/sql/parameters.ts'
import { type Buckets, bucketMicrosSql } from '../../../query/sql/stats/time-buckets.ts'
import { tableRowsSql } from '../../../query/sql/table-rows.ts'

/** Feedback on the calls that started within a time range; microseconds, `end` exclusive. */
export interface CallFeedback {
  readonly projectId: string
  readonly start: number
  readonly end: number
  readonly calls: Relation
  readonly feedback: Relation
}

/** A member of the payloads of one group of feedback. */
export interface Measured {
  readonly type: string
  readonly version: string | null
  /** JSON Pointer of the member. */
  readonly pointer: string
}

/** Ranges of the numbers of a measured member, by its place in the list. */
export interface Ranges {
  readonly place: number
  readonly bounds: readonly number[]
}

/** The digest at the end of the ref of a scorer; null for feedback that no scorer gave. */
const versionSql = `CASE WHEN starts_with(t.feedback_type, 'ext.runnable.')
  THEN nullif(regexp_extract(t.runnable_ref, ':([^:/]+)$', 1), '') END`

/** `j`: each entry with the start of its call. */
function joinedSql(
  { projectId, start, end, calls, feedback }: CallFeedback,
  columns: readonly string[],
  parameters: Parameters,
): string {
  const started = tableRowsSql(
    { relation: calls, projectId },
    () => ['t.id', 't.started_at'],
    (bound) => [`t.started_at >= ${bound.bind({ micros: start })}`, `t.started_at < ${bound.bind({ micros: end })}`],
    parameters,
  )
  const entries = tableRowsSql(
    { relation: feedback, projectId },
    () => ['t.call_id', 't.feedback_type', `${versionSql} AS version`, 't.payload', ...columns],
    () => ['t.call_id IS NOT NULL'],
    parameters,
  )
  return `j AS MATERIALIZED (SELECT f.*, c.started_at FROM (${entries}) f JOIN (${started}) c ON f.call_id = c.id)`
}

/** Groups of feedback by type and version, those with most calls first, each with some payloads. */
export function compileFeedbackGroups(
  scope: CallFeedback,
  sizes: { readonly groups: number; readonly payloads: number },
) {
  const parameters = new Parameters()
  const joined = joinedSql(scope, ['t.runnable_ref', 't.created_at'], parameters)
  const payloads = `arg_max(payload, created_at, ${parameters.bind(BigInt(sizes.payloads))}::BIGINT)`
  return {
    text: `WITH ${joined}
      SELECT feedback_type, version, max(runnable_ref) AS runnable_ref, count(*) AS entries,
        count(DISTINCT call_id) AS calls, to_json(${payloads})::VARCHAR AS payloads
      FROM j GROUP BY feedback_type, version ORDER BY calls DESC, feedback_type, version
      LIMIT ${parameters.bind(BigInt(sizes.groups))}::BIGINT`,
    values: parameters.values,
    shape: rowShape({
      feedback_type: 'text',
      version: 'text?',
      runnable_ref: 'text?',
      entries: 'number',
      calls: 'number',
      payloads: 'text',
    }),
  }
}

/** `v`: the values of the measured members, each as a number, a truth value or a text. */
function valuesSql(scope: CallFeedback, measured: readonly Measured[], parameters: Parameters): string {
  const joined = joinedSql(scope, [], parameters)
  const list = measured.map(({ type, version, pointer }, place) => {
    const bound = [type, version, pointer].map((each) => `${parameters.bind(each)}::VARCHAR`)
    return `(${place}::BIGINT, ${bound.join(', ')})`
  })
  const number = `TRY_CAST(value ->> '$' AS DOUBLE)`
  return `WITH ${joined},
    m(place, type, version, pointer) AS (VALUES ${list.join(', ')}),
    found AS (SELECT m.place, j.call_id, j.started_at, json_extract(j.payload, m.pointer) AS value
      FROM j JOIN m ON j.feedback_type = m.type AND j.version IS NOT DISTINCT FROM m.version),
    v AS MATERIALIZED (SELECT place, call_id, started_at,
      CASE WHEN json_type(value) IN ('BIGINT', 'UBIGINT', 'HUGEINT', 'DOUBLE') AND isfinite(${number})
        THEN ${number} END AS number,
      CASE WHEN json_type(value) = 'BOOLEAN' THEN (value ->> '$') = 'true' END AS truth,
      CASE WHEN json_type(value) = 'VARCHAR' THEN value ->> '$' END AS text
      FROM found WHERE json_type(value) IN ('BIGINT', 'UBIGINT', 'HUGEINT', 'DOUBLE', 'BOOLEAN', 'VARCHAR'))`
}

/** What the values of each member are, by its place. */
export function compileValueSums(scope: CallFeedback, measured: readonly Measured[]) {
  const parameters = new Parameters()
  return {
    text: `${valuesSql(scope, measured, parameters)}
      SELECT place, count(DISTINCT call_id) AS calls, count(number) AS numbers, count(truth) AS truths,
        count(text) AS texts, count(DISTINCT number) AS different_numbers, count(DISTINCT text) AS different_texts,
        avg(number) AS mean, avg(truth::INTEGER) AS share, min(number) AS low, max(number) AS high
      FROM v GROUP BY place`,
    values: parameters.values,
    shape: rowShape({
      place: 'number',
      calls: 'number',
      numbers: 'number',
      truths: 'number',
      texts: 'number',
      different_numbers: 'number',
      different_texts: 'number',
      mean: 'number?',
      share: 'number?',
      low: 'number?',
      high: 'number?',
    }),
  }
}

/** The most frequent values of each member as JSON text; long texts are left out. */
export function compileTopValues(
  scope: CallFeedback,
  measured: readonly Measured[],
  { valuesMax, charsMax }: { readonly valuesMax: number; readonly charsMax: number },
) {
  const parameters = new Parameters()
  const values = valuesSql(scope, measured, parameters)
  const written = 'coalesce(to_json(number)::VARCHAR, to_json(truth)::VARCHAR, to_json(text)::VARCHAR)'
  return {
    text: `${values}
      SELECT place, ${written} AS value, count(DISTINCT call_id) AS calls
      FROM v WHERE text IS NULL OR length(text) <= ${parameters.bind(BigInt(charsMax))}::BIGINT
      GROUP BY place, number, truth, text
      QUALIFY row_number() OVER (PARTITION BY place ORDER BY calls DESC, value)
        <= ${parameters.bind(BigInt(valuesMax))}::BIGINT
      ORDER BY place, calls DESC, value`,
    values: parameters.values,
    shape: rowShape({ place: 'number', value: 'text', calls: 'number' }),
  }
}

/**
 * Calls by range of each member. A call with several entries is in a range as the query language
 * says: any entry reaches its lower bound, and any is below the upper one.
 */
export function compileRanges(scope: CallFeedback, measured: readonly Measured[], ranges: readonly Ranges[]) {
  const parameters = new Parameters()
  const values = valuesSql(scope, measured, parameters)
  const list = ranges.flatMap(({ place, bounds }) =>
    bounds.slice(0, -1).map((from, at) => {
      const ends = [from, bounds[at + 1] ?? from].map((bound) => `${parameters.bind(bound)}::DOUBLE`)
      return `(${place}::BIGINT, ${at}::BIGINT, ${ends.join(', ')}, ${at === bounds.length - 2})`
    }),
  )
  return {
    text: `${values},
      r(place, rung, low, high, is_last) AS (VALUES ${list.join(', ')}),
      o AS (SELECT place, call_id, min(number) AS lowest, max(number) AS highest FROM v WHERE number IS NOT NULL
        GROUP BY place, call_id)
      SELECT r.place, r.rung, count(o.call_id) AS calls FROM r LEFT JOIN o ON o.place = r.place AND o.highest >= r.low
        AND (o.lowest < r.high OR (r.is_last AND o.lowest = r.high)) GROUP BY r.place, r.rung ORDER BY r.place, r.rung`,
    values: parameters.values,
    shape: rowShape({ place: 'number', rung: 'number', calls: 'number' }),
  }
}

/** The values of each member over time, by the start of the calls. */
export function compileTrends(scope: CallFeedback, measured: readonly Measured[], buckets: Buckets) {
  const parameters = new Parameters()
  const values = valuesSql(scope, measured, parameters)
  return {
    text: `${values}
      SELECT place, ${bucketMicrosSql('started_at', buckets, parameters)}::BIGINT AS bucket,
        count(DISTINCT call_id) AS calls, avg(coalesce(number, truth::INTEGER)) AS mean
      FROM v GROUP BY ALL ORDER BY place, bucket`,
    values: parameters.values,
    shape: rowShape({ place: 'number', bucket: 'number', calls: 'number', mean: 'number?' }),
  }
}
