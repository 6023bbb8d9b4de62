import { Elysia } from 'elysia'
import type { RequestContext } from '../../../requests/request-context.ts'
import type { EvaluationsServices } from '../services.ts'
import { createScore, createScoreRoute } from './create-score.ts'
import { deleteScores, deleteScoresRoute } from './delete-scores.ts'
import { listScores, listScoresRoute } from './list-scores.ts'
import { readScore, readScoreRoute } from './read-score.ts'

/** Score operations. */
export const scoresApi = (services: EvaluationsServices) =>
  new Elysia({ normalize: false })
    .decorate({} as RequestContext)
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
