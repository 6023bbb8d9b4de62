import type { Static } from '@sinclair/typebox'
import type { Caller } from '../../access/caller.ts'
import { SpansAnswer, SpansRequest } from '../model/agent-spans.ts'
import type { AgentsServices } from './services.ts'

export const querySpansRoute = {
  body: SpansRequest,
  response: { 200: SpansAnswer },
  detail: {
    operationId: 'agents.spans.query',
    readOnly: true,
    summary: 'Query spans',
    description:
      'Calls that came as OpenTelemetry spans, or groups of them with `group_by`. `query` and `sort_by` ' +
      'name fields (`agent_name`, `gen_ai.agent.name`) or attributes.',
    tags: ['Agents'],
  },
}

export const querySpans = (
  services: AgentsServices,
  caller: Caller,
  { signal }: Request,
  body: Static<typeof querySpansRoute.body>,
) => services.agents.query(caller.read(body.project_id), body, signal)
