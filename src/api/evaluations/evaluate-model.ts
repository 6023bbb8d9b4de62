import { type Static, Type } from '@sinclair/typebox'
import type { Caller } from '../../foundation/access/caller.ts'
import { ProjectId } from '../../kernel/project-id.ts'
import { Nullable, OpenObject } from '../../model/nullable.ts'
import type { Services } from '../../services.ts'

export const evaluateModelRoute = {
  body: OpenObject({
    project_id: ProjectId,
    evaluation_ref: Type.String({ description: 'ref of the evaluation' }),
    model_ref: Type.String({ description: 'ref of the model' }),
    ext_user_id: Nullable(Type.String({ description: 'Filled in by the server' })),
  }),
  response: { 200: Type.Object({ call_id: Type.String() }) },
  detail: {
    operationId: 'evaluations.evaluateModel',
    summary: 'Run an evaluation on the server',
    description:
      'Accepts the work and answers at once; the run is there from then on, and /evaluations/status tells how far it is. It goes on over restarts of the server. Models of the class ' +
      'LLMStructuredCompletionModel and the builtin scorers run here; what needs code of its author ends as failed.',
    tags: ['Evaluations'],
  },
}

export async function startEvaluation(
  services: Services,
  caller: Caller,
  { project_id, evaluation_ref, model_ref }: Static<typeof evaluateModelRoute.body>,
) {
  const writer = caller.write(project_id)
  return { call_id: await services.evaluationEngine.evaluateModel(caller, writer, { evaluation_ref, model_ref }) }
}
