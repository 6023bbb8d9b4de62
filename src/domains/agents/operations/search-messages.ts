import type { Static } from '@sinclair/typebox'
import type { Caller } from '../../access/caller.ts'
import { AgentSearchAnswer, AgentSearchRequest } from '../model/agent-chats.ts'
import type { AgentsServices } from './services.ts'

export const searchAgentMessagesRoute = {
  body: AgentSearchRequest,
  response: { 200: AgentSearchAnswer },
  detail: {
    operationId: 'agents.search',
    readOnly: true,
    summary: 'Search messages',
    description:
      'Conversations with messages that contain a text, the latest first, among the latest 2,000 spans that ' +
      'contain it.',
    tags: ['Agents'],
  },
}

export const searchAgentMessages = (
  services: AgentsServices,
  caller: Caller,
  { signal }: Request,
  body: Static<typeof searchAgentMessagesRoute.body>,
) => services.agents.search(caller.read(body.project_id), body, signal)
