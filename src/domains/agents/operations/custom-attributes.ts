import type { Static } from '@sinclair/typebox'
import type { Caller } from '../../access/caller.ts'
import { CustomAttributesAnswer, CustomAttributesRequest } from '../model/agent-spans.ts'
import type { AgentsServices } from './services.ts'

export const customAttributesRoute = {
  body: CustomAttributesRequest,
  response: { 200: CustomAttributesAnswer },
  detail: {
    operationId: 'agents.spans.attributes',
    readOnly: true,
    summary: 'List attributes of spans',
    description: 'The attributes that are no fields, with their types and the number of spans that have them.',
    tags: ['Agents'],
  },
}

export const customAttributes = (
  services: AgentsServices,
  caller: Caller,
  { signal }: Request,
  body: Static<typeof customAttributesRoute.body>,
) => services.agents.customAttributes(caller.read(body.project_id), body, signal)
