import { Elysia } from 'elysia'
import type { RequestContext } from '../../../requests/request-context.ts'
import type { EvaluationsServices } from '../services.ts'
import { createPrediction, createPredictionRoute } from './create-prediction.ts'
import { deletePredictions, deletePredictionsRoute } from './delete-predictions.ts'
import { finishPrediction, finishPredictionRoute } from './finish-prediction.ts'
import { listPredictions, listPredictionsRoute } from './list-predictions.ts'
import { readPrediction, readPredictionRoute } from './read-prediction.ts'

/** Prediction operations. */
export const predictionsApi = (services: EvaluationsServices) =>
  new Elysia({ normalize: false })
    .decorate({} as RequestContext)
    .post(
      '/v2/:entity/:project/predictions',
      ({ caller, params, body }) => createPrediction(services, caller, params, body),
      createPredictionRoute,
    )
    .get(
      '/v2/:entity/:project/predictions',
      ({ caller, params, query }) => listPredictions(services, caller, params, query),
      listPredictionsRoute,
    )
    .get(
      '/v2/:entity/:project/predictions/:prediction_id',
      ({ caller, params }) => readPrediction(services, caller, params),
      readPredictionRoute,
    )
    .post(
      '/v2/:entity/:project/predictions/:prediction_id/finish',
      ({ caller, params }) => finishPrediction(services, caller, params),
      finishPredictionRoute,
    )
    .delete(
      '/v2/:entity/:project/predictions',
      ({ caller, params, query }) => deletePredictions(services, caller, params, query),
      deletePredictionsRoute,
    )
