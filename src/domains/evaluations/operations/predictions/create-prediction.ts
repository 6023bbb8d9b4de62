import { type Static, Type } from '@sinclair/typebox'
import type { Caller } from '../../../access/caller.ts'
import { ProjectPath, projectOfPath } from '../../../requests/project-path.ts'
import { PredictionCreate } from '../../model/evaluation-runs.ts'
import type { EvaluationsServices } from '../services.ts'

export const createPredictionRoute = {
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

export const createPrediction = async (
  services: EvaluationsServices,
  caller: Caller,
  path: ProjectPath,
  body: Static<typeof createPredictionRoute.body>,
) => ({ prediction_id: await services.evaluations.predictions.create(caller.write(projectOfPath(path)), body) })
