import { type Static, Type } from '@sinclair/typebox'
import { Empty } from '../../../../formats/schemas/empty.ts'
import { Nullable, OpenObject } from '../../../../formats/schemas/nullable.ts'
import { ProjectId } from '../../../../lib/project-id.ts'
import type { Caller } from '../../../access/caller.ts'
import type { EvaluationsServices } from '../services.ts'

export const scoreCallsRoute = {
  body: OpenObject({
    project_id: ProjectId,
    call_ids: Type.Array(Type.String(), { description: 'Calls to score; unknown ids are ignored' }),
    scorer_refs: Type.Array(Type.String(), { description: 'Scorer refs' }),
    ext_user_id: Nullable(Type.String({ description: 'Set by the server' })),
  }),
  response: { 200: Empty },
  detail: {
    operationId: 'calls.score',
    idempotencyKey: true,
    summary: 'Score calls',
    description:
      'Enqueues the work and returns immediately. Scorers that need user code are rejected. Each scorer ' +
      'run is recorded as a call and as feedback of type ext.runnable.<scorer> on the scored call. Calls ' +
      'that have not ended are not scored.',
    tags: ['Calls'],
  },
}

export async function scoreCalls(
  services: EvaluationsServices,
  caller: Caller,
  { project_id, call_ids, scorer_refs }: Static<typeof scoreCallsRoute.body>,
) {
  await services.evaluationEngine.scoreCalls(caller, caller.write(project_id), { call_ids, scorer_refs })
  return {}
}
