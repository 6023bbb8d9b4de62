import type { Static } from '@sinclair/typebox'
import type { Caller } from '../../foundation/access/caller.ts'
import { Empty } from '../../model/empty.ts'
import { PurgeRequest } from '../../model/table-question.ts'
import type { Services } from '../../services.ts'

export const purgeCostsRoute = {
  body: PurgeRequest,
  response: { 200: Empty },
  detail: {
    operationId: 'costs.purge',
    summary: 'Remove prices',
    description: 'The query names ids: `$eq` or `$in` of `id`, or `$or` of those. Unknown ids are no error.',
    tags: ['Costs'],
  },
}

export async function purgeCosts(
  services: Services,
  caller: Caller,
  { project_id, query }: Static<typeof purgeCostsRoute.body>,
) {
  await services.costs.purge(caller.write(project_id), query)
  return {}
}
