import { ownNamespaces } from '../../../formats/dialect/spellings.ts'
import type { Relation } from '../../../lib/relation.ts'
import type { Sql } from '../../../lib/sql.ts'
import { type RowOfShape, rowShape } from '../../../lib/typed-rows.ts'
import { columnField } from '../../../query/catalog.ts'
import { lowerRows } from '../../../query/check/lower.ts'
import { fieldOneOf } from '../../../query/expression.ts'
import { displayName } from '../../../query/sql/call-answer.ts'
import { Parameters } from '../../../query/sql/parameters.ts'
import { rowsSql } from '../../../query/sql/rows.ts'
import { tableRowsSql } from '../../../query/sql/table-rows.ts'

/** Traces, and where the calls of their project are. */
export interface TraceScope {
  readonly projectId: string
  readonly traceIds: readonly string[]
  readonly calls: Relation
}

/** Stored columns that `compileTraceCalls` reads. */
const columns = [
  'id',
  'parent_id',
  'op_name',
  'display_name',
  'started_at',
  'ended_at',
  'status',
  'thread_id',
  'written_at',
  'attributes',
  'summary',
  'usage_elsewhere',
] as const

/**
 * Paths in `attributes`: what may state the kind, by precedence, then operation, model and name of
 * the span.
 */
const statedPaths = ['/kind', ...ownNamespaces.map((own) => `/${own}/kind`), '/operation_name', '/model', '/span_name']

const traceCallShape = rowShape({
  id: 'text',
  parent_id: 'text?',
  name: 'text?',
  started_at: 'number',
  ended_at: 'number?',
  written_at: 'number',
  usage: 'json?',
  is_elsewhere: 'integer',
  shared: 'json',
})

const feedbackShape = rowShape({ call_id: 'text', count: 'integer', last: 'integer' })

/** A row of `compileTraceFeedback`. */
export type TraceFeedbackRow = RowOfShape<typeof feedbackShape>

/** A row of `compileTraceCalls`. */
export type TraceCallRow = RowOfShape<typeof traceCallShape>

/**
 * The calls of traces without their payloads, by start: id, parent, display name, start, end and
 * time of the last write in microseconds, usage as JSON text, 1 if another call beside states the
 * same usage, and a JSON array of the values that
 * many calls share: op name, status, thread, and what the attributes state, by `statedPaths`.
 * Handing an array over costs a third of handing over its values.
 */
export function compileTraceCalls(scope: TraceScope): Sql<TraceCallRow> {
  const parameters = new Parameters()
  const rows = traceRows(scope, columns, parameters)
  const stated = `json_extract_string(attributes, [${statedPaths.map((path) => `'${path}'`).join(', ')}])`
  const micros = (column: string) => `epoch_us(${column})::DOUBLE`
  return {
    text: `SELECT id, parent_id, ${displayName.sql}, ${micros('started_at')}, ${micros('ended_at')},
        ${micros('written_at')},
        CASE WHEN contains(summary, '"usage"') THEN json_extract(summary, '/usage')::VARCHAR END,
        coalesce(usage_elsewhere, 0),
        to_json(list_concat([op_name, status, nullif(thread_id, '')], ${stated}))::VARCHAR
      FROM (${rows}) c ORDER BY started_at, id`,
    values: parameters.values,
    shape: traceCallShape,
  }
}

/** Call id, number and latest time (microseconds) of the feedback on the calls of traces. */
export function compileTraceFeedback(scope: TraceScope, feedback: Relation): Sql<TraceFeedbackRow> {
  const parameters = new Parameters()
  const calls = traceRows(scope, ['id'], parameters)
  const rows = tableRowsSql(
    { relation: feedback, projectId: scope.projectId },
    ['t.call_id', 't.created_at'],
    ['t.call_id IS NOT NULL'],
    parameters,
  )
  return {
    text: `SELECT f.call_id, count(*), epoch_us(max(f.created_at)) FROM (${rows}) f
      SEMI JOIN (${calls}) c ON c.id = f.call_id GROUP BY f.call_id`,
    values: parameters.values,
    shape: feedbackShape,
  }
}

const traceRows = (
  { projectId, traceIds, calls }: TraceScope,
  wanted: readonly string[],
  parameters: Parameters,
): string => {
  const where = fieldOneOf(columnField('trace_id'), traceIds)
  return rowsSql(lowerRows({ relation: calls, projectId, where, columns: wanted }), parameters)
}
