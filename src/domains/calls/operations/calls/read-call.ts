import { type Static, Type } from '@sinclair/typebox'
import { Call, CallsQuery } from '../../../../formats/schemas/calls.ts'
import { OpenObject } from '../../../../formats/schemas/members.ts'
import type { Caller } from '../../../access/index.ts'
import type { CallsServices } from '../services.ts'

const { project_id, include_costs, include_storage_size, include_total_storage_size } = CallsQuery.properties

export const readCallRoute = {
  body: OpenObject({ project_id, id: Type.String(), include_costs, include_storage_size, include_total_storage_size }),
  response: { 200: Type.Object({ call: Type.Union([Call, Type.Null()]) }) },
  detail: {
    operationId: 'calls.read',
    readOnly: true,
    summary: 'Get a call',
    description:
      '`call` is null if the call does not exist, has not been started, was deleted or belongs to another ' +
      'project.',
    tags: ['Calls'],
  },
}

/** Returns JSON text as stored: reserializing it would change numbers such as `1.0`. */
export async function readCall(services: CallsServices, caller: Caller, body: Static<typeof readCallRoute.body>) {
  const call = await services.calls.reader.read(caller.read(body.project_id), body.id, body)
  return new Response(`{"call":${call}}`, { headers: { 'content-type': 'application/json' } })
}
