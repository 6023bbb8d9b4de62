import { type Static, Type } from '@sinclair/typebox'
import type { Caller } from '../../foundation/access/caller.ts'
import { Prediction } from '../../model/evaluation-runs.ts'
import type { Services } from '../../services.ts'
import { jsonTextResponse } from '../json-lines.ts'
import { ProjectPath, projectOfPath } from '../project-path.ts'

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
  services: Services,
  caller: Caller,
  path: Static<typeof readPredictionRoute.params>,
) => jsonTextResponse(await services.evaluations.predictions.read(caller.read(projectOfPath(path)), path.prediction_id))
