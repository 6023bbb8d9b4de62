import type { Convention } from './convention.ts'

/** Google's Agent Development Kit: https://google.github.io/adk-docs/observability/ */
export const googleAdk: Convention = {
  inputs: ['gcp.vertex.agent.tool_call_args', 'gcp.vertex.agent.llm_request', 'gcp.vertex.agent.data'],
  output: ['gcp.vertex.agent.tool_response', 'gcp.vertex.agent.llm_response'],
  conversation: ['gcp.vertex.agent.session_id'],
}
