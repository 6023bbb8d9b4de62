import type { Static } from '@sinclair/typebox'
import type { Caller } from '../../access/caller.ts'
import { TraceChat, TraceChatRequest } from '../model/agent-chats.ts'
import type { AgentsServices } from './services.ts'

export const traceChatRoute = {
  body: TraceChatRequest,
  response: { 200: TraceChat },
  detail: {
    operationId: 'agents.traces.chat',
    readOnly: true,
    summary: 'Read a trace as a conversation',
    description: 'What was asked, which agents and tools ran, and what was answered, in order.',
    tags: ['Agents'],
  },
}

export const traceChat = (
  services: AgentsServices,
  caller: Caller,
  { signal }: Request,
  body: Static<typeof traceChatRoute.body>,
) => services.agents.traceChat(caller.read(body.project_id), body, signal)
