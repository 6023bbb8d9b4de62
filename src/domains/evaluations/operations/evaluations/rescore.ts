import { type Static, Type } from '@sinclair/typebox'
import { Nullable, OpenObject } from '../../../../formats/schemas/nullable.ts'
import { ProjectId } from '../../../../lib/project-id.ts'
import type { Caller } from '../../../access/caller.ts'
import type { EvaluationsServices } from '../services.ts'

export const rescoreRoute = {
  body: OpenObject({
    project_id: ProjectId,
    source_evaluation_run_id: Type.String({ description: 'Evaluation run whose predictions are scored again' }),
    scorer_refs: Type.Array(Type.String(), { minItems: 1, description: 'Scorer refs' }),
    ext_user_id: Nullable(Type.String({ description: 'Set by the server' })),
  }),
  response: { 200: Type.Object({ call_id: Type.String(), evaluation_run_id: Type.String() }) },
  detail: {
    operationId: 'evaluations.rescore',
    idempotencyKey: true,
    summary: 'Re-score an evaluation run',
    description:
      'Creates a new run from the predictions of an earlier one with other scorers; the model is not ' +
      'called again. Both ids in the response are the id of the new run.',
    tags: ['Evaluations'],
  },
}

export async function startRescoring(
  services: EvaluationsServices,
  caller: Caller,
  { project_id, source_evaluation_run_id, scorer_refs }: Static<typeof rescoreRoute.body>,
) {
  const request = { source_evaluation_run_id, scorer_refs }
  const id = await services.evaluationEngine.rescore(caller, caller.write(project_id), request)
  return { call_id: id, evaluation_run_id: id }
}
