import type { Static } from '@sinclair/typebox'
import type { Caller } from '../../access/caller.ts'
import { AgentVersionsAnswer, AgentVersionsRequest } from '../model/agents.ts'
import type { AgentsServices } from './services.ts'

export const queryAgentVersionsRoute = {
  body: AgentVersionsRequest,
  response: { 200: AgentVersionsAnswer },
  detail: {
    operationId: 'agents.versions.query',
    readOnly: true,
    summary: 'Query versions of an agent',
    description: 'As `/agents/query`, one row per version of one agent.',
    tags: ['Agents'],
  },
}

export const queryAgentVersions = (
  services: AgentsServices,
  caller: Caller,
  { signal }: Request,
  body: Static<typeof queryAgentVersionsRoute.body>,
) => services.agents.versions(caller.read(body.project_id), body, signal)
