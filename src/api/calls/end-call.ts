import type { Static } from '@sinclair/typebox'
import type { Caller } from '../../foundation/access/caller.ts'
import { EndedCall } from '../../model/calls.ts'
import { Empty } from '../../model/empty.ts'
import { OpenObject } from '../../model/nullable.ts'
import type { Services } from '../../services.ts'

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

export async function endCall(services: Services, caller: Caller, { end }: Static<typeof endCallRoute.body>) {
  await services.calls.writer.end(caller.write(end.project_id), end)
  return {}
}
