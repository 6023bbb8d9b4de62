import { Elysia } from 'elysia'
import type { Services } from '../../services.ts'
import type { RequestContext } from '../request-context.ts'
import { readBatch, readBatchRoute } from './read-batch.ts'

/** Ref operations. */
export const refsApi = (services: Services) =>
  new Elysia({ normalize: false })
    .decorate({} as RequestContext)
    .post('/refs/read_batch', ({ caller, body }) => readBatch(services, caller, body), readBatchRoute)
