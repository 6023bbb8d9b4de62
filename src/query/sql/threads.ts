import type { Relation } from '../../kernel/relation.ts'
import type { Sql } from '../../kernel/sql.ts'
import type { ThreadsPlan } from '../threads.ts'
import { orderSql } from './order.ts'
import { timeText } from './output-values.ts'
import { pageSql } from './page.ts'
import { Parameters } from './parameters.ts'
import { scopeOf } from './rows.ts'
import { tableRowsSql } from './table-rows.ts'

/**
 * One JSON object per thread with a finished turn. A turn is the call whose id is the turn's id.
 */
export function compileThreads(plan: ThreadsPlan, relation: Relation): Sql {
  const parameters = new Parameters()
  const turns = tableRowsSql(
    { relation, projectId: plan.projectId },
    () => ['t.thread_id', 't.id', 't.started_at', 't.ended_at'],
    (bound) => [
      't.id = t.turn_id',
      `t.thread_id <> ''`,
      ...(plan.after === undefined ? [] : [`t.started_at > ${bound.bind({ micros: plan.after })}`]),
      ...(plan.before === undefined ? [] : [`t.started_at < ${bound.bind({ micros: plan.before })}`]),
      ...(plan.threadIds.length === 0
        ? []
        : [`t.thread_id IN (${plan.threadIds.map((id) => bound.bind(id)).join(', ')})`]),
    ],
    parameters,
  )
  const duration = '(epoch_us(ended_at) - epoch_us(started_at)) / 1000.0'
  return {
    text: `SELECT concat('{"thread_id":', to_json(thread_id)::VARCHAR, ',"turn_count":', turn_count,
        ',"start_time":"', ${timeText('start_time')}, '","last_updated":"', ${timeText('last_updated')},
        '","first_turn_id":', to_json(first_turn_id)::VARCHAR, ',"last_turn_id":', to_json(last_turn_id)::VARCHAR,
        ',"p50_turn_duration_ms":', p50_turn_duration_ms, ',"p99_turn_duration_ms":', p99_turn_duration_ms, '}')
      FROM (SELECT thread_id, count(*) AS turn_count, min(started_at) AS start_time, max(ended_at) AS last_updated,
          arg_min(id, (started_at, id)) AS first_turn_id,
          arg_max(id, (ended_at, id)) FILTER (WHERE ended_at IS NOT NULL) AS last_turn_id,
          quantile_cont(${duration}, 0.5) AS p50_turn_duration_ms, quantile_cont(${duration}, 0.99) AS
            p99_turn_duration_ms
        FROM (${turns}) GROUP BY thread_id HAVING max(ended_at) IS NOT NULL) r
      ORDER BY ${orderSql(plan.sort, scopeOf('r', plan, parameters))}${pageSql(plan, parameters)}`,
    values: parameters.values,
  }
}
