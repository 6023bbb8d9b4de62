import { type Static, Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { ProjectPath, projectOfPath } from '../../../../formats/body/project-path.ts'
import { OpenObject } from '../../../../formats/schemas/members.ts'
import type { Caller } from '../../../access/index.ts'
import {
  describeJsonLines,
  jsonLinesResponse,
  jsonTextResponse,
  pageQuery,
  requestContext,
  requiredQueryTexts,
} from '../../../requests/index.ts'
import { Score, ScoreCreate } from '../../model/evaluation-runs.ts'
import type { EvaluationsServices } from '../services.ts'

const listScoresRoute = {
  params: ProjectPath,
  query: OpenObject({
    evaluation_run_id: Type.Optional(Type.String({ description: 'Only scores of this evaluation run' })),
    ...pageQuery,
  }),
  detail: {
    operationId: 'scores.list',
    summary: 'List scores',
    description: 'Sorted by creation time, oldest first.',
    tags: ['Scores'],
    responses: describeJsonLines('Scores, one per line', Score),
  },
}

const listScores = (
  services: EvaluationsServices,
  caller: Caller,
  path: ProjectPath,
  query: Static<typeof listScoresRoute.query>,
) => {
  const reader = caller.read(projectOfPath(path))
  return jsonLinesResponse(services.streams, (signal) => services.evaluations.scores.jsonLines(reader, query, signal))
}

const deleteScoresRoute = {
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

const deleteScores = async (
  services: EvaluationsServices,
  caller: Caller,
  path: ProjectPath,
  query: Static<typeof deleteScoresRoute.query>,
) => ({
  num_deleted: await services.evaluations.scores.delete(caller.write(projectOfPath(path)), query.score_ids),
})

const createScoreRoute = {
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

const createScore = async (
  services: EvaluationsServices,
  caller: Caller,
  path: ProjectPath,
  body: Static<typeof createScoreRoute.body>,
) => ({ score_id: await services.evaluations.scores.create(caller.write(projectOfPath(path)), body) })

const readScoreRoute = {
  params: Type.Composite([ProjectPath, Type.Object({ score_id: Type.String() })]),
  response: { 200: Score },
  detail: {
    operationId: 'scores.read',
    summary: 'Get a score',
    tags: ['Scores'],
  },
}

const readScore = async (services: EvaluationsServices, caller: Caller, path: Static<typeof readScoreRoute.params>) =>
  jsonTextResponse(await services.evaluations.scores.read(caller.read(projectOfPath(path)), path.score_id))

/** Score operations. */
export const scoresApi = (services: EvaluationsServices) =>
  new Elysia({ normalize: false })
    .decorate(requestContext)
    .post(
      '/v2/:entity/:project/scores',
      ({ caller, params, body }) => createScore(services, caller, params, body),
      createScoreRoute,
    )
    .get(
      '/v2/:entity/:project/scores',
      ({ caller, params, query }) => listScores(services, caller, params, query),
      listScoresRoute,
    )
    .get(
      '/v2/:entity/:project/scores/:score_id',
      ({ caller, params }) => readScore(services, caller, params),
      readScoreRoute,
    )
    .delete(
      '/v2/:entity/:project/scores',
      ({ caller, params, query }) => deleteScores(services, caller, params, query),
      deleteScoresRoute,
    )
