import { type Static, Type } from '@sinclair/typebox'
import type { Caller } from '../../foundation/access/caller.ts'
import { limits } from '../../limits.ts'
import { OpenObject } from '../../model/nullable.ts'
import type { Services } from '../../services.ts'
import { answerJsonList } from '../json-lines.ts'

export const readBatchRoute = {
  body: OpenObject({
    refs: Type.Array(Type.String(), { description: `Up to ${limits.refsMax} refs of objects and ops, by digest` }),
  }),
  response: { 200: Type.Object({ vals: Type.Array(Type.Unknown()) }) },
  detail: {
    operationId: 'refs.readBatch',
    summary: 'Read what refs stand for',
    description:
      'One value for each ref, in order; null where the object is deleted or an edge leads nowhere. Refs of the same project on the way are followed, the last one is not. Where an object never existed the answer is 404 with `missing_object_digests`.',
    tags: ['Refs'],
  },
}

export async function readBatch(services: Services, caller: Caller, { refs }: Static<typeof readBatchRoute.body>) {
  const values = await services.refs.readBatch(caller, refs)
  return await answerJsonList(services.streams, 'vals', async function* () {
    yield values
  })
}
