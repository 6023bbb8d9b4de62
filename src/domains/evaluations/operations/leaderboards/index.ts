import type { Static } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Caller } from '../../../access/index.ts'
import { requestContext } from '../../../requests/index.ts'
import { Leaderboard, LeaderboardRequest } from '../../model/leaderboard.ts'
import type { EvaluationsServices } from '../services.ts'

const leaderboardRoute = {
  body: LeaderboardRequest,
  response: { 200: Leaderboard },
  detail: {
    operationId: 'evaluations.leaderboard',
    readOnly: true,
    summary: 'Figures of a leaderboard',
    description:
      'For each version of a model its figure in each column, with interval, number of rows, rank, and the run it is ' +
      'of: the newest finished run of the model on the evaluation. A figure that no run has is null, never 0. Also ' +
      'names the datasets and scorers of which the runs of a column have different versions.',
    tags: ['Evaluations'],
  },
}

const readLeaderboard = (
  services: EvaluationsServices,
  caller: Caller,
  { signal }: Request,
  body: Static<typeof leaderboardRoute.body>,
) => services.leaderboards.read(caller.read(body.project_id), body, signal)

/** Leaderboards of evaluations. */
export const leaderboardsApi = (services: EvaluationsServices) =>
  new Elysia({ normalize: false })
    .decorate(requestContext)
    .post(
      '/evaluations/leaderboard',
      ({ caller, request, body }) => readLeaderboard(services, caller, request, body),
      leaderboardRoute,
    )
