import { describe, expect, test } from 'bun:test'
import { queryResults, sendResults } from '../support/eval-results.ts'
import { EvaluationClient } from '../support/evaluations.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const server = await sharedServer()

/** JSON whose numbers and order no other JSON text than itself has. */
const value = '{"z":[1.10,1e3,-0.0,0.12345678901234567890],"10":12345678901234567890123,"2":"1.10"}'

/**
 * A run with one trial, its score and a late one, all of them `value`; raw texts go in as they are.
 */
async function runWithTrial(row: string): Promise<{ evals: EvaluationClient; run: string }> {
  const evals = new EvaluationClient(freshProject(server))
  const run = await evals.run()
  const send = async <T>(tail: string, members: string): Promise<T> => {
    const answer = await server.postRaw<T>(evals.project.v2(tail), `{"evaluation_run_id":"${run}",${members}}`)
    if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`)
    return answer.json
  }
  const predicting = `"model":"${evals.model}","inputs":${row},"output":${value}`
  const { prediction_id: id } = await send<{ prediction_id: string }>('predictions', predicting)
  const score = (name: string, text: string) => {
    const scorer = `ext:///${evals.project.id}/object/${name}:v1`
    return send('scores', `"prediction_id":"${id}","scorer":"${scorer}","value":${text}`)
  }
  await score('exact', value)
  await evals.finish('predictions', id)
  await score('late', '2.50')
  return { evals, run }
}

describe('eval_results/query: user data is returned verbatim', () => {
  test.each([true, false])('outputs and scores (with children: %p)', async (include_predict_and_score_children) => {
    const { evals, run } = await runWithTrial('{"q":1}')
    const { text } = await sendResults(evals.project, [run], { include_predict_and_score_children })
    expect(text).toContain(`"model_output":${value},`)
    expect(text).toContain(`"scores":{"exact":${value}${include_predict_and_score_children ? ',"late":2.50' : ''}}`)
  })

  test('rows stored in the trial', async () => {
    const row = `{"q":${value},"1":1.0}`
    const { evals, run } = await runWithTrial(row)
    for (const resolve_row_refs of [false, true]) {
      const { text } = await sendResults(evals.project, [run], { include_raw_data_rows: true, resolve_row_refs })
      expect(text).toContain(`"raw_data_row":${row},`)
    }
  })

  test('plain numbers are unchanged', async () => {
    const evals = new EvaluationClient(freshProject(server))
    const run = await evals.run()
    await evals.trial(run, { q: 1 }, [1, 2.5, 'é'], { exact: 0.5 })
    const { rows } = await queryResults(evals.project, [run], { include_raw_data_rows: true })
    expect(rows).toMatchObject([
      { raw_data_row: { q: 1 }, evaluations: [{ trials: [{ model_output: [1, 2.5, 'é'], scores: { exact: 0.5 } }] }] },
    ])
  })
})
