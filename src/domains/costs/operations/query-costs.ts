import { type Static, Type } from '@sinclair/typebox'
import { RecordsRequest } from '../../../formats/schemas/records-request.ts'
import type { Caller } from '../../access/caller.ts'
import { jsonListResponse } from '../../requests/json-lines.ts'
import { CostQueryOutput } from '../model/costs.ts'
import type { CostsServices } from './services.ts'

export const queryCostsRoute = {
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

export function queryCosts(
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
