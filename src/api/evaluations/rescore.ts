import { type Static, Type } from '@sinclair/typebox'
import type { Caller } from '../../foundation/access/caller.ts'
import { ProjectId } from '../../kernel/project-id.ts'
import { Nullable, OpenObject } from '../../model/nullable.ts'
import type { Services } from '../../services.ts'

export const rescoreRoute = {
  body: OpenObject({
    project_id: ProjectId,
    source_evaluation_run_id: Type.String({ description: 'run whose predictions are scored again' }),
    scorer_refs: Type.Array(Type.String(), { minItems: 1, description: 'refs of scorers' }),
    ext_user_id: Nullable(Type.String({ description: 'Filled in by the server' })),
  }),
  response: { 200: Type.Object({ call_id: Type.String(), evaluation_run_id: Type.String() }) },
  detail: {
    operationId: 'evaluations.rescore',
    summary: 'Score an evaluation run again',
    description:
      'Makes a run of its own with the predictions of an earlier one and the scores of other scorers; the model is not asked again. Both ids of ' +
      'the answer are that of the new run.',
    tags: ['Evaluations'],
  },
}

export async function startRescoring(
  services: Services,
  caller: Caller,
  { project_id, source_evaluation_run_id, scorer_refs }: Static<typeof rescoreRoute.body>,
) {
  const request = { source_evaluation_run_id, scorer_refs }
  const id = await services.evaluationEngine.rescore(caller, caller.write(project_id), request)
  return { call_id: id, evaluation_run_id: id }
}
