import type { Relation } from '../../../lib/relation.ts'
import type { Sql } from '../../../lib/sql.ts'
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

/** The members of the payloads of one group of feedback that are measured. */
export interface MeasuredGroup {
  readonly type: string
  readonly version: string | null
  /** Place of its first member in the list of all; the others follow. */
  readonly firstPlace: number
  /** JSON Pointers of the members. */
  readonly pointers: readonly string[]
}

/** Ranges of the numbers of a measured member, by its place in the list. */
export interface Ranges {
  readonly place: number
  readonly bounds: readonly number[]
}

/** The digest at the end of the ref of a scorer; null for feedback that no scorer gave. */
const versionSql = `CASE WHEN starts_with(t.feedback_type, 'ext.runnable.')
  THEN nullif(regexp_extract(t.runnable_ref, ':([^:/]+)$', 1), '') END`

/** Temporary tables of a read: the entries with the starts of their calls, and their values. */
export const entriesTable = 'call_feedback'
export const valuesTable = 'call_feedback_values'

/** Rows of `entriesTable`; each has the bucket that its call started in. */
export function compileCallFeedback(
  { projectId, start, end, calls, feedback }: CallFeedback,
  buckets: Buckets,
): Sql<unknown> {
  const parameters = new Parameters()
  const started = tableRowsSql(
    { relation: calls, projectId },
    ['t.id', 't.started_at'],
    [`t.started_at >= ${parameters.bind({ micros: start })}`, `t.started_at < ${parameters.bind({ micros: end })}`],
    parameters,
  )
  const entries = tableRowsSql(
    { relation: feedback, projectId },
    ['t.call_id', 't.feedback_type', `${versionSql} AS version`, 't.payload', 't.runnable_ref', 't.created_at'],
    ['t.call_id IS NOT NULL'],
    parameters,
  )
  return {
    text: `SELECT f.*, ${bucketMicrosSql('c.started_at', buckets, parameters)}::BIGINT AS bucket
      FROM (${entries}) f JOIN (${started}) c ON f.call_id = c.id`,
    values: parameters.values,
  }
}

/** Groups of feedback by type and version, those with most calls first, each with some payloads. */
export function compileFeedbackGroups(sizes: { readonly groups: number; readonly payloads: number }) {
  const parameters = new Parameters()
  const payloads = `arg_max(payload, created_at, ${parameters.bind(BigInt(sizes.payloads))}::BIGINT)`
  return {
    text: `SELECT feedback_type, version, max(runnable_ref) AS runnable_ref, count(*) AS entries,
        count(DISTINCT call_id) AS calls, to_json(${payloads})::VARCHAR AS payloads
      FROM ${entriesTable} GROUP BY feedback_type, version ORDER BY calls DESC, feedback_type, version
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

/**
 * Rows of `valuesTable`: the values of the measured members, each as a number, a truth value or a
 * text. All members of a payload are extracted at once: parsing payloads is most of the work.
 */
export function compileValues(measured: readonly MeasuredGroup[]): Sql<unknown> {
  const parameters = new Parameters()
  const lists = [...new Map(measured.map(({ pointers }) => [pointers.join('\n'), pointers])).values()]
  const listOf = new Map(lists.map((pointers, list) => [pointers.join('\n'), list]))
  const groups = measured.map(({ type, version, firstPlace, pointers }) => {
    const bound = [type, version].map((each) => `${parameters.bind(each)}::VARCHAR`)
    return `(${firstPlace}::BIGINT, ${listOf.get(pointers.join('\n'))}, ${bound.join(', ')})`
  })
  const extracted = (extract: string) =>
    `CASE m.list ${lists
      .map((texts, list) => `WHEN ${list} THEN ${extract}(e.payload, ${parameters.bind({ texts })})`)
      .join(' ')} END`
  const number = `TRY_CAST(text AS DOUBLE)`
  return {
    text: `WITH m(first, list, type, version) AS (VALUES ${groups.join(', ')}),
      found AS (SELECT m.first, e.call_id, e.bucket, ${extracted('json_type')} AS kinds,
        ${extracted('json_extract_string')} AS texts
        FROM ${entriesTable} e JOIN m ON e.feedback_type = m.type AND e.version IS NOT DISTINCT FROM m.version),
      x AS (SELECT first + generate_subscripts(kinds, 1) - 1 AS place, call_id, bucket, unnest(kinds) AS kind,
        unnest(texts) AS text FROM found)
      SELECT place, call_id, bucket,
        CASE WHEN kind NOT IN ('BOOLEAN', 'VARCHAR') AND isfinite(${number}) THEN ${number} END AS number,
        CASE WHEN kind = 'BOOLEAN' THEN text = 'true' END AS truth,
        CASE WHEN kind = 'VARCHAR' THEN text END AS text
      FROM x WHERE kind IN ('BIGINT', 'UBIGINT', 'HUGEINT', 'DOUBLE', 'BOOLEAN', 'VARCHAR')`,
    values: parameters.values,
  }
}

/**
 * What the values of each member are, by its place. Means are summed with compensation: a plain sum
 * depends on the order in which threads add, so that answers to one question differ.
 */
export function compileValueSums() {
  return {
    text: `SELECT place, count(DISTINCT call_id) AS calls, count(number) AS numbers, count(truth) AS truths,
        count(text) AS texts, count(DISTINCT number) AS different_numbers, count(DISTINCT text) AS different_texts,
        favg(number) AS mean, favg(truth::INTEGER) AS share, min(number) AS low, max(number) AS high
      FROM ${valuesTable} GROUP BY place`,
    values: [],
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
export function compileTopValues({ valuesMax, charsMax }: { readonly valuesMax: number; readonly charsMax: number }) {
  const parameters = new Parameters()
  const written = 'coalesce(to_json(number)::VARCHAR, to_json(truth)::VARCHAR, to_json(text)::VARCHAR)'
  return {
    text: `SELECT place, ${written} AS value, count(DISTINCT call_id) AS calls
      FROM ${valuesTable} WHERE text IS NULL OR length(text) <= ${parameters.bind(BigInt(charsMax))}::BIGINT
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
export function compileRanges(ranges: readonly Ranges[]) {
  const parameters = new Parameters()
  const list = ranges.flatMap(({ place, bounds }) =>
    bounds.slice(0, -1).map((from, at) => {
      const ends = [from, bounds[at + 1] ?? from].map((bound) => `${parameters.bind(bound)}::DOUBLE`)
      return `(${place}::BIGINT, ${at}::BIGINT, ${ends.join(', ')}, ${at === bounds.length - 2})`
    }),
  )
  return {
    text: `WITH r(place, rung, low, high, is_last) AS (VALUES ${list.join(', ')}),
      o AS (SELECT place, call_id, min(number) AS lowest, max(number) AS highest FROM ${valuesTable}
        WHERE number IS NOT NULL GROUP BY place, call_id)
      SELECT r.place, r.rung, count(o.call_id) AS calls FROM r LEFT JOIN o ON o.place = r.place AND o.highest >= r.low
        AND (o.lowest < r.high OR (r.is_last AND o.lowest = r.high)) GROUP BY r.place, r.rung ORDER BY r.place, r.rung`,
    values: parameters.values,
    shape: rowShape({ place: 'number', rung: 'number', calls: 'number' }),
  }
}

/** The values of each member over time, by the start of the calls. */
export function compileTrends() {
  return {
    text: `SELECT place, bucket, count(DISTINCT call_id) AS calls, favg(coalesce(number, truth::INTEGER)) AS mean
      FROM ${valuesTable} GROUP BY ALL ORDER BY place, bucket`,
    values: [],
    shape: rowShape({ place: 'number', bucket: 'number', calls: 'number', mean: 'number?' }),
  }
}
