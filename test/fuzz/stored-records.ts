import type { FuzzApp } from './fuzz-app.ts'
import type { Known } from './operations.ts'

const entity = 'fuzz'

interface Version {
  readonly digest: string
  readonly object_id: string
}

/** Stores a record of every kind in a project and returns the values that refer to them. */
export async function storeRecords({ post, send }: FuzzApp, project: string): Promise<Known> {
  const project_id = `${entity}/${project}`
  const under = `/v2/${entity}/${project}`
  const ref = ({ object_id, digest }: Version) => `ext:///${project_id}/object/${object_id}:${digest}`
  const obj = (object_id: string, val: unknown, builtin_object_class?: string) =>
    post<Version>('/obj/create', { obj: { project_id, object_id, val, builtin_object_class } })

  const thing = ref(await obj('thing', { a: [1, { b: 2 }] }))
  const exact = ref(await obj('exact', {}, 'ExactMatchScorer'))
  const model = ref(await obj('llm', { llm_model_id: 'gpt-4o' }, 'LLMStructuredCompletionModel'))
  const rows = [{ question: 'one?', expected: 'x' }]
  const table = await post<{ digest: string; row_digests: string[] }>('/table/create', { table: { project_id, rows } })
  const dataset = ref(await post<Version>(`${under}/datasets`, { name: 'rows', rows }))
  const evaluation = await post<{ evaluation_ref: string; digest: string; object_id: string }>(`${under}/evaluations`, {
    name: 'eval',
    dataset,
    scorers: [exact],
  })
  const started_at = '2026-01-01T00:00:00Z'
  for (const id of ['root', 'other']) {
    await post('/call/start', {
      start: { project_id, id, trace_id: 'trace', op_name: 'answer', started_at, attributes: {}, inputs: { a: thing } },
    })
  }
  const run = await post<{ evaluation_run_id: string }>(`${under}/evaluation_runs`, {
    evaluation: evaluation.evaluation_ref,
    model,
  })
  const prediction = await post<{ prediction_id: string }>(`${under}/predictions`, {
    model,
    inputs: rows[0],
    output: 'x',
    ...run,
  })
  const score = await post<{ score_id: string }>(`${under}/scores`, { ...prediction, scorer: exact, value: 1, ...run })
  const queue = await post<{ id: string }>('/annotation_queues', { project_id, name: 'q', scorer_refs: [] })
  await post(`/annotation_queues/${queue.id}/items`, { project_id, call_ids: ['root'], display_fields: ['inputs.a'] })
  const { items } = await post<{ items: [{ id: string }] }>(`/annotation_queues/${queue.id}/items/query`, {
    project_id,
  })
  const feedback = await post<{ id: string }>('/feedback/create', {
    project_id,
    // Uses the names of both dialects; unknown ones are ignored.
    ext_ref: `ext:///${project_id}/call/root`,
    weave_ref: `ext:///${project_id}/call/root`,
    feedback_type: 'custom',
    payload: { score: 3 },
  })
  const { rule } = await post<{ rule: { id: string } }>('/rules', {
    project_id,
    name: 'rule',
    is_paused: true,
    action: { kind: 'score', scorer_refs: [exact] },
  })
  const form = new FormData()
  form.set('project_id', project_id)
  form.set('file', new Blob(['hello']), 'a.txt')
  const file = (await (await send('/file/create', { method: 'POST', body: form })).json()) as { digest: string }

  const calls = ['root', 'other', run.evaluation_run_id, prediction.prediction_id, score.score_id]
  const refs = [thing, exact, model, dataset, evaluation.evaluation_ref, `ext:///${project_id}/call/root`]
  const digests = [table.digest, evaluation.digest, file.digest, 'latest', 'v0', thing.split(':').at(-1)!]
  const texts: Record<string, readonly string[]> = {
    entity: [entity],
    project: [project],
    project_id: [project_id],
    project_ids: [project_id],
    ...Object.fromEntries(['id', 'call_id', 'call_ids', 'parent_id', 'parent_ids'].map((name) => [name, calls])),
    ...Object.fromEntries(['evaluation_call_ids', 'evaluation_call_id'].map((name) => [name, calls])),
    ...Object.fromEntries(['digest', 'digests', 'base_digest'].map((name) => [name, digests])),
    row_digests: table.row_digests,
    object_id: ['thing', 'exact', 'llm', 'rows', 'eval', 'new'],
    object_ids: ['thing', 'exact'],
    evaluation_id: ['eval'],
    ...Object.fromEntries(
      ['ref', 'refs', 'ext_ref', 'weave_ref', 'scorer_refs', 'scorers', 'input_refs', 'annotation_ref'].map((name) => [
        name,
        refs,
      ]),
    ),
    scorer: [exact],
    model: [model, 'gpt-4o'],
    model_ref: [model, thing],
    dataset: [dataset, thing],
    evaluation: [evaluation.evaluation_ref, thing],
    evaluation_ref: [evaluation.evaluation_ref, thing],
    queue_id: [queue.id],
    queue_ids: [queue.id],
    rule_id: [rule.id],
    item_id: [items[0].id],
    feedback_id: [feedback.id],
    evaluation_run_id: [run.evaluation_run_id],
    evaluation_run_ids: [run.evaluation_run_id],
    source_evaluation_run_id: [run.evaluation_run_id],
    prediction_id: [prediction.prediction_id],
    prediction_ids: ['none'],
    score_id: [score.score_id],
    score_ids: ['none'],
    columns: ['id', 'inputs.a', 'output', 'summary.ext.status'],
    expand_columns: ['inputs.a'],
    fields: ['id', 'payload.score'],
    field: ['id', 'started_at', 'created_at', 'inputs.a', 'name', 'object_id'],
    $getField: ['id', 'inputs.a', 'started_at', 'payload.score', 'llm_id', 'feedback.[*].payload.score'],
    name: ['rows', 'eval', 'new'],
    annotation_state: ['completed', 'in_progress'],
    timezone: ['UTC', 'Europe/Berlin'],
    start: [started_at],
    end: ['2026-01-02T00:00:00Z'],
  }
  return texts
}
