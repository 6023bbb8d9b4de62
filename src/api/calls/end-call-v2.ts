import type { Static } from '@sinclair/typebox'
import type { Caller } from '../../foundation/access/caller.ts'
import { EndedCall } from '../../model/calls.ts'
import { OpenObject } from '../../model/nullable.ts'
import { underPath } from '../../model/under-path.ts'
import type { Services } from '../../services.ts'
import { ProjectPath, projectOfPath } from '../project-path.ts'
import { endCall, endCallRoute } from './end-call.ts'

export const endCallV2Route = {
  params: ProjectPath,
  body: OpenObject({ end: underPath(EndedCall) }),
  response: endCallRoute.response,
  detail: { ...endCallRoute.detail, operationId: 'calls.endV2', idempotencyKey: true, summary: 'End a call (v2)' },
}

export const endCallV2 = (
  services: Services,
  caller: Caller,
  path: ProjectPath,
  { end }: Static<typeof endCallV2Route.body>,
) => endCall(services, caller, { end: { ...end, project_id: projectOfPath(path, [end]) } })
