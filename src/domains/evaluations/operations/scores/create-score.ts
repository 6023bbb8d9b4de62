import { type Static, Type } from '@sinclair/typebox'
import type { Caller } from '../../../access/caller.ts'
import { ProjectPath, projectOfPath } from '../../../requests/project-path.ts'
import { ScoreCreate } from '../../model/evaluation-runs.ts'
import type { EvaluationsServices } from '../services.ts'

export const createScoreRoute = {
  params: ProjectPath,
  body: ScoreCreate,
  response: { 200: Type.Object({ score_id: Type.String() }) },
  detail: {
    operationId: 'scores.create',
    idempotencyKey: true,
    summary: 'Create a score',
    description: 'Also creates feedback of type `ext.runnable.<scorer>` on the prediction.',
    tags: ['Scores'],
  },
}

export const createScore = async (
  services: EvaluationsServices,
  caller: Caller,
  path: ProjectPath,
  body: Static<typeof createScoreRoute.body>,
) => ({ score_id: await services.evaluations.scores.create(caller.write(projectOfPath(path)), body) })
