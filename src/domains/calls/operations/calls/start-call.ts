import type { Static } from '@sinclair/typebox'
import { CallIds, StartedCall } from '../../../../formats/schemas/calls.ts'
import { OpenObject } from '../../../../formats/schemas/nullable.ts'
import type { Caller } from '../../../access/caller.ts'
import type { CallsServices } from '../services.ts'

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

export const startCall = (services: CallsServices, caller: Caller, { start }: Static<typeof startCallRoute.body>) =>
  services.calls.writer.start(caller.write(start.project_id), start)
