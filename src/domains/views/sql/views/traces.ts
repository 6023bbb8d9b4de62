import { defineView } from '../view.ts'

/** Sums of the generations of each trace. */
const usageOf = (generations: string) => `(SELECT g.project_id, g.trace_id, sum(g.input_tokens) AS input_tokens,
    sum(g.output_tokens) AS output_tokens, sum(g.total_tokens) AS total_tokens, sum(g.cost) AS cost
  FROM ${generations} g GROUP BY g.project_id, g.trace_id)`

export const traces = defineView({
  name: 'traces',
  description:
    'Traces: the call at the top (the first without a parent; null if it has not arrived), and figures of all calls.',
  columns: {
    project_id: 'entity/project',
    trace_id: 'id of the trace',
    root_call_id: 'call at the top',
    name: 'name of the call at the top',
    op: 'its op',
    kind: 'its kind',
    thread_id: 'its conversation; null if none',
    user_id: 'user of the application, if it states one',
    status: 'its status: success, error, descendant_error or running',
    error: 'message of its error',
    started_at: 'start of the first call',
    ended_at: 'end of the last call that has ended',
    latency_ms: 'whole milliseconds of the call at the top; null while it runs',
    calls: 'number of calls',
    failed_calls: 'calls with an error of their own',
    running_calls: 'calls that have not ended',
    input_tokens: 'sum over the generations; null without usage',
    output_tokens: 'likewise',
    total_tokens: 'likewise',
    cost: 'cost in US dollars; null if nothing has a price',
    inputs: 'JSON object: inputs of the call at the top',
    output: 'JSON value: its output',
  },
  rows: (_, { view }) => [
    {
      values: {
        project_id: 't.project_id',
        trace_id: 't.trace_id',
        root_call_id: 'r.call_id',
        name: 'r.name',
        op: 'r.op',
        kind: 'r.kind',
        thread_id: 'r.thread_id',
        user_id: 'r.user_id',
        status: 'r.status',
        error: 'r.error',
        started_at: 't.first_start',
        ended_at: 't.last_end',
        latency_ms: 'r.latency_ms',
        calls: 't.calls',
        failed_calls: 't.failed_calls',
        running_calls: 't.running_calls',
        input_tokens: 'g.input_tokens',
        output_tokens: 'g.output_tokens',
        total_tokens: 'g.total_tokens',
        cost: 'g.cost',
        inputs: 'r.inputs',
        output: 'r.output',
      },
      from: `(SELECT s.project_id, s.trace_id, min(s.started_at) AS first_start, max(s.ended_at) AS last_end,
    count(*) AS calls, count(CASE WHEN s.status = 'error' THEN 1 END) AS failed_calls,
    count(CASE WHEN s.ended_at IS NULL THEN 1 END) AS running_calls
  FROM ${view('spans')} s GROUP BY s.project_id, s.trace_id) t
LEFT JOIN (SELECT n.* FROM (SELECT s.*,
      row_number() OVER (PARTITION BY s.project_id, s.trace_id ORDER BY s.started_at, s.call_id) AS root_number
    FROM ${view('spans')} s WHERE s.parent_id IS NULL) n WHERE n.root_number = 1) r
  ON r.project_id = t.project_id AND r.trace_id = t.trace_id
LEFT JOIN ${usageOf(view('generations'))} g ON g.project_id = t.project_id AND g.trace_id = t.trace_id`,
    },
  ],
})
