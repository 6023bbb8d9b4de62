import { type Static, Type } from '@sinclair/typebox'
import { Empty } from '../../../../formats/schemas/empty.ts'
import { OpenObject } from '../../../../formats/schemas/nullable.ts'
import { ProjectId } from '../../../../lib/project-id.ts'
import type { Caller } from '../../../access/caller.ts'
import type { EvaluationsServices } from '../services.ts'

export const cancelEvaluationRoute = {
  body: OpenObject({ project_id: ProjectId, call_id: Type.String({ description: 'Id of the evaluation run' }) }),
  response: { 200: Empty },
  detail: {
    operationId: 'evaluations.cancel',
    idempotencyKey: true,
    summary: 'Cancel an evaluation',
    description:
      'For evaluations executed by the server. Completed trials are kept, and the call of the run ends with the ' +
      'exception "Cancelled".',
    tags: ['Evaluations'],
  },
}

export async function cancelEvaluation(
  services: EvaluationsServices,
  caller: Caller,
  { project_id, call_id }: Static<typeof cancelEvaluationRoute.body>,
) {
  await services.evaluationEngine.cancel(caller.write(project_id), call_id)
  return {}
}
