import { Elysia } from 'elysia'
import type { Services } from '../../services.ts'
import type { RequestContext } from '../request-context.ts'
import { createCosts, createCostsRoute } from './create-costs.ts'
import { purgeCosts, purgeCostsRoute } from './purge-costs.ts'
import { queryCosts, queryCostsRoute } from './query-costs.ts'

/** Model price operations. */
export const costsApi = (services: Services) =>
  new Elysia({ normalize: false })
    .decorate({} as RequestContext)
    .post('/cost/create', ({ caller, body }) => createCosts(services, caller, body), createCostsRoute)
    .post('/cost/query', ({ caller, request, body }) => queryCosts(services, caller, request, body), queryCostsRoute)
    .post('/cost/purge', ({ caller, body }) => purgeCosts(services, caller, body), purgeCostsRoute)
