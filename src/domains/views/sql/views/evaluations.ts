import { ownNamespaces } from '../../../../formats/dialect/spellings.ts'
import { evaluate } from '../../../../lib/evaluation-ops.ts'
import type { SqlEngine } from '../sql-engine.ts'
import { defineView } from '../view.ts'

/** A member that the server wrote into the attributes of a call `s`, in either dialect. */
const mark = (engine: SqlEngine, name: string) =>
  ownNamespaces.map((own) => engine.textAt('s.attributes', own, name)).join(', ')

const evaluationRef = (engine: SqlEngine) =>
  `coalesce(${mark(engine, 'evaluation')}, ${engine.textAt('s.inputs', 'self')}, ${engine.textAt('s.inputs', 'this')})`

/** The ref of the model of an evaluation, of which `s` is the call. */
export const modelRef = (engine: SqlEngine) =>
  `coalesce(${mark(engine, 'model')}, ${engine.textAt('s.inputs', 'model')})`

/** Condition that a call `s` is an evaluation. */
export const isEvaluation = (engine: SqlEngine) =>
  `(s.op = ${engine.literal(evaluate)} OR coalesce(${mark(engine, 'evaluation_run')}) = 'true')`

const objectName = '/object/([^/:]+):'

export const evaluations = defineView({
  name: 'evaluations',
  description: 'Runs of evaluations.',
  columns: {
    project_id: 'entity/project',
    evaluation_call_id: 'call of the run',
    trace_id: 'trace of the run',
    name: 'name of the run',
    evaluation: 'name of the evaluation, as its ref has it',
    evaluation_ref: 'ref of the evaluation',
    model: 'name of the model, as its ref has it',
    model_ref: 'ref of the model',
    status: 'success, error, descendant_error or running',
    error: 'message of the error',
    started_at: 'start',
    ended_at: 'end; null while it runs',
    latency_ms: 'whole milliseconds; null while it runs',
    dataset_rows: 'distinct rows with a trial',
    trials: 'trials: rows times repetitions',
    failed_trials: 'trials with an error of their own',
    total_tokens: 'tokens of the trace; null without usage',
    cost: 'cost of the trace in US dollars; null if nothing has a price',
    summary: 'JSON value: what the run reported at its end',
  },
  rows: (engine, { view }) => [
    {
      values: {
        project_id: 'e.project_id',
        evaluation_call_id: 'e.call_id',
        trace_id: 'e.trace_id',
        name: 'e.name',
        evaluation: `coalesce(${engine.firstGroup('e.evaluation_ref', objectName)}, e.evaluation_ref)`,
        evaluation_ref: 'e.evaluation_ref',
        model: `coalesce(${engine.firstGroup('e.model_ref', objectName)}, e.model_ref)`,
        model_ref: 'e.model_ref',
        status: 'e.status',
        error: 'e.error',
        started_at: 'e.started_at',
        ended_at: 'e.ended_at',
        latency_ms: 'e.latency_ms',
        dataset_rows: 'coalesce(r.dataset_rows, 0)',
        trials: 'coalesce(r.trials, 0)',
        failed_trials: 'coalesce(r.failed_trials, 0)',
        total_tokens: 't.total_tokens',
        cost: 't.cost',
        summary: 'e.output',
      },
      from: `(SELECT s.project_id, s.call_id, s.trace_id, s.name, s.status, s.error, s.started_at, s.ended_at,
    s.latency_ms, s.output, ${evaluationRef(engine)} AS evaluation_ref, ${modelRef(engine)} AS model_ref
  FROM ${view('spans')} s WHERE ${isEvaluation(engine)}) e
LEFT JOIN (SELECT w.project_id, w.evaluation_call_id, count(DISTINCT w.row_digest) AS dataset_rows, count(*) AS trials,
    count(CASE WHEN w.status = 'error' THEN 1 END) AS failed_trials
  FROM ${view('evaluation_rows')} w GROUP BY w.project_id, w.evaluation_call_id) r
  ON r.project_id = e.project_id AND r.evaluation_call_id = e.call_id
LEFT JOIN (SELECT g.project_id, g.trace_id, sum(g.total_tokens) AS total_tokens, sum(g.cost) AS cost
  FROM ${view('generations')} g GROUP BY g.project_id, g.trace_id) t
  ON t.project_id = e.project_id AND t.trace_id = e.trace_id`,
    },
  ],
})
