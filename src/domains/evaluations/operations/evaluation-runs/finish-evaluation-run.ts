import { type Static, Type } from '@sinclair/typebox'
import { FreeObject, Nullable, OpenObject } from '../../../../formats/schemas/nullable.ts'
import type { Caller } from '../../../access/caller.ts'
import { ProjectPath, projectOfPath } from '../../../requests/project-path.ts'
import { Finished } from '../../model/evaluation-runs.ts'
import type { EvaluationsServices } from '../services.ts'

export const finishEvaluationRunRoute = {
  params: Type.Composite([ProjectPath, Type.Object({ evaluation_run_id: Type.String() })]),
  body: OpenObject({ summary: Nullable(FreeObject) }),
  response: { 200: Finished },
  detail: {
    operationId: 'evaluationRuns.finish',
    idempotencyKey: true,
    summary: 'Finish an evaluation run',
    description:
      'Summarizes the scores of all trials. Finishing a run again recomputes the summary. Runs executed by the ' +
      'server cannot be finished while they are in progress.',
    tags: ['Evaluation Runs'],
  },
}

export async function finishEvaluationRun(
  services: EvaluationsServices,
  caller: Caller,
  path: Static<typeof finishEvaluationRunRoute.params>,
  body: Static<typeof finishEvaluationRunRoute.body>,
) {
  await services.evaluations.runs.finish(caller.write(projectOfPath(path)), path.evaluation_run_id, body.summary)
  return { success: true }
}
