import type { SqlEngine } from '../sql-engine.ts'
import { defineView, type Sources } from '../view.ts'

/** Turns with their place in the conversation, from the front and from the back. */
function turnsSql(engine: SqlEngine, { view }: Sources): string {
  const each = 'PARTITION BY s.project_id, s.thread_id'
  return `(SELECT s.project_id, s.thread_id, s.call_id, s.started_at, s.ended_at,
    (${engine.micros('s.ended_at')} - ${engine.micros('s.started_at')}) / 1E3 AS duration_ms,
    row_number() OVER (${each} ORDER BY s.started_at, s.call_id) AS from_first,
    row_number() OVER (${each} ORDER BY CASE WHEN s.ended_at IS NULL THEN 1 ELSE 0 END, s.ended_at DESC, s.call_id DESC)
      AS from_last
  FROM ${view('spans')} s WHERE s.thread_id IS NOT NULL AND s.turn_id = s.call_id)`
}

/** Calls and usage of a conversation, wherever in their traces they name it. */
const sumsSql = ({ view }: Sources) => `(SELECT c.project_id, c.thread_id, CAST(sum(c.calls) AS BIGINT) AS calls,
    CAST(sum(c.failed_calls) AS BIGINT) AS failed_calls, sum(c.total_tokens) AS total_tokens, sum(c.cost) AS cost
  FROM (SELECT s.project_id AS project_id, coalesce(s.thread_id, t.thread_id) AS thread_id, count(*) AS calls,
      count(CASE WHEN s.status = 'error' THEN 1 END) AS failed_calls, sum(g.total_tokens) AS total_tokens,
      sum(g.cost) AS cost
    FROM ${view('spans')} s
    LEFT JOIN (SELECT u.project_id, u.call_id, sum(u.total_tokens) AS total_tokens, sum(u.cost) AS cost
      FROM ${view('generations')} u GROUP BY u.project_id, u.call_id) g
      ON g.project_id = s.project_id AND g.call_id = s.call_id
    LEFT JOIN (SELECT f.project_id, f.trace_id, max(f.thread_id) AS thread_id
      FROM ${view('spans')} f WHERE f.parent_id IS NULL GROUP BY f.project_id, f.trace_id) t
      ON t.project_id = s.project_id AND t.trace_id = s.trace_id
    GROUP BY s.project_id, coalesce(s.thread_id, t.thread_id)) c
  GROUP BY c.project_id, c.thread_id)`

export const threads = defineView({
  name: 'threads',
  description:
    'Conversations (sessions) with a turn that has ended. Figures are those of the calls that name the conversation, ' +
    'and of the calls in traces whose first call does.',
  columns: {
    project_id: 'entity/project',
    thread_id: 'id of the conversation',
    turn_count: 'number of turns',
    start_time: 'start of the first turn',
    last_updated: 'latest end of a turn',
    first_turn_id: 'call of the first turn',
    last_turn_id: 'call of the turn that ended last',
    p50_turn_duration_ms: 'median of the turns',
    p99_turn_duration_ms: 'the slowest turns',
    calls: 'number of calls',
    failed_calls: 'calls with an error of their own',
    total_tokens: 'tokens; null without usage',
    cost: 'cost in US dollars; null if nothing has a price',
  },
  rows: (engine, from) => [
    {
      values: {
        project_id: 't.project_id',
        thread_id: 't.thread_id',
        turn_count: 't.turn_count',
        start_time: 't.start_time',
        last_updated: 't.last_updated',
        first_turn_id: 't.first_turn_id',
        last_turn_id: 't.last_turn_id',
        p50_turn_duration_ms: 't.p50_ms',
        p99_turn_duration_ms: 't.p99_ms',
        calls: 'g.calls',
        failed_calls: 'g.failed_calls',
        total_tokens: 'g.total_tokens',
        cost: 'g.cost',
      },
      from: `(SELECT n.project_id, n.thread_id, count(*) AS turn_count, min(n.started_at) AS start_time,
    max(n.ended_at) AS last_updated, max(CASE WHEN n.from_first = 1 THEN n.call_id END) AS first_turn_id,
    max(CASE WHEN n.from_last = 1 THEN n.call_id END) AS last_turn_id,
    ${engine.quantile('n.duration_ms', 0.5)} AS p50_ms, ${engine.quantile('n.duration_ms', 0.99)} AS p99_ms
  FROM ${turnsSql(engine, from)} n GROUP BY n.project_id, n.thread_id) t
LEFT JOIN ${sumsSql(from)} g ON g.project_id = t.project_id AND g.thread_id = t.thread_id
WHERE t.last_updated IS NOT NULL`,
    },
  ],
})
