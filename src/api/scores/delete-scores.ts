import { type Static, Type } from '@sinclair/typebox'
import type { Caller } from '../../foundation/access/caller.ts'
import { OpenObject } from '../../model/nullable.ts'
import type { Services } from '../../services.ts'
import { requiredQueryTexts } from '../page-query.ts'
import { ProjectPath, projectOfPath } from '../project-path.ts'

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
  services: Services,
  caller: Caller,
  path: ProjectPath,
  query: Static<typeof deleteScoresRoute.query>,
) => ({
  num_deleted: await services.evaluations.scores.delete(caller.write(projectOfPath(path)), query.score_ids),
})
