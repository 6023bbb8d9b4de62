import { type Static, Type } from '@sinclair/typebox'
import { OpenObject } from '../../../../formats/schemas/nullable.ts'
import type { Caller } from '../../../access/caller.ts'
import { requiredQueryTexts } from '../../../requests/page-query.ts'
import { ProjectPath, projectOfPath } from '../../../requests/project-path.ts'
import type { EvaluationsServices } from '../services.ts'

export const deleteScoresRoute = {
  params: ProjectPath,
  query: OpenObject({ score_ids: requiredQueryTexts('Score ids') }),
  response: { 200: Type.Object({ num_deleted: Type.Integer() }) },
  detail: {
    operationId: 'scores.delete',
    summary: 'Delete scores',
    description:
      'Deletes the scores and the feedback created with them. `num_deleted` counts only scores that existed.',
    tags: ['Scores'],
  },
}

export const deleteScores = async (
  services: EvaluationsServices,
  caller: Caller,
  path: ProjectPath,
  query: Static<typeof deleteScoresRoute.query>,
) => ({
  num_deleted: await services.evaluations.scores.delete(caller.write(projectOfPath(path)), query.score_ids),
})
