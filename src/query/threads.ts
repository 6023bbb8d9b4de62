import { DomainError } from '../errors.ts'
import { limits } from '../limits.ts'
import type { SortBy } from '../model/calls.ts'
import type { Relation } from '../model/relation.ts'
import type { Sql } from '../model/sql.ts'
import { nearest } from './nearest.ts'
import { Parameters } from './sql/parameters.ts'
import { tableRowsSql } from './sql/table-rows.ts'
import { timeText } from './sql/time-text.ts'

/** Which turns count, by their start (microseconds, both ends exclusive), and which threads. */
export interface ThreadsPlan {
  readonly projectId: string
  readonly after: number | undefined
  readonly before: number | undefined
  /** Empty: all threads. */
  readonly threadIds: readonly string[]
  readonly sort: readonly SortBy[]
  readonly limit: number | undefined
  readonly offset: number
}

const sortable = [
  'thread_id',
  'turn_count',
  'start_time',
  'last_updated',
  'p50_turn_duration_ms',
  'p99_turn_duration_ms',
] as const

/** Sort keys in total order; latest first where none are asked for. @throws DomainError InvalidField, InvalidRequest */
export function parseThreadsSort(asked: readonly SortBy[] | null | undefined): readonly SortBy[] {
  const keys = asked && asked.length > 0 ? asked : [{ field: 'last_updated', direction: 'desc' } as const]
  if (keys.length > limits.sortKeysMax) {
    throw new DomainError(
      'InvalidRequest',
      `Read sort_by: ${keys.length} keys are more than the ${limits.sortKeysMax} allowed`,
    )
  }
  const unknown = keys.find(({ field }) => !(sortable as readonly string[]).includes(field))
  if (unknown !== undefined) {
    const { field } = unknown
    throw new DomainError(
      'InvalidField',
      `Sort threads by "${field.slice(0, 80)}": that cannot be; did you mean "${nearest(field, sortable)}"?`,
      { extras: { field } },
    )
  }
  return [...keys, { field: 'thread_id', direction: 'asc' }]
}

/** One JSON object per thread that has a finished turn. Turns are the calls that their turn is named after. */
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
  const order = plan.sort.map(({ field, direction }) => `"${field}" ${direction} NULLS LAST`)
  const page = [
    plan.limit === undefined ? '' : ` LIMIT ${parameters.bind(BigInt(plan.limit))}::BIGINT`,
    plan.offset === 0 ? '' : ` OFFSET ${parameters.bind(BigInt(plan.offset))}::BIGINT`,
  ].join('')
  return {
    text: `SELECT concat('{"thread_id":', to_json(thread_id)::VARCHAR, ',"turn_count":', turn_count,
        ',"start_time":"', ${timeText('start_time')}, '","last_updated":"', ${timeText('last_updated')},
        '","first_turn_id":', to_json(first_turn_id)::VARCHAR, ',"last_turn_id":', to_json(last_turn_id)::VARCHAR,
        ',"p50_turn_duration_ms":', p50_turn_duration_ms, ',"p99_turn_duration_ms":', p99_turn_duration_ms, '}')
      FROM (SELECT thread_id, count(*) AS turn_count, min(started_at) AS start_time, max(ended_at) AS last_updated,
          arg_min(id, (started_at, id)) AS first_turn_id,
          arg_max(id, (ended_at, id)) FILTER (WHERE ended_at IS NOT NULL) AS last_turn_id,
          quantile_cont(${duration}, 0.5) AS p50_turn_duration_ms, quantile_cont(${duration}, 0.99) AS p99_turn_duration_ms
        FROM (${turns}) GROUP BY thread_id HAVING max(ended_at) IS NOT NULL)
      ORDER BY ${order.join(', ')}${page}`,
    values: parameters.values,
  }
}
