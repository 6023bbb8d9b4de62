import { type Static, Type } from '@sinclair/typebox'
import type { Caller } from '../../foundation/access/caller.ts'
import { ProjectId } from '../../kernel/project-id.ts'
import { Empty } from '../../model/empty.ts'
import { Nullable, OpenObject } from '../../model/nullable.ts'
import type { Services } from '../../services.ts'

export const scoreCallsRoute = {
  body: OpenObject({
    project_id: ProjectId,
    call_ids: Type.Array(Type.String(), { description: 'calls to score; those that do not exist are passed over' }),
    scorer_refs: Type.Array(Type.String(), { description: 'refs of scorers' }),
    ext_user_id: Nullable(Type.String({ description: 'Filled in by the server' })),
  }),
  response: { 200: Empty },
  detail: {
    operationId: 'calls.score',
    summary: 'Score calls',
    description:
      'Accepts the work and answers at once; scorers that only their author’s code can run are refused. Each scorer then runs on each call: a call ' +
      'of its own, and feedback of the type ext.runnable.<scorer> on the call that was scored. A call that has not ended is not judged.',
    tags: ['Calls'],
  },
}

export async function scoreCalls(
  services: Services,
  caller: Caller,
  { project_id, call_ids, scorer_refs }: Static<typeof scoreCallsRoute.body>,
) {
  await services.evaluationEngine.scoreCalls(caller, caller.write(project_id), { call_ids, scorer_refs })
  return {}
}
