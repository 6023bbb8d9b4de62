import { type Static, Type } from '@sinclair/typebox'
import type { Caller } from '../../../access/caller.ts'
import { jsonTextResponse } from '../../../requests/json-lines.ts'
import { ProjectPath, projectOfPath } from '../../../requests/project-path.ts'
import { Score } from '../../model/evaluation-runs.ts'
import type { EvaluationsServices } from '../services.ts'

export const readScoreRoute = {
  params: Type.Composite([ProjectPath, Type.Object({ score_id: Type.String() })]),
  response: { 200: Score },
  detail: {
    operationId: 'scores.read',
    summary: 'Get a score',
    tags: ['Scores'],
  },
}

export const readScore = async (
  services: EvaluationsServices,
  caller: Caller,
  path: Static<typeof readScoreRoute.params>,
) => jsonTextResponse(await services.evaluations.scores.read(caller.read(projectOfPath(path)), path.score_id))
