/**
 * Attributes that may be stored in `inputs` or `output` only: those that contain the complete input
 * and output. All others are read from the stored span.
 */
export const heldAttributes: readonly string[] = [
  'gen_ai.input.messages',
  'gen_ai.output.messages',
  'gen_ai.tool.call.arguments',
  'gen_ai.tool.call.result',
  'input.value',
  'output.value',
  'traceloop.entity.input',
  'traceloop.entity.output',
  'langfuse.observation.input',
  'langfuse.observation.output',
  'gcp.vertex.agent.llm_request',
  'gcp.vertex.agent.llm_response',
  'gcp.vertex.agent.tool_call_args',
  'gcp.vertex.agent.tool_response',
  'pydantic_ai.all_messages',
  'final_result',
  'braintrust.input_json',
  'braintrust.output_json',
  'haystack.component.input',
  'haystack.component.output',
]
