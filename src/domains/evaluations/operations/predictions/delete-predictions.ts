import { type Static, Type } from '@sinclair/typebox'
import { OpenObject } from '../../../../formats/schemas/nullable.ts'
import type { Caller } from '../../../access/caller.ts'
import { requiredQueryTexts } from '../../../requests/page-query.ts'
import { ProjectPath, projectOfPath } from '../../../requests/project-path.ts'
import type { EvaluationsServices } from '../services.ts'

export const deletePredictionsRoute = {
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

export const deletePredictions = async (
  services: EvaluationsServices,
  caller: Caller,
  path: ProjectPath,
  query: Static<typeof deletePredictionsRoute.query>,
) => ({
  num_deleted: await services.evaluations.predictions.delete(caller.write(projectOfPath(path)), query.prediction_ids),
})
