import type { Static } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Caller } from '../../access/index.ts'
import { requestContext } from '../../requests/index.ts'
import type { Agents } from '../agents.ts'
import {
  AgentSearchAnswer,
  AgentSearchRequest,
  ConversationChat,
  ConversationChatRequest,
  ConversationSpans,
  ConversationSpansRequest,
  TraceChat,
  TraceChatRequest,
} from '../model/agent-chats.ts'
import { SpanStats, SpanStatsRequest } from '../model/agent-span-stats.ts'
import { CustomAttributesAnswer, CustomAttributesRequest, SpansAnswer, SpansRequest } from '../model/agent-spans.ts'
import { AgentsAnswer, AgentsRequest, AgentVersionsAnswer, AgentVersionsRequest } from '../model/agents.ts'

/** The services that these operations are given. */
interface AgentsServices {
  readonly agents: Agents
}

const customAttributesRoute = {
  body: CustomAttributesRequest,
  response: { 200: CustomAttributesAnswer },
  detail: {
    operationId: 'agents.spans.attributes',
    readOnly: true,
    summary: 'List attributes of spans',
    description: 'The attributes that are not fields, with their types and the number of spans that have them.',
    tags: ['Agents'],
  },
}

const customAttributes = (
  services: AgentsServices,
  caller: Caller,
  { signal }: Request,
  body: Static<typeof customAttributesRoute.body>,
) => services.agents.customAttributes(caller.read(body.project_id), body, signal)

const searchAgentMessagesRoute = {
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

const searchAgentMessages = (
  services: AgentsServices,
  caller: Caller,
  { signal }: Request,
  body: Static<typeof searchAgentMessagesRoute.body>,
) => services.agents.search(caller.read(body.project_id), body, signal)

const querySpansRoute = {
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

const querySpans = (
  services: AgentsServices,
  caller: Caller,
  { signal }: Request,
  body: Static<typeof querySpansRoute.body>,
) => services.agents.query(caller.read(body.project_id), body, signal)

const queryAgentsRoute = {
  body: AgentsRequest,
  response: { 200: AgentsAnswer },
  detail: {
    operationId: 'agents.query',
    readOnly: true,
    summary: 'Query agents',
    description:
      'Invocations, errors, tokens and time of each agent, from the spans that name it. Tokens and costs of the ' +
      'spans below them count towards it, each once.',
    tags: ['Agents'],
  },
}

const queryAgents = (
  services: AgentsServices,
  caller: Caller,
  { signal }: Request,
  body: Static<typeof queryAgentsRoute.body>,
) => services.agents.agents(caller.read(body.project_id), body, signal)

const conversationChatRoute = {
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

const conversationChat = (
  services: AgentsServices,
  caller: Caller,
  { signal }: Request,
  body: Static<typeof conversationChatRoute.body>,
) => services.agents.chats.ofConversation(caller.read(body.project_id), body, signal)

const conversationSpansRoute = {
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

const conversationSpans = (
  services: AgentsServices,
  caller: Caller,
  { signal }: Request,
  body: Static<typeof conversationSpansRoute.body>,
) => services.agents.chats.spansOfConversations(caller.read(body.project_id), body, signal)

const queryAgentVersionsRoute = {
  body: AgentVersionsRequest,
  response: { 200: AgentVersionsAnswer },
  detail: {
    operationId: 'agents.versions.query',
    readOnly: true,
    summary: 'Query versions of an agent',
    description: 'Like `/agents/query`, with one row per version of one agent.',
    tags: ['Agents'],
  },
}

const queryAgentVersions = (
  services: AgentsServices,
  caller: Caller,
  { signal }: Request,
  body: Static<typeof queryAgentVersionsRoute.body>,
) => services.agents.versions(caller.read(body.project_id), body, signal)

const traceChatRoute = {
  body: TraceChatRequest,
  response: { 200: TraceChat },
  detail: {
    operationId: 'agents.traces.chat',
    readOnly: true,
    summary: 'Read a trace as a conversation',
    description: 'User messages, agents, tool calls and responses, in order.',
    tags: ['Agents'],
  },
}

const traceChat = (
  services: AgentsServices,
  caller: Caller,
  { signal }: Request,
  body: Static<typeof traceChatRoute.body>,
) => services.agents.chats.ofTrace(caller.read(body.project_id), body, signal)

const spanStatisticsRoute = {
  body: SpanStatsRequest,
  response: { 200: SpanStats },
  detail: {
    operationId: 'agents.spans.stats',
    readOnly: true,
    summary: 'Get statistics of spans',
    description: 'Statistics of the values of spans by time and group.',
    tags: ['Agents'],
  },
}

const spanStatistics = (
  services: AgentsServices,
  caller: Caller,
  { signal }: Request,
  body: Static<typeof spanStatisticsRoute.body>,
) => services.agents.stats(caller.read(body.project_id), body, signal)

/** Activity of agents, derived from their spans. */
export const agentsApi = (services: AgentsServices) =>
  new Elysia({ normalize: false })
    .decorate(requestContext)
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
