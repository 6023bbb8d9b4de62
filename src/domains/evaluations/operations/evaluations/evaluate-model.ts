import { type Static, Type } from '@sinclair/typebox'
import { Nullable, OpenObject } from '../../../../formats/schemas/nullable.ts'
import { ProjectId } from '../../../../lib/project-id.ts'
import type { Caller } from '../../../access/caller.ts'
import type { EvaluationsServices } from '../services.ts'

export const evaluateModelRoute = {
  body: OpenObject({
    project_id: ProjectId,
    evaluation_ref: Type.String({ description: 'Evaluation ref' }),
    model_ref: Type.String({ description: 'Model ref' }),
    ext_user_id: Nullable(Type.String({ description: 'Set by the server' })),
  }),
  response: { 200: Type.Object({ call_id: Type.String() }) },
  detail: {
    operationId: 'evaluations.evaluateModel',
    idempotencyKey: true,
    summary: 'Run an evaluation on the server',
    description:
      'Enqueues the evaluation and returns immediately; poll `/evaluations/status` for progress. The run ' +
      'survives server restarts. Models of class LLMStructuredCompletionModel and the built-in scorers run ' +
      'on the server; anything that needs user code fails.',
    tags: ['Evaluations'],
  },
}

export async function startEvaluation(
  services: EvaluationsServices,
  caller: Caller,
  { project_id, evaluation_ref, model_ref }: Static<typeof evaluateModelRoute.body>,
) {
  const writer = caller.write(project_id)
  return { call_id: await services.evaluationEngine.evaluateModel(caller, writer, { evaluation_ref, model_ref }) }
}
