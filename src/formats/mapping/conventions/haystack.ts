import type { Convention } from './convention.ts'

/** Metadata of the model that generators and embedders put into the output of a component. */
const metas = ['haystack.component.output', 'haystack.agent.step.llm.output'].flatMap((output) => [
  `${output}.replies.0.meta`,
  `${output}.replies.0._meta`,
  `${output}.meta.0`,
  `${output}.meta`,
])

const inMetas = (...names: readonly string[]): string[] =>
  names.flatMap((name) => metas.map((meta) => `${meta}.${name}`))

/** Haystack's own tracing: https://docs.haystack.deepset.ai/docs/tracing */
export const haystack: Convention = {
  inputs: [
    'haystack.component.input',
    'haystack.agent.step.llm.input',
    'haystack.agent.step.tool.input',
    'haystack.agent.input',
    'haystack.pipeline.input_data',
  ],
  output: [
    'haystack.component.output',
    'haystack.agent.step.llm.output',
    'haystack.agent.step.tool.output',
    'haystack.agent.output',
    'haystack.pipeline.output_data',
  ],
  usage: {
    input_tokens: inMetas('usage.input_tokens'),
    output_tokens: inMetas('usage.output_tokens'),
    prompt_tokens: inMetas('usage.prompt_tokens'),
    completion_tokens: inMetas('usage.completion_tokens'),
    total_tokens: inMetas('usage.total_tokens'),
    cache_read_input_tokens: inMetas(
      'usage.prompt_tokens_details.cached_tokens',
      'usage.input_tokens_details.cached_tokens',
      'usage.cache_read_input_tokens',
    ),
    cache_creation_input_tokens: inMetas('usage.cache_creation_input_tokens'),
    reasoning_tokens: inMetas(
      'usage.completion_tokens_details.reasoning_tokens',
      'usage.output_tokens_details.reasoning_tokens',
    ),
  },
  attributes: {
    model: inMetas('model'),
    finish_reasons: inMetas('finish_reason'),
    component_type: ['haystack.component.type'],
    tools: ['haystack.agent.tools'],
    metadata: ['haystack.pipeline.metadata'],
  },
}
