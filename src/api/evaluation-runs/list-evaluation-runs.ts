import type { Static } from '@sinclair/typebox'
import type { Caller } from '../../foundation/access/caller.ts'
import { EvaluationRun } from '../../model/evaluation-runs.ts'
import { OpenObject } from '../../model/nullable.ts'
import type { Services } from '../../services.ts'
import { describeJsonLines, jsonLinesResponse } from '../json-lines.ts'
import { pageQuery, queryTexts } from '../page-query.ts'
import { ProjectPath, projectOfPath } from '../project-path.ts'

export const listEvaluationRunsRoute = {
  params: ProjectPath,
  query: OpenObject({
    evaluations: queryTexts('Evaluation refs'),
    models: queryTexts('Model refs'),
    evaluation_run_ids: queryTexts('Run ids'),
    ...pageQuery,
  }),
  detail: {
    operationId: 'evaluationRuns.list',
    summary: 'List evaluation runs',
    description: 'Sorted by creation time, oldest first.',
    tags: ['Evaluation Runs'],
    responses: describeJsonLines('Evaluation runs, one per line', EvaluationRun),
  },
}

export const listEvaluationRuns = (
  services: Services,
  caller: Caller,
  path: ProjectPath,
  query: Static<typeof listEvaluationRunsRoute.query>,
) => {
  const reader = caller.read(projectOfPath(path))
  return jsonLinesResponse(services.streams, (signal) => services.evaluations.runs.jsonLines(reader, query, signal))
}
