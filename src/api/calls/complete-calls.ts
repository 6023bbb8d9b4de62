import type { Static } from '@sinclair/typebox'
import type { Caller } from '../../foundation/access/caller.ts'
import { CompletedCallsOfPath } from '../../model/calls.ts'
import { Empty } from '../../model/empty.ts'
import { mapItems } from '../../records/batch-item.ts'
import type { PreparedCalls } from '../../records/calls/intake/intake-task.ts'
import type { Services } from '../../services.ts'
import { checkProjectOfBody, ProjectPath, projectOfPath } from '../project-path.ts'

export const completeCallsRoute = {
  params: ProjectPath,
  body: CompletedCallsOfPath,
  response: { 200: Empty },
  detail: {
    operationId: 'calls.complete',
    idempotencyKey: true,
    summary: 'Store completed calls',
    description: 'Stores the start and end of each call together. Either all calls are stored or none.',
    tags: ['Calls'],
  },
}

/** @param prepared the calls, if a thread has read the body */
export async function completeCalls(
  services: Services,
  caller: Caller,
  path: ProjectPath,
  { batch }: Static<typeof completeCallsRoute.body>,
  prepared: PreparedCalls | undefined,
) {
  const projectId = projectOfPath(path)
  if (prepared !== undefined) {
    await services.calls.writer.storePrepared(() => caller.write(projectId), prepared)
    return {}
  }
  const calls = await mapItems(batch, (call) => {
    checkProjectOfBody(call, projectId)
    return { ...call, project_id: projectId }
  })
  await services.calls.writer.complete(caller.write(projectId), calls)
  return {}
}
