import { jsonPointer } from '../../../lib/json-pointer.ts'
import type { Relation } from '../../../lib/relation.ts'
import type { Sql } from '../../../lib/sql.ts'
import { pageSql } from '../../../query/sql/order.ts'
import { Parameters } from '../../../query/sql/parameters.ts'
import { type Buckets, bucketSeriesSql, bucketSql } from '../../../query/sql/stats/time-buckets.ts'
import { tableRowsSql } from '../../../query/sql/table-rows.ts'

/** Which feedback counts. Times are microseconds, `end` exclusive. */
export interface FeedbackScope {
  readonly projectId: string
  readonly start: number
  readonly end: number
  readonly type: string | undefined
  /**
   * Refs that the trigger may equal, and prefixes that it may have; undefined means any trigger.
   */
  readonly trigger: { readonly refs: readonly string[]; readonly prefixes: readonly string[] } | undefined
}

export type Aggregation = 'sum' | 'avg' | 'min' | 'max' | 'count' | 'count_true' | 'count_false'

/** A column of the answer: one aggregate over one value of the payload. */
export interface FeedbackStatistic {
  readonly path: readonly string[]
  readonly valueType: 'numeric' | 'boolean' | 'categorical'
  /** A name, or a percentile from 0 to 100. */
  readonly of: Aggregation | number
}

/**
 * Rows of a bucket (null for the whole range), the number of feedback entries, and the statistics:
 * every bucket of the range in order, then the whole range.
 */
export function compileFeedbackStats(
  scope: FeedbackScope,
  statistics: readonly FeedbackStatistic[],
  buckets: Buckets,
  relation: Relation,
): Sql {
  const parameters = new Parameters()
  const rows = tableRowsSql(
    { relation, projectId: scope.projectId },
    ['t.created_at', 't.payload'],
    scopeTerms(scope, parameters),
    parameters,
  )
  const values = statistics.map((statistic, index) => `${valueSql(statistic, parameters)} AS v${index}`)
  const bucketed = `SELECT ${[`${bucketSql('created_at', buckets, parameters)} AS bucket`, ...values].join(
    ', ' + '',
  )} FROM (${rows})`
  const aggregates = [
    'count(*) AS n',
    ...statistics.map((statistic, index) => `${statisticSql(statistic, `v${index}`, parameters)} AS a${index}`),
  ]
  const names = statistics.map((statistic, index) => (isCounted(statistic) ? `coalesce(a${index}, 0)` : `a${index}`))
  const series = bucketSeriesSql(scope, buckets, parameters)
  return {
    text: `WITH b AS MATERIALIZED (${bucketed}),
      g AS (SELECT bucket, ${aggregates.join(', ')} FROM b GROUP BY bucket),
      w AS (SELECT NULL::TIMESTAMPTZ AS bucket, ${aggregates.join(', ')} FROM b)
      SELECT bucket, ${['coalesce(n, 0)', ...names].join(', ')} FROM (${series}) LEFT JOIN g USING (bucket)
      UNION ALL SELECT bucket, ${['n', ...names].join(', ')} FROM w ORDER BY bucket NULLS LAST`,
    values: parameters.values,
  }
}

/**
 * The latest payload per trigger, or per feedback type without a trigger, newest first, as JSON
 * text.
 */
export function compilePayloadSample(scope: FeedbackScope, limit: number, relation: Relation): Sql {
  const parameters = new Parameters()
  const rows = tableRowsSql(
    { relation, projectId: scope.projectId },
    ['t.id', 't.created_at', 't.payload', 't.trigger_ref', 't.feedback_type'],
    scopeTerms(scope, parameters),
    parameters,
  )
  return {
    text: `SELECT payload FROM (${rows})
      QUALIFY row_number() OVER (PARTITION BY trigger_ref, CASE WHEN trigger_ref IS NULL THEN feedback_type END
        ORDER BY created_at DESC, id DESC) = 1
      ORDER BY created_at DESC, id DESC${pageSql({ limit }, parameters)}`,
    values: parameters.values,
  }
}

function scopeTerms({ start, end, type, trigger }: FeedbackScope, parameters: Parameters): string[] {
  const terms = [
    `t.created_at >= ${parameters.bind({ micros: start })}`,
    `t.created_at < ${parameters.bind({ micros: end })}`,
  ]
  if (type !== undefined) terms.push(`t.feedback_type = ${parameters.bind(type)}`)
  if (trigger !== undefined) {
    const exact = trigger.refs.map((ref) => `t.trigger_ref = ${parameters.bind(ref)}`)
    const starts = trigger.prefixes.map((prefix) => `starts_with(t.trigger_ref, ${parameters.bind(prefix)})`)
    terms.push(`(${[...exact, ...starts].join(' OR ')})`)
  }
  return terms
}

/**
 * Finite numbers as they are, true and false as 1 and 0, anything else as text; null if the payload
 * has no such value.
 */
function valueSql({ path, valueType }: FeedbackStatistic, parameters: Parameters): string {
  const value = `json_extract(payload, ${parameters.bind(jsonPointer(path))})`
  switch (valueType) {
    case 'numeric': {
      const number = `TRY_CAST(${value} ->> '$' AS DOUBLE)`
      return `CASE WHEN json_type(${value}) IN ('BIGINT', 'UBIGINT', 'HUGEINT', 'DOUBLE') AND
        isfinite(${number}) THEN ${number} END`
    }
    case 'boolean':
      return `CASE ${value} ->> '$' WHEN 'true' THEN 1::DOUBLE WHEN 'false' THEN 0::DOUBLE END`
    case 'categorical':
      return `nullif(${value}, 'null'::JSON) ->> '$'`
  }
}

function statisticSql({ of, valueType }: FeedbackStatistic, value: string, parameters: Parameters): string {
  if (of === 'count') return `count(${value})`
  // Categories can only be counted.
  if (valueType === 'categorical') return `NULL::DOUBLE`
  if (typeof of === 'number') return `quantile_cont(${value}, ${parameters.bind(of / 100)})`
  if (of === 'count_true') return `count(CASE WHEN ${value} <> 0 THEN 1 END)`
  if (of === 'count_false') return `count(CASE WHEN ${value} = 0 THEN 1 END)`
  return of === 'sum' ? `coalesce(sum(${value}), 0)` : `${of}(${value})`
}

const isCounted = ({ of }: FeedbackStatistic): boolean =>
  typeof of === 'string' && (of === 'sum' || of.startsWith('count'))
