import { type Static, Type } from '@sinclair/typebox'
import type { Caller } from '../../foundation/access/caller.ts'
import { CostCreate } from '../../model/costs.ts'
import type { Services } from '../../services.ts'

export const createCostsRoute = {
  body: CostCreate,
  response: {
    200: Type.Object({ ids: Type.Array(Type.Tuple([Type.String(), Type.String()]), { description: 'id and model' }) }),
  },
  detail: {
    operationId: 'costs.create',
    summary: 'Set prices of models',
    description:
      'Prices per token. They go before the prices that ship with the server, from their effective date on. Nothing is overwritten.',
    tags: ['Costs'],
  },
}

export const createCosts = async (
  services: Services,
  caller: Caller,
  { project_id, costs }: Static<typeof createCostsRoute.body>,
) => ({ ids: await services.costs.create(caller.write(project_id), costs) })
