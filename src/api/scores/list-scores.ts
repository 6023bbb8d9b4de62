import { type Static, Type } from '@sinclair/typebox'
import type { Caller } from '../../foundation/access/caller.ts'
import { Score } from '../../model/evaluation-runs.ts'
import { OpenObject } from '../../model/nullable.ts'
import type { Services } from '../../services.ts'
import { describeJsonLines, jsonLinesResponse } from '../json-lines.ts'
import { pageQuery } from '../page-query.ts'
import { ProjectPath, projectOfPath } from '../project-path.ts'

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
  services: Services,
  caller: Caller,
  path: ProjectPath,
  query: Static<typeof listScoresRoute.query>,
) => {
  const reader = caller.read(projectOfPath(path))
  return jsonLinesResponse(services.streams, (signal) => services.evaluations.scores.jsonLines(reader, query, signal))
}
