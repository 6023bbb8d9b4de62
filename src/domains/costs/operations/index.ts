import { type Static, Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { Empty } from '../../../formats/schemas/members.ts'
import { PurgeRequest, RecordsRequest } from '../../../formats/schemas/records-request.ts'
import { providerLimits } from '../../../lib/limits/providers.ts'
import type { Caller } from '../../access/index.ts'
import { jsonListResponse, requestContext, type Streams } from '../../requests/index.ts'
import type { Costs } from '../costs.ts'
import { BuiltinPrices, BuiltinPricesRequest, CostCreate, CostQueryOutput } from '../model/costs.ts'

/** The services that these operations are given. */
interface CostsServices {
  readonly costs: Costs
  readonly streams: Streams
}

const queryCostsRoute = {
  body: RecordsRequest,
  response: { 200: Type.Object({ results: Type.Array(CostQueryOutput) }) },
  detail: {
    operationId: 'costs.query',
    readOnly: true,
    summary: 'Query model prices',
    description: 'Returns the prices set in the project, not those that ship with the server.',
    tags: ['Costs'],
  },
}

function queryCosts(
  services: CostsServices,
  caller: Caller,
  { signal }: Request,
  body: Static<typeof queryCostsRoute.body>,
) {
  const reader = caller.read(body.project_id)
  return jsonListResponse(services.streams, 'results', (left) => services.costs.query(reader, body, left), {
    clientLeft: signal,
  })
}

const queryBuiltinRoute = {
  body: BuiltinPricesRequest,
  response: { 200: BuiltinPrices },
  detail: {
    operationId: 'costs.queryBuiltin',
    readOnly: true,
    summary: 'Query built-in model prices',
    description:
      'Returns the prices that ship with the server, for models billed by token. A price of the project takes ' +
      'precedence over them.',
    tags: ['Costs'],
  },
}

const queryBuiltin = (
  services: CostsServices,
  caller: Caller,
  { project_id, search, limit, offset }: Static<typeof queryBuiltinRoute.body>,
): Promise<BuiltinPrices> =>
  services.costs.queryShipped(caller.read(project_id), {
    search: search ?? '',
    limit: limit ?? providerLimits.shippedPricesListedDefault,
    offset: offset ?? 0,
  })

const createCostsRoute = {
  body: CostCreate,
  response: {
    200: Type.Object({
      ids: Type.Array(Type.Tuple([Type.String(), Type.String()]), { description: 'Pairs of price id and model name' }),
    }),
  },
  detail: {
    operationId: 'costs.create',
    idempotencyKey: true,
    summary: 'Create model prices',
    description:
      'Prices are per token. From their effective date on they take precedence over the prices that ship with ' +
      'the server. Existing prices are never overwritten.',
    tags: ['Costs'],
  },
}

const createCosts = async (
  services: CostsServices,
  caller: Caller,
  { project_id, costs }: Static<typeof createCostsRoute.body>,
) => ({ ids: await services.costs.create(caller.write(project_id), costs) })

const purgeCostsRoute = {
  body: PurgeRequest,
  response: { 200: Empty },
  detail: {
    operationId: 'costs.purge',
    idempotencyKey: true,
    summary: 'Purge model prices',
    description: '`query` must select by id: `$eq` or `$in` on `id`, or an `$or` of these. Unknown ids are ignored.',
    tags: ['Costs'],
  },
}

async function purgeCosts(
  services: CostsServices,
  caller: Caller,
  { project_id, query }: Static<typeof purgeCostsRoute.body>,
) {
  await services.costs.purge(caller.write(project_id), query)
  return {}
}

/** Model price operations. */
export const costsApi = (services: CostsServices) =>
  new Elysia({ normalize: false })
    .decorate(requestContext)
    .post('/cost/create', ({ caller, body }) => createCosts(services, caller, body), createCostsRoute)
    .post('/cost/query', ({ caller, request, body }) => queryCosts(services, caller, request, body), queryCostsRoute)
    .post('/cost/builtin/query', ({ caller, body }) => queryBuiltin(services, caller, body), queryBuiltinRoute)
    .post('/cost/purge', ({ caller, body }) => purgeCosts(services, caller, body), purgeCostsRoute)
