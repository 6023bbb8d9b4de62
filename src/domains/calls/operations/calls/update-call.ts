import { type Static, Type } from '@sinclair/typebox'
import { Empty } from '../../../../formats/schemas/empty.ts'
import { Nullable, OpenObject } from '../../../../formats/schemas/nullable.ts'
import { ProjectId } from '../../../../lib/project-id.ts'
import type { Caller } from '../../../access/caller.ts'
import type { CallsServices } from '../services.ts'

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

export async function updateCall(services: CallsServices, caller: Caller, body: Static<typeof updateCallRoute.body>) {
  await services.calls.writer.update(caller.write(body.project_id), body.call_id, body.display_name)
  return {}
}
