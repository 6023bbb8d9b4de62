import { Elysia } from 'elysia'
import type { RequestContext } from '../../requests/request-context.ts'
import { conversationChat, conversationChatRoute } from './conversation-chat.ts'
import { conversationSpans, conversationSpansRoute } from './conversation-spans.ts'
import { customAttributes, customAttributesRoute } from './custom-attributes.ts'
import { queryAgentVersions, queryAgentVersionsRoute } from './query-agent-versions.ts'
import { queryAgents, queryAgentsRoute } from './query-agents.ts'
import { querySpans, querySpansRoute } from './query-spans.ts'
import { searchAgentMessages, searchAgentMessagesRoute } from './search-messages.ts'
import type { AgentsServices } from './services.ts'
import { spanStatistics, spanStatisticsRoute } from './span-stats.ts'
import { traceChat, traceChatRoute } from './trace-chat.ts'

/** What agents did, told by their spans. */
export const agentsApi = (services: AgentsServices) =>
  new Elysia({ normalize: false })
    .decorate({} as RequestContext)
    .post(
      '/agents/query',
      ({ caller, request, body }) => queryAgents(services, caller, request, body),
      queryAgentsRoute,
    )
    .post(
      '/agents/agent-versions/query',
      ({ caller, request, body }) => queryAgentVersions(services, caller, request, body),
      queryAgentVersionsRoute,
    )
    .post(
      '/agents/spans/query',
      ({ caller, request, body }) => querySpans(services, caller, request, body),
      querySpansRoute,
    )
    .post(
      '/agents/spans/stats',
      ({ caller, request, body }) => spanStatistics(services, caller, request, body),
      spanStatisticsRoute,
    )
    .post(
      '/agents/spans/custom-attrs/schema',
      ({ caller, request, body }) => customAttributes(services, caller, request, body),
      customAttributesRoute,
    )
    .post(
      '/agents/search',
      ({ caller, request, body }) => searchAgentMessages(services, caller, request, body),
      searchAgentMessagesRoute,
    )
    .post(
      '/agents/traces/chat',
      ({ caller, request, body }) => traceChat(services, caller, request, body),
      traceChatRoute,
    )
    .post(
      '/agents/conversations/chat',
      ({ caller, request, body }) => conversationChat(services, caller, request, body),
      conversationChatRoute,
    )
    .post(
      '/agents/conversations/spans',
      ({ caller, request, body }) => conversationSpans(services, caller, request, body),
      conversationSpansRoute,
    )
