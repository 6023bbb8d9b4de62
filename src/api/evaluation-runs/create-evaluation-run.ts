import { type Static, Type } from '@sinclair/typebox'
import type { Caller } from '../../foundation/access/caller.ts'
import { EvaluationRunCreate } from '../../model/evaluation-runs.ts'
import type { Services } from '../../services.ts'
import { ProjectPath, projectOfPath } from '../project-path.ts'

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
  services: Services,
  caller: Caller,
  path: ProjectPath,
  body: Static<typeof createEvaluationRunRoute.body>,
) => ({ evaluation_run_id: await services.evaluations.runs.create(caller.write(projectOfPath(path)), body) })
