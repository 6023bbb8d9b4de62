import { type Static, Type } from '@sinclair/typebox'
import type { Caller } from '../../foundation/access/caller.ts'
import { ProjectId } from '../../kernel/project-id.ts'
import { Empty } from '../../model/empty.ts'
import { Nullable, OpenObject } from '../../model/nullable.ts'
import type { Services } from '../../services.ts'

export const updateCallRoute = {
  body: OpenObject({
    project_id: ProjectId,
    call_id: Type.String(),
    display_name: Nullable(Type.String()),
    ext_user_id: Nullable(Type.String({ description: 'Set by the server' })),
  }),
  response: { 200: Empty },
  detail: {
    operationId: 'calls.update',
    idempotencyKey: true,
    summary: 'Update the display name of a call',
    description: 'An empty `display_name` clears it. Unknown call ids are ignored.',
    tags: ['Calls'],
  },
}

export async function updateCall(services: Services, caller: Caller, body: Static<typeof updateCallRoute.body>) {
  await services.calls.writer.update(caller.write(body.project_id), body.call_id, body.display_name)
  return {}
}
