import type { Static } from '@sinclair/typebox'
import type { Caller } from '../../foundation/access/caller.ts'
import { StartedCall } from '../../model/calls.ts'
import { OpenObject } from '../../model/nullable.ts'
import { underPath } from '../../model/under-path.ts'
import type { Services } from '../../services.ts'
import { ProjectPath, projectOfPath } from '../project-path.ts'
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
  services: Services,
  caller: Caller,
  path: ProjectPath,
  { start }: Static<typeof startCallV2Route.body>,
) => startCall(services, caller, { start: { ...start, project_id: projectOfPath(path, [start]) } })
