import type { Static } from '@sinclair/typebox'
import type { Caller } from '../../access/caller.ts'
import { AgentsAnswer, AgentsRequest } from '../model/agents.ts'
import type { AgentsServices } from './services.ts'

export const queryAgentsRoute = {
  body: AgentsRequest,
  response: { 200: AgentsAnswer },
  detail: {
    operationId: 'agents.query',
    readOnly: true,
    summary: 'Query agents',
    description:
      'What each agent did: invocations, errors, tokens, time. Reads the spans that name it; tokens and ' +
      'costs of spans below them count for it, and none counts twice.',
    tags: ['Agents'],
  },
}

export const queryAgents = (
  services: AgentsServices,
  caller: Caller,
  { signal }: Request,
  body: Static<typeof queryAgentsRoute.body>,
) => services.agents.agents(caller.read(body.project_id), body, signal)
