import { type Static, Type } from '@sinclair/typebox'
import type { Caller } from '../../foundation/access/caller.ts'
import { CompletedCall } from '../../model/calls.ts'
import { Empty } from '../../model/empty.ts'
import { OpenObject } from '../../model/nullable.ts'
import { mapItems } from '../../records/batch-item.ts'
import type { Services } from '../../services.ts'
import { checkProjectOfBody, ProjectPath, projectOfPath, underPath } from '../project-path.ts'

export const completeCallsRoute = {
  params: ProjectPath,
  body: OpenObject({ batch: Type.Array(underPath(CompletedCall)) }),
  response: { 200: Empty },
  detail: {
    operationId: 'calls.complete',
    idempotencyKey: true,
    summary: 'Store completed calls',
    description: 'Stores the start and end of each call together. Either all calls are stored or none.',
    tags: ['Calls'],
  },
}

export async function completeCalls(
  services: Services,
  caller: Caller,
  path: ProjectPath,
  { batch }: Static<typeof completeCallsRoute.body>,
) {
  const projectId = projectOfPath(path)
  const calls = await mapItems(batch, (call) => {
    checkProjectOfBody(call, projectId)
    return { ...call, project_id: projectId }
  })
  await services.calls.writer.complete(caller.write(projectId), calls)
  return {}
}
