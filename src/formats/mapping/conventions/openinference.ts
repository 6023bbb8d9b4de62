import type { Convention } from './convention.ts'

/** OpenInference: https://arize-ai.github.io/openinference/spec/semantic_conventions.html */
export const openInference: Convention = {
  inputs: ['input.value', 'llm.input_messages', 'llm.prompts', 'embedding.embeddings', 'tool.parameters'],
  output: ['output.value', 'llm.output_messages', 'retrieval.documents', 'reranker.output_documents'],
  usage: {
    prompt_tokens: ['llm.token_count.prompt'],
    completion_tokens: ['llm.token_count.completion'],
    total_tokens: ['llm.token_count.total'],
    cache_read_input_tokens: ['llm.token_count.prompt_details.cache_read'],
    cache_creation_input_tokens: ['llm.token_count.prompt_details.cache_write'],
    reasoning_tokens: ['llm.token_count.completion_details.reasoning'],
  },
  attributes: {
    system: ['llm.system'],
    kind: ['openinference.span.kind'],
    model: ['llm.model_name', 'embedding.model_name', 'reranker.model_name'],
    provider: ['llm.provider'],
    model_parameters: ['llm.invocation_parameters'],
    tools: ['llm.tools'],
    agent_name: ['agent.name'],
    tool_name: ['tool.name'],
    user_id: ['user.id'],
    tags: ['tag.tags'],
    metadata: ['metadata'],
  },
  conversation: ['session.id'],
}

/** The response of a model, as the provider's package returned it. */
export const openInferenceResponse: Convention = {
  attributes: { response_id: ['output.value.id'] },
  onlyWith: 'llm',
}
