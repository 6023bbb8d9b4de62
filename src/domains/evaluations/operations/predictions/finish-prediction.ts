import { type Static, Type } from '@sinclair/typebox'
import type { Caller } from '../../../access/caller.ts'
import { ProjectPath, projectOfPath } from '../../../requests/project-path.ts'
import { Finished } from '../../model/evaluation-runs.ts'
import type { EvaluationsServices } from '../services.ts'

export const finishPredictionRoute = {
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

export async function finishPrediction(
  services: EvaluationsServices,
  caller: Caller,
  path: Static<typeof finishPredictionRoute.params>,
) {
  await services.evaluations.predictions.finish(caller.write(projectOfPath(path)), path.prediction_id)
  return { success: true }
}
