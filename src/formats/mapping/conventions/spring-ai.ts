import type { Convention } from './convention.ts'

/**
 * Spring AI, beyond the GenAI semantic conventions:
 * https://docs.spring.io/spring-ai/reference/observability/index.html
 */
export const springAi: Convention = {
  inputs: ['spring.ai.tool.call.arguments', 'db.vector.query.content'],
  output: ['spring.ai.tool.call.result', 'db.vector.query.response.documents'],
  attributes: {
    kind: ['spring.ai.kind'],
    tools: ['spring.ai.model.request.tool.names', 'spring.ai.chat.client.tool.names'],
    tool_name: ['spring.ai.tool.definition.name'],
    tool_description: ['spring.ai.tool.definition.description'],
  },
  conversation: ['spring.ai.chat.client.conversation.id'],
}
