import { type Static, Type } from '@sinclair/typebox'
import { Nullable, OpenObject } from '../../../../formats/schemas/nullable.ts'
import { ProjectId } from '../../../../lib/project-id.ts'
import type { Caller } from '../../../access/caller.ts'
import type { CallsServices } from '../services.ts'

export const deleteCallsRoute = {
  body: OpenObject({
    project_id: ProjectId,
    call_ids: Type.Array(Type.String()),
    ext_user_id: Nullable(Type.String({ description: 'Set by the server' })),
  }),
  response: { 200: Type.Object({ num_deleted: Type.Integer() }) },
  detail: {
    operationId: 'calls.delete',
    idempotencyKey: true,
    summary: 'Delete calls and their descendants',
    description: '`num_deleted` counts only calls that existed.',
    tags: ['Calls'],
  },
}

export const deleteCalls = async (
  services: CallsServices,
  caller: Caller,
  body: Static<typeof deleteCallsRoute.body>,
) => ({
  num_deleted: await services.calls.writer.delete(caller.write(body.project_id), body.call_ids),
})
