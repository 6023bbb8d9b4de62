import { type Static, Type } from '@sinclair/typebox'
import type { Caller } from '../../foundation/access/caller.ts'
import { OpenObject } from '../../model/nullable.ts'
import type { Services } from '../../services.ts'
import { requiredQueryTexts } from '../page-query.ts'
import { ProjectPath, projectOfPath } from '../project-path.ts'

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
  services: Services,
  caller: Caller,
  path: ProjectPath,
  query: Static<typeof deletePredictionsRoute.query>,
) => ({
  num_deleted: await services.evaluations.predictions.delete(caller.write(projectOfPath(path)), query.prediction_ids),
})
