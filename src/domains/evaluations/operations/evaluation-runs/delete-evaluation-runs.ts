import { type Static, Type } from '@sinclair/typebox'
import { OpenObject } from '../../../../formats/schemas/nullable.ts'
import type { Caller } from '../../../access/caller.ts'
import { requiredQueryTexts } from '../../../requests/page-query.ts'
import { ProjectPath, projectOfPath } from '../../../requests/project-path.ts'
import type { EvaluationsServices } from '../services.ts'

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
  services: EvaluationsServices,
  caller: Caller,
  path: ProjectPath,
  query: Static<typeof deleteEvaluationRunsRoute.query>,
) => ({
  num_deleted: await services.evaluations.runs.delete(caller.write(projectOfPath(path)), query.evaluation_run_ids),
})
