import { post } from '../api/client.ts'
import { storeObject } from './store-object.ts'

/** Stores a leaderboard over all versions of an evaluation. @throws {Problem} */
export async function storeLeaderboard(projectId: string, evaluation: string): Promise<void> {
  const column = (scorer_name: string, summary_metric_path: string) => ({
    evaluation_object_ref: `ext:///${projectId}/object/${evaluation}:*`,
    scorer_name,
    summary_metric_path,
    should_minimize: false,
  })
  const description = 'Models and prompts on the requests of travellers, each by its newest finished run.'
  const columns = [
    column('solved', 'contains.true_fraction'),
    column('names_amount', 'match.true_fraction'),
    column('policy_judge', 'grade.mean'),
  ]
  await storeObject(projectId, 'airline-agents', { name: 'Airline agents', description, columns }, 'Leaderboard')
}

/** What people say of answers. */
const followsPolicy = {
  name: 'follows_policy',
  description: 'Does the answer follow the policy?',
  field_schema: { type: 'boolean' },
}

/** Predictions in a row that nobody has labelled. */
const unlabelledEvery = 19

/**
 * Stores what people say of the predictions of a run: whether they follow the policy. Of seven they
 * see one otherwise than the judge.
 *
 * @param calls of the run
 * @throws {Problem}
 */
export async function storeHumanLabels(projectId: string, calls: readonly object[]): Promise<void> {
  const { name } = followsPolicy
  const annotation_ref = await storeObject(projectId, name, followsPolicy, 'AnnotationSpec')
  const judged = calls.flatMap((call) => {
    const id = memberAt(call, ['attributes', 'ext', 'predict_call_id'])
    const grade = memberAt(call, ['output', 'scores', 'policy_judge', 'grade'])
    return typeof id === 'string' && typeof grade === 'number' ? [{ id, grade }] : []
  })
  const batch = judged.flatMap(({ id, grade }, index) =>
    index % unlabelledEvery === 3
      ? []
      : {
          project_id: projectId,
          ext_ref: `ext:///${projectId}/call/${id}`,
          feedback_type: `ext.annotation.${name}`,
          payload: { value: index % 7 === 2 ? grade < 4 : grade >= 4 },
          annotation_ref,
          creator: index % 2 === 0 ? 'Ana' : 'Noah',
        },
  )
  await post('/feedback/batch/create', { batch })
}

const memberAt = (value: unknown, path: readonly string[]): unknown =>
  path.reduce((at: unknown, name) => Object(at)[name], value)
