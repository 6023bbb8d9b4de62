import type { Static } from '@sinclair/typebox'
import { StartedCall } from '../../../../formats/schemas/calls.ts'
import { OpenObject } from '../../../../formats/schemas/nullable.ts'
import { underPath } from '../../../../formats/schemas/under-path.ts'
import type { Caller } from '../../../access/caller.ts'
import { ProjectPath, projectOfPath } from '../../../requests/project-path.ts'
import type { CallsServices } from '../services.ts'
import { startCall, startCallRoute } from './start-call.ts'

export const startCallV2Route = {
  params: ProjectPath,
  body: OpenObject({ start: underPath(StartedCall) }),
  response: startCallRoute.response,
  detail: {
    ...startCallRoute.detail,
    operationId: 'calls.startV2',
    idempotencyKey: true,
    summary: 'Start a call (v2)',
  },
}

export const startCallV2 = (
  services: CallsServices,
  caller: Caller,
  path: ProjectPath,
  { start }: Static<typeof startCallV2Route.body>,
) => startCall(services, caller, { start: { ...start, project_id: projectOfPath(path, [start]) } })
