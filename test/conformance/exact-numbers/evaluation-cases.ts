import { EvaluationClient, objectRef } from '../support/evaluations.ts'
import type { Project } from '../support/project.ts'
import { type Case, send } from './case.ts'
import { free, type Shown, shown, textOf } from './exact-json.ts'

const idIn = (answer: string, member: string): string => (JSON.parse(answer) as Record<string, string>)[member]!

const read = async (project: Project, tail: string): Promise<string> =>
  textOf(await project.client.get(project.v2(tail)))

const results = (project: Project, run: string): Promise<string> =>
  send(project.client, project.v2('eval_results/query'), {
    ...{ evaluation_run_ids: [run], include_raw_data_rows: true, resolve_row_refs: true },
  })

/** Operations that write evaluations, their runs, and what happens in them. */
export const evaluationCases: Readonly<Record<string, Case>> = {
  'POST /v2/{entity}/{project}/evaluations': {
    members: ['eval_attributes'],
    run: async (project) => {
      const dataset = objectRef(project, 'set')
      const body = { name: 'quiz', dataset, eval_attributes: { mine: free('eval_attributes') } }
      const answer = await send(project.client, project.v2('evaluations'), body)
      const asked = { project_id: project.id, object_id: 'quiz', digest: idIn(answer, 'digest') }
      return shown(['eval_attributes'], { 'obj/read': await send(project.client, '/obj/read', asked) })
    },
  },
  'POST /v2/{entity}/{project}/evaluation_runs/{evaluation_run_id}/finish': {
    members: ['summary'],
    run: async (project) => {
      const run = await new EvaluationClient(project).run()
      await send(project.client, project.v2(`evaluation_runs/${run}/finish`), { summary: { mine: free('summary') } })
      return shown(['summary'], {
        'the run': await read(project, `evaluation_runs/${run}`),
        'the list': await read(project, 'evaluation_runs'),
        'the call': await send(project.client, '/call/read', { project_id: project.id, id: run }),
      })
    },
  },
  'POST /v2/{entity}/{project}/predictions': {
    members: ['inputs', 'output'],
    run: async (project) => {
      const evals = new EvaluationClient(project)
      const run = await evals.run()
      const body = { model: evals.model, inputs: free('inputs'), output: free('output'), evaluation_run_id: run }
      const id = idIn(await send(project.client, project.v2('predictions'), body), 'prediction_id')
      await evals.finish('predictions', id)
      await evals.finish('evaluation_runs', run)
      return shown(['inputs', 'output'], {
        'the prediction': await read(project, `predictions/${id}`),
        'the list': await read(project, `predictions?evaluation_run_id=${run}`),
        'eval_results/query': await results(project, run),
      })
    },
  },
  'POST /v2/{entity}/{project}/scores': {
    members: ['value'],
    run: async (project): Promise<Shown[]> => {
      const evals = new EvaluationClient(project)
      const run = await evals.run()
      const prediction_id = await evals.predict({ evaluation_run_id: run })
      const of = { prediction_id, scorer: objectRef(project, 'exact'), evaluation_run_id: run }
      const id = idIn(await send(project.client, project.v2('scores'), { ...of, value: free('value') }), 'score_id')
      await evals.finish('predictions', prediction_id)
      return shown(['value'], {
        'the score': await read(project, `scores/${id}`),
        'the list': await read(project, `scores?evaluation_run_id=${run}`),
        'feedback/query': await send(project.client, '/feedback/query', { project_id: project.id }),
        'eval_results/query': await results(project, run),
      })
    },
  },
}
