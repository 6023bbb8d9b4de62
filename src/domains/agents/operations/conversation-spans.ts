import type { Static } from '@sinclair/typebox'
import type { Caller } from '../../access/caller.ts'
import { ConversationSpans, ConversationSpansRequest } from '../model/agent-chats.ts'
import type { AgentsServices } from './services.ts'

export const conversationSpansRoute = {
  body: ConversationSpansRequest,
  response: { 200: ConversationSpans },
  detail: {
    operationId: 'agents.conversations.spans',
    readOnly: true,
    summary: 'List spans of conversations',
    description: 'Operation, status and duration of each span, oldest first.',
    tags: ['Agents'],
  },
}

export const conversationSpans = (
  services: AgentsServices,
  caller: Caller,
  { signal }: Request,
  body: Static<typeof conversationSpansRoute.body>,
) => services.agents.conversationSpans(caller.read(body.project_id), body, signal)
