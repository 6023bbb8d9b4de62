import type { Static } from '@sinclair/typebox'
import { Empty } from '../../../formats/schemas/empty.ts'
import { PurgeRequest } from '../../../formats/schemas/records-request.ts'
import type { Caller } from '../../access/caller.ts'
import type { CostsServices } from './services.ts'

export const purgeCostsRoute = {
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

export async function purgeCosts(
  services: CostsServices,
  caller: Caller,
  { project_id, query }: Static<typeof purgeCostsRoute.body>,
) {
  await services.costs.purge(caller.write(project_id), query)
  return {}
}
