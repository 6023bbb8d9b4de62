import { Elysia } from 'elysia'
import type { RequestContext } from '../../requests/request-context.ts'
import { createCosts, createCostsRoute } from './create-costs.ts'
import { purgeCosts, purgeCostsRoute } from './purge-costs.ts'
import { queryCosts, queryCostsRoute } from './query-costs.ts'
import type { CostsServices } from './services.ts'

/** Model price operations. */
export const costsApi = (services: CostsServices) =>
  new Elysia({ normalize: false })
    .decorate({} as RequestContext)
    .post('/cost/create', ({ caller, body }) => createCosts(services, caller, body), createCostsRoute)
    .post('/cost/query', ({ caller, request, body }) => queryCosts(services, caller, request, body), queryCostsRoute)
    .post('/cost/purge', ({ caller, body }) => purgeCosts(services, caller, body), purgeCostsRoute)
