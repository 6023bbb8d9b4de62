import { type Static, Type } from '@sinclair/typebox'
import { Nullable, NullableNumber, NullableTime, OpenObject } from '../../../formats/schemas/members.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'
import { ProjectId } from '../../../lib/project-id.ts'
import { Time } from '../../../lib/time.ts'

/** An order of the rows of an answer about agents. */
const AgentSort = OpenObject({
  field: Type.String(),
  direction: Type.Optional(Type.Union([Type.Literal('asc'), Type.Literal('desc')], { default: 'desc' })),
})

/** A page of an answer about agents. */
export const agentPage = {
  sort_by: Nullable(Type.Array(AgentSort)),
  limit: Nullable(
    Type.Integer({
      minimum: 0,
      maximum: operationLimits.agentsListedMax,
      default: operationLimits.agentsListedDefault,
    }),
  ),
  offset: Nullable(Type.Integer({ minimum: 0, default: 0 })),
}

/** Bounds of the start of spans. */
export const startedBetween = {
  started_after: Nullable(Time),
  started_before: Nullable(Time),
}

const withCosts = { include_costs: Nullable(Type.Boolean({ default: false })) }

export const AgentsRequest = OpenObject({
  project_id: ProjectId,
  filters: Nullable(OpenObject({ agent_name: Nullable(Type.String()) })),
  ...withCosts,
  ...agentPage,
})
export type AgentsRequest = Static<typeof AgentsRequest>

export const AgentVersionsRequest = OpenObject({
  project_id: ProjectId,
  agent_name: Type.String(),
  ...withCosts,
  ...agentPage,
})
export type AgentVersionsRequest = Static<typeof AgentVersionsRequest>

const statistics = {
  invocation_count: Type.Integer({ description: 'How often the agent was called' }),
  span_count: Type.Integer({ description: 'Spans that name the agent' }),
  error_count: Type.Integer(),
  total_input_tokens: Type.Number({ description: 'Of the spans that name the agent, and of those below them' }),
  total_output_tokens: Type.Number(),
  total_duration_ms: Type.Number({ description: 'Of the invocations; of all spans if there are none' }),
  total_cost_usd: NullableNumber,
  first_seen: NullableTime,
  last_seen: NullableTime,
}

/** Statistics of an agent. */
export const Agent = Type.Object({ project_id: Type.String(), agent_name: Type.String(), ...statistics })
export type Agent = Static<typeof Agent>

/** Statistics of one version of an agent; the version is empty if spans name none. */
export const AgentVersion = Type.Object({
  project_id: Type.String(),
  agent_name: Type.String(),
  agent_version: Type.String(),
  ...statistics,
})
export type AgentVersion = Static<typeof AgentVersion>

export const AgentsAnswer = Type.Object({ agents: Type.Array(Agent), total_count: Type.Integer() })
export type AgentsAnswer = Static<typeof AgentsAnswer>
export const AgentVersionsAnswer = Type.Object({ versions: Type.Array(AgentVersion), total_count: Type.Integer() })
export type AgentVersionsAnswer = Static<typeof AgentVersionsAnswer>
