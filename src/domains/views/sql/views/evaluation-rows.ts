import { defineView } from '../view.ts'

export const evaluationRows = defineView({
  name: 'evaluation_rows',
  description: 'Trials of evaluations: one prediction for a row of the dataset, with the scores that it has itself.',
  columns: {
    project_id: 'entity/project',
    evaluation_call_id: 'call of the run',
    trial_call_id: 'call of the trial',
    row_digest: 'row of the dataset: equal in all runs',
    example: 'JSON object: the row; a ref to it as a JSON string if it is not stored here',
    output: 'JSON value: what the model answered; null if it failed',
    scores: 'JSON object: score by scorer; scores that came later are in the view scores',
    model_latency_s: 'seconds that the model took, as stated',
    status: 'success, error, descendant_error or running',
    error: 'message of the error',
    started_at: 'start',
    ended_at: 'end; null while it runs',
    latency_ms: 'whole milliseconds of the trial; null while it runs',
  },
  rows: (engine, { table, view }) => [
    {
      values: {
        project_id: 's.project_id',
        evaluation_call_id: 's.parent_id',
        trial_call_id: 's.call_id',
        row_digest: 's.row_digest',
        example: `coalesce(d.val, ${engine.at('s.inputs', 'example')})`,
        output: engine.at('s.output', 'output'),
        scores: engine.at('s.output', 'scores'),
        model_latency_s: `coalesce(${engine.number(engine.at('s.output', 'model_latency', 'mean'))},
    ${engine.number(engine.at('s.output', 'model_latency'))})`,
        status: 's.status',
        error: 's.error',
        started_at: 's.started_at',
        ended_at: 's.ended_at',
        latency_ms: 's.latency_ms',
      },
      from: `${view('spans')} s
LEFT JOIN ${table('table_rows')} d ON d.project_id = s.project_id AND d.digest = s.row_digest
WHERE s.row_digest IS NOT NULL`,
    },
  ],
})
