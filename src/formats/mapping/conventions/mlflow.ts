import type { Convention } from './convention.ts'

/** MLflow Tracing: https://mlflow.org/docs/latest/genai/tracing/opentelemetry/attribute-mapping */
export const mlflow: Convention = {
  inputs: ['mlflow.spanInputs'],
  output: ['mlflow.spanOutputs'],
  usage: {
    input_tokens: ['mlflow.chat.tokenUsage.input_tokens'],
    output_tokens: ['mlflow.chat.tokenUsage.output_tokens'],
    total_tokens: ['mlflow.chat.tokenUsage.total_tokens'],
    cache_read_input_tokens: ['mlflow.chat.tokenUsage.cache_read_input_tokens'],
    cache_creation_input_tokens: ['mlflow.chat.tokenUsage.cache_creation_input_tokens'],
  },
  attributes: {
    kind: ['mlflow.spanType'],
    model: ['mlflow.llm.model'],
    provider: ['mlflow.llm.provider'],
    tools: ['mlflow.chat.tools'],
    user_id: ['mlflow.trace.user'],
  },
  conversation: ['mlflow.trace.session'],
  valuesAreJson: true,
}
