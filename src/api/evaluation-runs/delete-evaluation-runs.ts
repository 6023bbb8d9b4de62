import { type Static, Type } from '@sinclair/typebox'
import type { Caller } from '../../foundation/access/caller.ts'
import { OpenObject } from '../../model/nullable.ts'
import type { Services } from '../../services.ts'
import { requiredQueryTexts } from '../page-query.ts'
import { ProjectPath, projectOfPath } from '../project-path.ts'

export const deleteEvaluationRunsRoute = {
  params: ProjectPath,
  query: OpenObject({ evaluation_run_ids: requiredQueryTexts('Ids of evaluation runs') }),
  response: { 200: Type.Object({ num_deleted: Type.Integer() }) },
  detail: {
    operationId: 'evaluationRuns.delete',
    summary: 'Delete evaluation runs',
    description: 'Deletes the runs with all their predictions and scores. `num_deleted` counts only runs that existed.',
    tags: ['Evaluation Runs'],
  },
}

export const deleteEvaluationRuns = async (
  services: Services,
  caller: Caller,
  path: ProjectPath,
  query: Static<typeof deleteEvaluationRunsRoute.query>,
) => ({
  num_deleted: await services.evaluations.runs.delete(caller.write(projectOfPath(path)), query.evaluation_run_ids),
})
