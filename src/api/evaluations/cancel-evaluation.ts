import { type Static, Type } from '@sinclair/typebox'
import type { Caller } from '../../foundation/access/caller.ts'
import { ProjectId } from '../../kernel/project-id.ts'
import { Empty } from '../../model/empty.ts'
import { OpenObject } from '../../model/nullable.ts'
import type { Services } from '../../services.ts'

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
  services: Services,
  caller: Caller,
  { project_id, call_id }: Static<typeof cancelEvaluationRoute.body>,
) {
  await services.evaluationEngine.cancel(caller.write(project_id), call_id)
  return {}
}
