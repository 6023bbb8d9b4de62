import { type Conversation, twoRequests } from './conversation.ts'

const genAiUsage = (input: number, output: number, cached: number) => ({
  'gen_ai.usage.input_tokens': input,
  'gen_ai.usage.output_tokens': output,
  'gen_ai.usage.cache_read.input_tokens': cached,
})

const aiSdkUsage = (input: number, output: number, cached: number, reasoning: number) => ({
  'ai.usage.inputTokens': input,
  'ai.usage.outputTokens': output,
  'ai.usage.totalTokens': input + output,
  'ai.usage.reasoningTokens': reasoning,
  'ai.usage.cachedInputTokens': cached,
  'ai.usage.inputTokenDetails.noCacheTokens': input - cached,
  'ai.usage.inputTokenDetails.cacheReadTokens': cached,
  'ai.usage.outputTokenDetails.reasoningTokens': reasoning,
})

const strandsUsage = (input: number, output: number, cached: number) => ({
  'gen_ai.system': 'strands-agents',
  'gen_ai.request.model': 'gpt-4o',
  'gen_ai.usage.prompt_tokens': input,
  'gen_ai.usage.completion_tokens': output,
  'gen_ai.usage.total_tokens': input + output,
  'gen_ai.usage.cache_read_input_tokens': cached,
  ...genAiUsage(input, output, cached),
})

const inferenceUsage = (input: number, output: number) => ({
  'llm.token_count.prompt': input,
  'llm.token_count.completion': output,
  'llm.token_count.total': input + output,
})

const langfuseUsage = (input: number, output: number, cached: number) => ({
  'langfuse.observation.usage_details': JSON.stringify({
    input: input - cached,
    input_cached_tokens: cached,
    output,
    total: input + output,
  }),
})

/** Conversations of frameworks whose agents repeat the usage of their model calls. */
export const frameworkConversations: Readonly<Record<string, Conversation>> = {
  'AI SDK 7 with the GenAI semantic conventions': {
    model: 'gpt-4o',
    provider: twoRequests,
    spans: [
      {
        ...{ id: 'a', name: 'invoke_agent gpt-4o', start: 0, end: 9 },
        attributes: {
          'gen_ai.operation.name': 'invoke_agent',
          'gen_ai.agent.name': 'bot',
          'gen_ai.request.model': 'gpt-4o',
          ...genAiUsage(220, 34, 80),
        },
      },
      {
        ...{ id: 'b', parent: 'a', name: 'step 1', start: 1, end: 4 },
        attributes: { 'gen_ai.operation.name': 'agent_step' },
      },
      {
        ...{ id: 'c', parent: 'b', name: 'chat gpt-4o', start: 1, end: 3 },
        attributes: {
          'gen_ai.operation.name': 'chat',
          'gen_ai.request.model': 'gpt-4o',
          'gen_ai.response.id': 'chatcmpl-1',
          ...genAiUsage(100, 14, 40),
        },
      },
      {
        ...{ id: 'd', parent: 'b', name: 'execute_tool weather', start: 3, end: 4 },
        attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'weather' },
      },
      {
        ...{ id: 'e', parent: 'a', name: 'step 2', start: 5, end: 8 },
        attributes: { 'gen_ai.operation.name': 'agent_step' },
      },
      {
        ...{ id: 'f', parent: 'e', name: 'chat gpt-4o', start: 5, end: 7 },
        attributes: {
          'gen_ai.operation.name': 'chat',
          'gen_ai.request.model': 'gpt-4o',
          'gen_ai.response.id': 'chatcmpl-2',
          ...genAiUsage(120, 20, 40),
        },
      },
    ],
  },
  'AI SDK 7 with its own attributes': {
    model: 'gpt-4o',
    provider: twoRequests,
    spans: [
      {
        ...{ id: 'a', name: 'ai.generateText', start: 0, end: 9 },
        attributes: {
          'ai.operationId': 'ai.generateText',
          'ai.model.id': 'gpt-4o',
          ...aiSdkUsage(220, 34, 80, 10),
        },
      },
      {
        ...{ id: 'b', parent: 'a', name: 'ai.generateText.doGenerate', start: 1, end: 3 },
        attributes: {
          'ai.operationId': 'ai.generateText.doGenerate',
          'ai.model.id': 'gpt-4o',
          'ai.response.id': 'chatcmpl-1',
          'gen_ai.response.id': 'chatcmpl-1',
          'gen_ai.usage.input_tokens': 100,
          'gen_ai.usage.output_tokens': 14,
          ...aiSdkUsage(100, 14, 40, 5),
        },
      },
      {
        ...{ id: 'c', parent: 'b', name: 'ai.toolCall', start: 3, end: 4 },
        attributes: { 'ai.operationId': 'ai.toolCall', 'ai.toolCall.name': 'weather' },
      },
      {
        ...{ id: 'd', parent: 'a', name: 'ai.generateText.doGenerate', start: 5, end: 8 },
        attributes: {
          'ai.operationId': 'ai.generateText.doGenerate',
          'ai.model.id': 'gpt-4o',
          'ai.response.id': 'chatcmpl-2',
          'gen_ai.response.id': 'chatcmpl-2',
          'gen_ai.usage.input_tokens': 120,
          'gen_ai.usage.output_tokens': 20,
          ...aiSdkUsage(120, 20, 40, 5),
        },
      },
    ],
  },
  'Strands Agents 1.62': {
    model: 'gpt-4o',
    provider: twoRequests,
    spans: [
      {
        ...{ id: 'a', name: 'invoke_agent weather-agent', start: 0, end: 9 },
        attributes: {
          'gen_ai.operation.name': 'invoke_agent',
          'gen_ai.agent.name': 'weather-agent',
          ...strandsUsage(220, 34, 80),
        },
      },
      {
        ...{ id: 'b', parent: 'a', name: 'execute_event_loop_cycle', start: 1, end: 4 },
        attributes: { 'gen_ai.operation.name': 'execute_event_loop_cycle', 'gen_ai.system': 'strands-agents' },
      },
      {
        ...{ id: 'c', parent: 'b', name: 'chat', start: 1, end: 3 },
        attributes: { 'gen_ai.operation.name': 'chat', ...strandsUsage(100, 14, 40) },
      },
      {
        ...{ id: 'd', parent: 'b', name: 'execute_tool weather', start: 3, end: 4 },
        attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'weather' },
      },
      {
        ...{ id: 'e', parent: 'a', name: 'execute_event_loop_cycle', start: 5, end: 8 },
        attributes: { 'gen_ai.operation.name': 'execute_event_loop_cycle', 'gen_ai.system': 'strands-agents' },
      },
      {
        ...{ id: 'f', parent: 'e', name: 'chat', start: 5, end: 7 },
        attributes: { 'gen_ai.operation.name': 'chat', ...strandsUsage(120, 20, 40) },
      },
    ],
  },
  // Its instrumentation tells neither cached tokens nor the model of an agent.
  'smolagents 1.26 with OpenInference': {
    model: 'gpt-4o',
    provider: { ...twoRequests, cached: 0 },
    spans: [
      {
        ...{ id: 'a', name: 'assistant.run', start: 0, end: 9 },
        attributes: {
          'openinference.span.kind': 'AGENT',
          'input.value': '{"task":"How is the weather?"}',
          'output.value': '21 degrees',
          'smolagents.max_steps': 4,
          ...inferenceUsage(220, 34),
        },
      },
      {
        ...{ id: 'b', parent: 'a', name: 'Step 1', start: 1, end: 4 },
        attributes: { 'openinference.span.kind': 'CHAIN', 'output.value': '21' },
      },
      {
        ...{ id: 'c', parent: 'b', name: 'OpenAIModel.generate', start: 1, end: 3 },
        attributes: {
          'openinference.span.kind': 'LLM',
          'llm.model_name': 'gpt-4o',
          'output.value': '{"role":"assistant","content":null}',
          ...inferenceUsage(100, 14),
        },
      },
      {
        ...{ id: 'd', parent: 'b', name: 'SimpleTool', start: 3, end: 4 },
        attributes: { 'openinference.span.kind': 'TOOL', 'tool.name': 'weather' },
      },
      {
        ...{ id: 'e', parent: 'a', name: 'Step 2', start: 5, end: 8 },
        attributes: { 'openinference.span.kind': 'CHAIN', 'output.value': '21 degrees' },
      },
      {
        ...{ id: 'f', parent: 'e', name: 'OpenAIModel.generate', start: 5, end: 7 },
        attributes: {
          'openinference.span.kind': 'LLM',
          'llm.model_name': 'gpt-4o',
          'output.value': '{"role":"assistant","content":null}',
          ...inferenceUsage(120, 20),
        },
      },
    ],
  },
  'Langfuse, with usage on the observation over the generations': {
    model: 'gpt-4o',
    provider: { ...twoRequests, isCachedApart: true },
    spans: [
      {
        ...{ id: 'a', name: 'weather-agent', start: 0, end: 9 },
        attributes: {
          'langfuse.observation.type': 'generation',
          'langfuse.observation.model.name': 'gpt-4o',
          ...langfuseUsage(220, 34, 80),
        },
      },
      {
        ...{ id: 'b', parent: 'a', name: 'model', start: 1, end: 3 },
        attributes: {
          'langfuse.observation.type': 'generation',
          'langfuse.observation.model.name': 'gpt-4o',
          ...langfuseUsage(100, 14, 40),
        },
      },
      {
        ...{ id: 'c', parent: 'a', name: 'model', start: 5, end: 7 },
        attributes: {
          'langfuse.observation.type': 'generation',
          'langfuse.observation.model.name': 'gpt-4o',
          ...langfuseUsage(120, 20, 40),
        },
      },
    ],
  },
  'Logfire 5.2 with OpenAI': {
    model: 'gpt-4o',
    provider: { input: 120, output: 20, cached: 40 },
    spans: [
      { ...{ id: 'a', name: 'answer', start: 0, end: 9 }, attributes: { 'logfire.span_type': 'span' } },
      {
        ...{ id: 'b', parent: 'a', name: 'Chat Completion with {request_data[model]!r}', start: 1, end: 3 },
        attributes: {
          'gen_ai.operation.name': 'chat',
          'gen_ai.request.model': 'gpt-4o',
          'gen_ai.response.id': 'chatcmpl-1',
          'gen_ai.usage.input_tokens': 120,
          'gen_ai.usage.output_tokens': 20,
          'gen_ai.usage.raw': JSON.stringify({
            completion_tokens: 20,
            prompt_tokens: 120,
            total_tokens: 140,
            completion_tokens_details: { reasoning_tokens: 5 },
            prompt_tokens_details: { cached_tokens: 40 },
          }),
        },
      },
    ],
  },
}
