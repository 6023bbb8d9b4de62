import type { Static } from '@sinclair/typebox'
import { EndedCall } from '../../../../formats/schemas/calls.ts'
import { OpenObject } from '../../../../formats/schemas/nullable.ts'
import { underPath } from '../../../../formats/schemas/under-path.ts'
import type { Caller } from '../../../access/caller.ts'
import { ProjectPath, projectOfPath } from '../../../requests/project-path.ts'
import type { CallsServices } from '../services.ts'
import { endCall, endCallRoute } from './end-call.ts'

export const endCallV2Route = {
  params: ProjectPath,
  body: OpenObject({ end: underPath(EndedCall) }),
  response: endCallRoute.response,
  detail: { ...endCallRoute.detail, operationId: 'calls.endV2', idempotencyKey: true, summary: 'End a call (v2)' },
}

export const endCallV2 = (
  services: CallsServices,
  caller: Caller,
  path: ProjectPath,
  { end }: Static<typeof endCallV2Route.body>,
) => endCall(services, caller, { end: { ...end, project_id: projectOfPath(path, [end]) } })
