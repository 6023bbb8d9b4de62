import { type Static, Type } from '@sinclair/typebox'
import type { Caller } from '../../foundation/access/caller.ts'
import { Finished } from '../../model/evaluation-runs.ts'
import { FreeObject, Nullable, OpenObject } from '../../model/nullable.ts'
import type { Services } from '../../services.ts'
import { ProjectPath, projectOfPath } from '../project-path.ts'

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
  services: Services,
  caller: Caller,
  path: Static<typeof finishEvaluationRunRoute.params>,
  body: Static<typeof finishEvaluationRunRoute.body>,
) {
  await services.evaluations.runs.finish(caller.write(projectOfPath(path)), path.evaluation_run_id, body.summary)
  return { success: true }
}
