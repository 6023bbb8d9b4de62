import { type Static, Type } from '@sinclair/typebox'
import { ProjectPath, projectOfPath } from '../../../../formats/body/project-path.ts'
import { CallBatch, CallIds, CompletedCallsOfPath } from '../../../../formats/schemas/calls.ts'
import { Empty } from '../../../../formats/schemas/members.ts'
import type { Caller } from '../../../access/index.ts'
import type { PreparedCalls } from '../../intake/intake-task.ts'
import type { CallsServices } from '../services.ts'
import { jsonAnswer } from './prepared-calls.ts'

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

export const upsertBatchRoute = {
  body: CallBatch,
  response: { 200: Type.Object({ res: Type.Array(Type.Union([CallIds, Empty])) }) },
  detail: {
    operationId: 'calls.upsertBatch',
    idempotencyKey: true,
    summary: 'Start and end calls in a batch',
    description:
      'Starts and ends may come in any order. Either the whole batch is stored or nothing. Resending a batch is ' +
      'harmless.',
    tags: ['Calls'],
  },
}

/** @param prepared the calls, if a thread has read the body */
export async function upsertBatch(
  services: CallsServices,
  caller: Caller,
  body: Static<typeof upsertBatchRoute.body>,
  prepared: PreparedCalls | undefined,
) {
  const writerOf = (projectId: string) => caller.write(projectId)
  if (prepared === undefined) return { res: [...(await services.calls.writer.upsertBatch(writerOf, body.batch))] }
  await services.calls.writer.storePrepared(writerOf, prepared)
  // Elysia sends a response as it is, but its types know only the value.
  return jsonAnswer(prepared.answer) as never
}
