import { type Static, Type } from '@sinclair/typebox'
import { OpenObject } from '../../../../formats/schemas/nullable.ts'
import type { Caller } from '../../../access/caller.ts'
import { describeJsonLines, jsonLinesResponse } from '../../../requests/json-lines.ts'
import { pageQuery } from '../../../requests/page-query.ts'
import { ProjectPath, projectOfPath } from '../../../requests/project-path.ts'
import { Prediction } from '../../model/evaluation-runs.ts'
import type { EvaluationsServices } from '../services.ts'

export const listPredictionsRoute = {
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

export const listPredictions = (
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
