import { type Static, Type } from '@sinclair/typebox'
import type { Caller } from '../../foundation/access/caller.ts'
import { CallBatchItem, CallIds } from '../../model/calls.ts'
import { Empty } from '../../model/empty.ts'
import { OpenObject } from '../../model/nullable.ts'
import type { Services } from '../../services.ts'

export const upsertBatchRoute = {
  body: OpenObject({
    batch: Type.Array(CallBatchItem),
  }),
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

export const upsertBatch = async (
  services: Services,
  caller: Caller,
  { batch }: Static<typeof upsertBatchRoute.body>,
) => ({
  res: await services.calls.writer.upsertBatch((projectId) => caller.write(projectId), batch),
})
