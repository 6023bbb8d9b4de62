import type { Static } from '@sinclair/typebox'
import { EndedCall } from '../../../../formats/schemas/calls.ts'
import { Empty } from '../../../../formats/schemas/empty.ts'
import { OpenObject } from '../../../../formats/schemas/nullable.ts'
import type { Caller } from '../../../access/caller.ts'
import type { CallsServices } from '../services.ts'

export const endCallRoute = {
  body: OpenObject({ end: EndedCall }),
  response: { 200: Empty },
  detail: {
    operationId: 'calls.end',
    idempotencyKey: true,
    summary: 'End a call',
    description: 'An end may arrive before its start; the call becomes visible once the start has been stored.',
    tags: ['Calls'],
  },
}

export async function endCall(services: CallsServices, caller: Caller, { end }: Static<typeof endCallRoute.body>) {
  await services.calls.writer.end(caller.write(end.project_id), end)
  return {}
}
