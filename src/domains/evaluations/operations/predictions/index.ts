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
import { Finished, Prediction, PredictionCreate } from '../../model/evaluation-runs.ts'
import type { EvaluationsServices } from '../services.ts'

const listPredictionsRoute = {
  params: ProjectPath,
  query: OpenObject({
    evaluation_run_id: Type.Optional(Type.String({ description: 'Only predictions of this evaluation run' })),
    ...pageQuery,
  }),
  detail: {
    operationId: 'predictions.list',
    summary: 'List predictions',
    description: 'Sorted by creation time, oldest first.',
    tags: ['Predictions'],
    responses: describeJsonLines('Predictions, one per line', Prediction),
  },
}

const listPredictions = (
  services: EvaluationsServices,
  caller: Caller,
  path: ProjectPath,
  query: Static<typeof listPredictionsRoute.query>,
) => {
  const reader = caller.read(projectOfPath(path))
  return jsonLinesResponse(services.streams, (signal) =>
    services.evaluations.predictions.jsonLines(reader, query, signal),
  )
}

const deletePredictionsRoute = {
  params: ProjectPath,
  query: OpenObject({ prediction_ids: requiredQueryTexts('Prediction ids') }),
  response: { 200: Type.Object({ num_deleted: Type.Integer() }) },
  detail: {
    operationId: 'predictions.delete',
    summary: 'Delete predictions',
    description: 'Deletes the predictions and their scores. `num_deleted` counts only predictions that existed.',
    tags: ['Predictions'],
  },
}

const deletePredictions = async (
  services: EvaluationsServices,
  caller: Caller,
  path: ProjectPath,
  query: Static<typeof deletePredictionsRoute.query>,
) => ({
  num_deleted: await services.evaluations.predictions.delete(caller.write(projectOfPath(path)), query.prediction_ids),
})

const finishPredictionRoute = {
  params: Type.Composite([ProjectPath, Type.Object({ prediction_id: Type.String() })]),
  response: { 200: Finished },
  detail: {
    operationId: 'predictions.finish',
    idempotencyKey: true,
    summary: 'Finish a prediction',
    description:
      'In an evaluation run, the trial gets the prediction and its scores as output. Finishing again includes ' +
      'scores added later.',
    tags: ['Predictions'],
  },
}

async function finishPrediction(
  services: EvaluationsServices,
  caller: Caller,
  path: Static<typeof finishPredictionRoute.params>,
) {
  await services.evaluations.predictions.finish(caller.write(projectOfPath(path)), path.prediction_id)
  return { success: true }
}

const createPredictionRoute = {
  params: ProjectPath,
  body: PredictionCreate,
  response: { 200: Type.Object({ prediction_id: Type.String() }) },
  detail: {
    operationId: 'predictions.create',
    idempotencyKey: true,
    summary: 'Create a prediction',
    description:
      'Records the output of a model for given inputs. A prediction in an evaluation run is one of its trials.',
    tags: ['Predictions'],
  },
}

const createPrediction = async (
  services: EvaluationsServices,
  caller: Caller,
  path: ProjectPath,
  body: Static<typeof createPredictionRoute.body>,
) => ({ prediction_id: await services.evaluations.predictions.create(caller.write(projectOfPath(path)), body) })

const readPredictionRoute = {
  params: Type.Composite([ProjectPath, Type.Object({ prediction_id: Type.String() })]),
  response: { 200: Prediction },
  detail: {
    operationId: 'predictions.read',
    summary: 'Get a prediction',
    tags: ['Predictions'],
  },
}

const readPrediction = async (
  services: EvaluationsServices,
  caller: Caller,
  path: Static<typeof readPredictionRoute.params>,
) => jsonTextResponse(await services.evaluations.predictions.read(caller.read(projectOfPath(path)), path.prediction_id))

/** Prediction operations. */
export const predictionsApi = (services: EvaluationsServices) =>
  new Elysia({ normalize: false })
    .decorate(requestContext)
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
