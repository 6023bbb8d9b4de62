import type { Static } from '@sinclair/typebox'
import type { Caller } from '../../foundation/access/caller.ts'
import { CallIds, StartedCall } from '../../model/calls.ts'
import { OpenObject } from '../../model/nullable.ts'
import type { Services } from '../../services.ts'

export const startCallRoute = {
  body: OpenObject({ start: StartedCall }),
  response: { 200: CallIds },
  detail: {
    operationId: 'calls.start',
    idempotencyKey: true,
    summary: 'Start a call',
    description: 'When the response arrives, the call is durable and visible as running. Missing ids are generated.',
    tags: ['Calls'],
  },
}

export const startCall = (services: Services, caller: Caller, { start }: Static<typeof startCallRoute.body>) =>
  services.calls.writer.start(caller.write(start.project_id), start)
