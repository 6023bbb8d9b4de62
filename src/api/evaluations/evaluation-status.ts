import { type Static, Type } from '@sinclair/typebox'
import type { Caller } from '../../foundation/access/caller.ts'
import { ProjectId } from '../../kernel/project-id.ts'
import { EvaluationStatus } from '../../model/evaluation-status.ts'
import { OpenObject } from '../../model/nullable.ts'
import type { Services } from '../../services.ts'

export const evaluationStatusRoute = {
  body: OpenObject({ project_id: ProjectId, call_id: Type.String({ description: 'Id of the evaluation run' }) }),
  response: { 200: Type.Object({ status: EvaluationStatus }) },
  detail: {
    operationId: 'evaluations.status',
    readOnly: true,
    summary: 'Get the status of an evaluation',
    description: 'Covers evaluations executed by the server and evaluations traced by clients.',
    tags: ['Evaluations'],
  },
}

export async function readEvaluationStatus(
  services: Services,
  caller: Caller,
  { project_id, call_id }: Static<typeof evaluationStatusRoute.body>,
) {
  return { status: await services.evaluationEngine.status(caller.read(project_id), call_id) }
}
