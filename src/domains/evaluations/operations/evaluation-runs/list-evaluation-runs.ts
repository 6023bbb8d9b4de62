import type { Static } from '@sinclair/typebox'
import { OpenObject } from '../../../../formats/schemas/nullable.ts'
import type { Caller } from '../../../access/caller.ts'
import { describeJsonLines, jsonLinesResponse } from '../../../requests/json-lines.ts'
import { pageQuery, queryTexts } from '../../../requests/page-query.ts'
import { ProjectPath, projectOfPath } from '../../../requests/project-path.ts'
import { EvaluationRun } from '../../model/evaluation-runs.ts'
import type { EvaluationsServices } from '../services.ts'

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
  services: EvaluationsServices,
  caller: Caller,
  path: ProjectPath,
  query: Static<typeof listEvaluationRunsRoute.query>,
) => {
  const reader = caller.read(projectOfPath(path))
  return jsonLinesResponse(services.streams, (signal) => services.evaluations.runs.jsonLines(reader, query, signal))
}
