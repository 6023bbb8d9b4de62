import { jsonPointer } from '../../../lib/json-pointer.ts'
import type { Relation } from '../../../lib/relation.ts'
import type { Sql } from '../../../lib/sql.ts'
import { type RowOfShape, rowShape } from '../../../lib/typed-rows.ts'
import type { CallsPlan, Relations } from '../../../query/calls-plan.ts'
import { lowerRows } from '../../../query/check/lower.ts'
import { Parameters } from '../../../query/sql/parameters.ts'
import { rowsSql } from '../../../query/sql/rows.ts'
import { tableRowsSql } from '../../../query/sql/table-rows.ts'

/** A value of the payloads of a feedback type. */
interface JudgedValue {
  readonly type: string
  readonly path: readonly string[]
}

/** Calls of which two scorers say something different. */
export interface DisagreementPlan {
  readonly first: JudgedValue
  readonly second: JudgedValue
  /** Numbers that are further apart differ. */
  readonly apart: number
}

/** Which calls are to be added to a queue. */
export interface MatchingCalls {
  /** What they must match. */
  readonly plan: CallsPlan
  readonly queueId: string
  readonly disagreement: DisagreementPlan | undefined
  readonly limit: number
  /** Chooses at random; undefined for the newest. */
  readonly seed: number | undefined
}

interface MatchingRelations {
  readonly calls: Relations
  readonly items: Relation
  /** Required for a disagreement. */
  readonly feedback: Relation | undefined
}

const shape = rowShape({ id: 'text', isIn: 'integer', matched: 'integer', inQueue: 'integer' })

/**
 * The chosen calls, and whether each is in the queue. How many match and how many of those are in
 * the queue is equal in all rows; there is a row without an id if no call matches.
 */
export function compileMatchingCalls(
  { plan, queueId, disagreement, limit, seed }: MatchingCalls,
  relations: MatchingRelations,
): Sql<RowOfShape<typeof shape>> {
  const parameters = new Parameters()
  const { projectId, where } = plan
  const { calls, feedback, queues, usage } = relations.calls
  const wanted = { relation: calls, projectId, where, columns: ['id', 'started_at'], feedback, queues, usage }
  const matched = rowsSql(lowerRows(wanted), parameters)
  const present = tableRowsSql(
    { relation: relations.items, projectId },
    ['t.call_id'],
    [`t.queue_id = ${parameters.bind(queueId)}`],
    parameters,
  )
  const judged =
    disagreement === undefined
      ? ''
      : ` WHERE m.id IN (${disagreeingSql(projectId, disagreement, relations.feedback, parameters)})`
  const order =
    seed === undefined ? 'started_at DESC, id DESC' : `sha256(concat(${parameters.bind(`${seed} `)}, id)), id`
  const text = `WITH matched AS (${matched}), present AS (SELECT DISTINCT call_id FROM (${present})),
    found AS MATERIALIZED (SELECT m.id, m.started_at, p.call_id IS NOT NULL AS is_in
      FROM matched m LEFT JOIN present p ON p.call_id = m.id${judged}),
    counted AS (SELECT count(*) AS matched, count(*) FILTER (is_in) AS in_queue FROM found),
    chosen AS (SELECT *, row_number() OVER (ORDER BY ${order}) AS place FROM found
      ORDER BY place LIMIT ${parameters.bind(limit)})
    SELECT coalesce(c.id, ''), coalesce(c.is_in, false)::INTEGER, n.matched, n.in_queue
    FROM counted n LEFT JOIN chosen c ON true ORDER BY c.place`
  return { text, values: parameters.values, shape }
}

/** Ids of the calls on which the newest values of two feedback types differ. */
function disagreeingSql(
  projectId: string,
  { first, second, apart }: DisagreementPlan,
  relation: Relation | undefined,
  parameters: Parameters,
): string {
  if (relation === undefined) throw new Error('Cannot compare scorers: the feedback table is missing')
  const newest = ({ type, path }: JudgedValue) => {
    const rows = tableRowsSql(
      { relation, projectId },
      ['t.call_id', 't.payload', 't.created_at', 't.id'],
      ['t.call_id IS NOT NULL', `t.feedback_type = ${parameters.bind(type)}`],
      parameters,
    )
    const value = `nullif(json_extract(payload, ${parameters.bind(jsonPointer(path))})::VARCHAR, 'null')`
    return `SELECT call_id, arg_max(value, (created_at, id)) AS value
      FROM (SELECT *, ${value} AS value FROM (${rows})) WHERE value IS NOT NULL GROUP BY call_id`
  }
  return `SELECT call_id FROM (${newest(first)}) a JOIN (${newest(second)}) b USING (call_id)
    WHERE coalesce(abs(TRY_CAST(a.value AS DOUBLE) - TRY_CAST(b.value AS DOUBLE)) >
      ${parameters.bind(apart)}::DOUBLE, a.value <> b.value)`
}
