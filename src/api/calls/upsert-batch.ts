import { type Static, Type } from '@sinclair/typebox'
import type { Caller } from '../../foundation/access/caller.ts'
import { CallBatch, CallIds } from '../../model/calls.ts'
import { Empty } from '../../model/empty.ts'
import type { PreparedCalls } from '../../records/calls/intake/intake-task.ts'
import type { Services } from '../../services.ts'
import { jsonAnswer } from '../prepared-calls.ts'

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
  services: Services,
  caller: Caller,
  { batch }: Static<typeof upsertBatchRoute.body>,
  prepared: PreparedCalls | undefined,
) {
  const writerOf = (projectId: string) => caller.write(projectId)
  if (prepared === undefined) return { res: [...(await services.calls.writer.upsertBatch(writerOf, batch))] }
  await services.calls.writer.storePrepared(writerOf, prepared)
  // Elysia sends a response as it is, but its types know only the value.
  return jsonAnswer(prepared.answer) as never
}
