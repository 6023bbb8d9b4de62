import { type Static, Type } from '@sinclair/typebox'
import type { Caller } from '../../foundation/access/caller.ts'
import { limits } from '../../limits.ts'
import { OpenObject } from '../../model/nullable.ts'
import type { Services } from '../../services.ts'
import { jsonListResponse } from '../json-lines.ts'

export const readBatchRoute = {
  body: OpenObject({
    refs: Type.Array(Type.String(), { description: `Up to ${limits.refsMax} object or op refs, by digest` }),
  }),
  response: { 200: Type.Object({ vals: Type.Array(Type.Unknown()) }) },
  detail: {
    operationId: 'refs.readBatch',
    readOnly: true,
    summary: 'Resolve a batch of refs',
    description:
      'Returns one value per ref, in order; null if the object is deleted or a path segment does not exist. ' +
      'Intermediate refs within the project are followed, the final one is not. If an object never existed, the ' +
      'response is 404 with `missing_object_digests`.',
    tags: ['Refs'],
  },
}

export async function readBatch(services: Services, caller: Caller, { refs }: Static<typeof readBatchRoute.body>) {
  const values = await services.refs.readBatch(caller, refs)
  return await jsonListResponse(services.streams, 'vals', async function* () {
    yield values
  })
}
