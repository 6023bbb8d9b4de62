import type { Static } from '@sinclair/typebox'
import { CompletedCallsOfPath } from '../../../../formats/schemas/calls.ts'
import { Empty } from '../../../../formats/schemas/members.ts'
import type { Caller } from '../../../access/index.ts'
import { ProjectPath, projectOfPath } from '../../../requests/index.ts'
import type { PreparedCalls } from '../../intake/intake-task.ts'
import type { CallsServices } from '../services.ts'

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
  services: CallsServices,
  caller: Caller,
  path: ProjectPath,
  body: Static<typeof completeCallsRoute.body>,
  prepared: PreparedCalls | undefined,
) {
  const projectId = projectOfPath(path)
  if (prepared !== undefined) {
    await services.calls.writer.storePrepared(() => caller.write(projectId), prepared)
    return {}
  }
  await services.calls.writer.complete(caller.write(projectId), body.batch)
  return {}
}
