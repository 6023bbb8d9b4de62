import { type Static, Type } from '@sinclair/typebox'
import { OpenObject } from '../../../../formats/schemas/nullable.ts'
import { ProjectId } from '../../../../lib/project-id.ts'
import type { Caller } from '../../../access/caller.ts'
import { EvaluationStatus } from '../../model/evaluation-status.ts'
import type { EvaluationsServices } from '../services.ts'

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
  services: EvaluationsServices,
  caller: Caller,
  { project_id, call_id }: Static<typeof evaluationStatusRoute.body>,
) {
  return { status: await services.evaluationEngine.status(caller.read(project_id), call_id) }
}
