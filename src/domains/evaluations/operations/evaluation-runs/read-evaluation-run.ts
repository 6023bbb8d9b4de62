import { type Static, Type } from '@sinclair/typebox'
import type { Caller } from '../../../access/caller.ts'
import { jsonTextResponse } from '../../../requests/json-lines.ts'
import { ProjectPath, projectOfPath } from '../../../requests/project-path.ts'
import { EvaluationRun } from '../../model/evaluation-runs.ts'
import type { EvaluationsServices } from '../services.ts'

export const readEvaluationRunRoute = {
  params: Type.Composite([ProjectPath, Type.Object({ evaluation_run_id: Type.String() })]),
  response: { 200: EvaluationRun },
  detail: {
    operationId: 'evaluationRuns.read',
    summary: 'Get an evaluation run',
    description: 'Also returns evaluations traced by a client SDK.',
    tags: ['Evaluation Runs'],
  },
}

export const readEvaluationRun = async (
  services: EvaluationsServices,
  caller: Caller,
  path: Static<typeof readEvaluationRunRoute.params>,
) => jsonTextResponse(await services.evaluations.runs.read(caller.read(projectOfPath(path)), path.evaluation_run_id))
