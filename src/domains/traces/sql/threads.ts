import type { Relation } from '../../../lib/relation.ts'
import type { Sql } from '../../../lib/sql.ts'
import { type RowOfShape, rowShape } from '../../../lib/typed-rows.ts'
import type { Relations } from '../../../query/calls-plan.ts'
import { lowerRows } from '../../../query/check/lower.ts'
import { orderSql, pageSql } from '../../../query/sql/order.ts'
import { timeText } from '../../../query/sql/output-values.ts'
import { Parameters } from '../../../query/sql/parameters.ts'
import { previewSql } from '../../../query/sql/preview.ts'
import { rowsSql, scopeOf } from '../../../query/sql/rows.ts'
import { tableRowsSql } from '../../../query/sql/table-rows.ts'
import type { ThreadsPlan } from '../plan/threads.ts'

/** Where the calls are, and what the condition of a plan on the calls of a thread reads. */
export interface ThreadRelations {
  readonly calls: Relation
  readonly matching: Relations | undefined
}

const threadShape = rowShape({ line: 'json', thread_id: 'text', first_turn_id: 'text', last_turn_id: 'text' })

/** A row of `compileThreads`. */
export type ThreadRow = RowOfShape<typeof threadShape>

/**
 * One JSON object per thread with a finished turn, then the ids of the thread, of its first turn
 * and of its last one. A turn is the call whose id is the turn's id.
 */
export function compileThreads(plan: ThreadsPlan, relations: ThreadRelations): Sql<ThreadRow> {
  const parameters = new Parameters()
  const turns = turnsSql(plan, relations, parameters)
  const duration = '(epoch_us(ended_at) - epoch_us(started_at)) / 1000.0'
  return {
    text: `SELECT concat('{"thread_id":', to_json(thread_id)::VARCHAR, ',"turn_count":', turn_count,
        ',"start_time":"', ${timeText('start_time')}, '","last_updated":"', ${timeText('last_updated')},
        '","first_turn_id":', to_json(first_turn_id)::VARCHAR, ',"last_turn_id":', to_json(last_turn_id)::VARCHAR,
        ',"p50_turn_duration_ms":', p50_turn_duration_ms, ',"p99_turn_duration_ms":', p99_turn_duration_ms, '}'),
        thread_id, first_turn_id, last_turn_id
      FROM (SELECT thread_id, count(*) AS turn_count, min(started_at) AS start_time, max(ended_at) AS last_updated,
          arg_min(id, (started_at, id)) AS first_turn_id,
          arg_max(id, (ended_at, id)) FILTER (WHERE ended_at IS NOT NULL) AS last_turn_id,
          quantile_cont(${duration}, 0.5) AS p50_turn_duration_ms, quantile_cont(${duration}, 0.99) AS
            p99_turn_duration_ms
        FROM (${turns}) GROUP BY thread_id HAVING max(ended_at) IS NOT NULL) r
      ORDER BY ${orderSql(plan.sort, scopeOf('r', plan, parameters))}${pageSql(plan, parameters)}`,
    values: parameters.values,
    shape: threadShape,
  }
}

const turnShape = rowShape({ thread_id: 'text', id: 'text', trace_id: 'text' })

/** Thread, id and trace of the turns of a plan. */
export function compileTurns(plan: ThreadsPlan, calls: Relation): Sql<RowOfShape<typeof turnShape>> {
  const parameters = new Parameters()
  const turns = turnsSql({ ...plan, matching: undefined }, { calls, matching: undefined }, parameters)
  return { text: `SELECT thread_id, id, trace_id FROM (${turns})`, values: parameters.values, shape: turnShape }
}

const updatedShape = rowShape({ last_updated: 'time' })

/** When the `threads`-th most recently updated thread was updated; no row if there are fewer. */
export function compileLastUpdated(
  plan: ThreadsPlan,
  calls: Relation,
  threads: number,
): Sql<RowOfShape<typeof updatedShape>> {
  const parameters = new Parameters()
  const turns = turnsSql(plan, { calls, matching: undefined }, parameters)
  const page = pageSql({ limit: 1, offset: threads - 1 }, parameters)
  return {
    text: `SELECT max(ended_at) AS last_updated FROM (${turns}) GROUP BY thread_id HAVING max(ended_at) IS NOT NULL
      ORDER BY last_updated DESC${page}`,
    values: parameters.values,
    shape: updatedShape,
  }
}

const threadIdShape = rowShape({ thread_id: 'text' })

/** Ids of threads that were updated at a time or later. */
export function compileThreadsSince(
  plan: ThreadsPlan,
  calls: Relation,
  since: number,
  limit: number,
): Sql<RowOfShape<typeof threadIdShape>> {
  const parameters = new Parameters()
  const turns = turnsSql(plan, { calls, matching: undefined }, parameters)
  return {
    text: `SELECT DISTINCT thread_id FROM (${turns}) t WHERE t.ended_at >= ${parameters.bind({ micros: since })}
      ${pageSql({ limit }, parameters)}`,
    values: parameters.values,
    shape: threadIdShape,
  }
}

const messagesShape = rowShape({ id: 'text', asked: 'text?', answered: 'text?', inputs: 'json?', output: 'json?' })

/**
 * Id, and the beginnings of the user message and the response, of calls; then inputs and output
 * where the beginning is JSON and they have at most `wholeCharsMax` characters.
 */
export function compileTurnMessages(
  { projectId, ids, calls }: { readonly projectId: string; readonly ids: readonly string[]; readonly calls: Relation },
  { chars, wholeCharsMax }: { readonly chars: number; readonly wholeCharsMax: number },
): Sql<RowOfShape<typeof messagesShape>> {
  const parameters = new Parameters()
  const rows = tableRowsSql(
    { relation: calls, projectId },
    ['t.id', 't.inputs', 't.output'],
    [`t.id IN (SELECT unnest(${parameters.bind({ texts: ids })}))`],
    parameters,
  )
  const columns = ['inputs', 'output']
  const messages = columns.map((column) => `${previewSql(column, chars, parameters)} AS ${column}_begin`)
  const max = parameters.bind(BigInt(wholeCharsMax))
  const wholes = columns.map(
    (column) => `CASE WHEN left(${column}_begin, 1) IN ('{', '[') AND length(${column}) <= ${max} THEN ${column} END`,
  )
  return {
    text: `SELECT id, inputs_begin, output_begin, ${wholes.join(', ')}
      FROM (SELECT *, ${messages.join(', ')} FROM (${rows}))`,
    values: parameters.values,
    shape: messagesShape,
  }
}

function turnsSql(plan: ThreadsPlan, { calls, matching }: ThreadRelations, parameters: Parameters): string {
  const matches = matchingSql(plan, matching, parameters)
  return tableRowsSql(
    { relation: calls, projectId: plan.projectId },
    ['t.thread_id', 't.id', 't.trace_id', 't.started_at', 't.ended_at'],
    [
      't.id = t.turn_id',
      `t.thread_id <> ''`,
      ...(plan.after === undefined ? [] : [`t.started_at > ${parameters.bind({ micros: plan.after })}`]),
      ...(plan.before === undefined ? [] : [`t.started_at < ${parameters.bind({ micros: plan.before })}`]),
      ...(plan.threadIds.length === 0
        ? []
        : [`t.thread_id IN (${plan.threadIds.map((id) => parameters.bind(id)).join(', ')})`]),
      ...matches,
    ],
    parameters,
  )
}

/** Condition that a call of the thread matches; empty if the plan has none. */
function matchingSql(
  { matching }: ThreadsPlan,
  relations: Relations | undefined,
  parameters: Parameters,
): readonly string[] {
  if (matching === undefined || relations === undefined) return []
  const { projectId, where } = matching
  const { calls: relation, feedback, queues, usage } = relations
  const rows = lowerRows({ relation, projectId, where, feedback, queues, usage, columns: ['thread_id'] })
  return [`t.thread_id IN (SELECT thread_id FROM (${rowsSql(rows, parameters)}))`]
}
