import { type Static, Type } from '@sinclair/typebox'
import type { Caller } from '../../foundation/access/caller.ts'
import { Prediction } from '../../model/evaluation-runs.ts'
import { OpenObject } from '../../model/nullable.ts'
import type { Services } from '../../services.ts'
import { describeJsonLines, jsonLinesResponse } from '../json-lines.ts'
import { pageQuery } from '../page-query.ts'
import { ProjectPath, projectOfPath } from '../project-path.ts'

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
  services: Services,
  caller: Caller,
  path: ProjectPath,
  query: Static<typeof listPredictionsRoute.query>,
) => {
  const reader = caller.read(projectOfPath(path))
  return jsonLinesResponse(services.streams, (signal) =>
    services.evaluations.predictions.jsonLines(reader, query, signal),
  )
}
