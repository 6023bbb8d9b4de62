import type { Static } from '@sinclair/typebox'
import type { Caller } from '../../access/caller.ts'
import { ConversationChat, ConversationChatRequest } from '../model/agent-chats.ts'
import type { AgentsServices } from './services.ts'

export const conversationChatRoute = {
  body: ConversationChatRequest,
  response: { 200: ConversationChat },
  detail: {
    operationId: 'agents.conversations.chat',
    readOnly: true,
    summary: 'Read a conversation',
    description: 'The latest traces of a conversation, each as `/agents/traces/chat` returns it.',
    tags: ['Agents'],
  },
}

export const conversationChat = (
  services: AgentsServices,
  caller: Caller,
  { signal }: Request,
  body: Static<typeof conversationChatRoute.body>,
) => services.agents.conversationChat(caller.read(body.project_id), body, signal)
