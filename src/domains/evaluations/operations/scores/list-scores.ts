import { type Static, Type } from '@sinclair/typebox'
import { OpenObject } from '../../../../formats/schemas/nullable.ts'
import type { Caller } from '../../../access/caller.ts'
import { describeJsonLines, jsonLinesResponse } from '../../../requests/json-lines.ts'
import { pageQuery } from '../../../requests/page-query.ts'
import { ProjectPath, projectOfPath } from '../../../requests/project-path.ts'
import { Score } from '../../model/evaluation-runs.ts'
import type { EvaluationsServices } from '../services.ts'

export const listScoresRoute = {
  params: ProjectPath,
  query: OpenObject({
    evaluation_run_id: Type.Optional(Type.String({ description: 'Only scores of this evaluation run' })),
    ...pageQuery,
  }),
  detail: {
    operationId: 'scores.list',
    summary: 'List scores',
    description: 'Sorted by creation time, oldest first.',
    tags: ['Scores'],
    responses: describeJsonLines('Scores, one per line', Score),
  },
}

export const listScores = (
  services: EvaluationsServices,
  caller: Caller,
  path: ProjectPath,
  query: Static<typeof listScoresRoute.query>,
) => {
  const reader = caller.read(projectOfPath(path))
  return jsonLinesResponse(services.streams, (signal) => services.evaluations.scores.jsonLines(reader, query, signal))
}
