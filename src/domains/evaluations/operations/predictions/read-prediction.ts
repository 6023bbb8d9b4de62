import { type Static, Type } from '@sinclair/typebox'
import type { Caller } from '../../../access/caller.ts'
import { jsonTextResponse } from '../../../requests/json-lines.ts'
import { ProjectPath, projectOfPath } from '../../../requests/project-path.ts'
import { Prediction } from '../../model/evaluation-runs.ts'
import type { EvaluationsServices } from '../services.ts'

export const readPredictionRoute = {
  params: Type.Composite([ProjectPath, Type.Object({ prediction_id: Type.String() })]),
  response: { 200: Prediction },
  detail: {
    operationId: 'predictions.read',
    summary: 'Get a prediction',
    tags: ['Predictions'],
  },
}

export const readPrediction = async (
  services: EvaluationsServices,
  caller: Caller,
  path: Static<typeof readPredictionRoute.params>,
) => jsonTextResponse(await services.evaluations.predictions.read(caller.read(projectOfPath(path)), path.prediction_id))
