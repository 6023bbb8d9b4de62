import { type Static, Type } from '@sinclair/typebox'
import type { Caller } from '../../../access/caller.ts'
import { ProjectPath, projectOfPath } from '../../../requests/project-path.ts'
import { EvaluationRunCreate } from '../../model/evaluation-runs.ts'
import type { EvaluationsServices } from '../services.ts'

export const createEvaluationRunRoute = {
  params: ProjectPath,
  body: EvaluationRunCreate,
  response: { 200: Type.Object({ evaluation_run_id: Type.String() }) },
  detail: {
    operationId: 'evaluationRuns.create',
    idempotencyKey: true,
    summary: 'Create an evaluation run',
    description: 'The run is durable and visible as running when the response arrives. Refs are not resolved.',
    tags: ['Evaluation Runs'],
  },
}

export const createEvaluationRun = async (
  services: EvaluationsServices,
  caller: Caller,
  path: ProjectPath,
  body: Static<typeof createEvaluationRunRoute.body>,
) => ({ evaluation_run_id: await services.evaluations.runs.create(caller.write(projectOfPath(path)), body) })
