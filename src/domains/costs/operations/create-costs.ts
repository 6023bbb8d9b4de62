import { type Static, Type } from '@sinclair/typebox'
import type { Caller } from '../../access/caller.ts'
import { CostCreate } from '../model/costs.ts'
import type { CostsServices } from './services.ts'

export const createCostsRoute = {
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

export const createCosts = async (
  services: CostsServices,
  caller: Caller,
  { project_id, costs }: Static<typeof createCostsRoute.body>,
) => ({ ids: await services.costs.create(caller.write(project_id), costs) })
