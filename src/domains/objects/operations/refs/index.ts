import { type Static, Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { OpenObject } from '../../../../formats/schemas/members.ts'
import { operationLimits } from '../../../../lib/limits/operations.ts'
import type { Caller } from '../../../access/index.ts'
import { jsonListResponse, requestContext } from '../../../requests/index.ts'
import type { ObjectsServices } from '../services.ts'

const readBatchRoute = {
  body: OpenObject({
    refs: Type.Array(Type.String(), { description: `Up to ${operationLimits.refsMax} object or op refs, by digest` }),
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

async function readBatch(services: ObjectsServices, caller: Caller, { refs }: Static<typeof readBatchRoute.body>) {
  const values = await services.refs.readBatch(caller, refs)
  return await jsonListResponse(services.streams, 'vals', async function* () {
    yield values
  })
}

/** Ref operations. */
export const refsApi = (services: ObjectsServices) =>
  new Elysia({ normalize: false })
    .decorate(requestContext)
    .post('/refs/read_batch', ({ caller, body }) => readBatch(services, caller, body), readBatchRoute)
