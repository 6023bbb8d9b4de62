import { Elysia } from 'elysia'
import type { RequestContext } from '../../../requests/request-context.ts'
import type { ObjectsServices } from '../services.ts'
import { readBatch, readBatchRoute } from './read-batch.ts'

/** Ref operations. */
export const refsApi = (services: ObjectsServices) =>
  new Elysia({ normalize: false })
    .decorate({} as RequestContext)
    .post('/refs/read_batch', ({ caller, body }) => readBatch(services, caller, body), readBatchRoute)
