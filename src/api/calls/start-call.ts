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
    summary: 'Start a call',
    description: 'The call is stored and visible, as running, when this answers. Missing ids are generated.',
    tags: ['Calls'],
  },
}

export const startCall = (services: Services, caller: Caller, { start }: Static<typeof startCallRoute.body>) =>
  services.calls.writer.start(caller.write(start.project_id), start)
