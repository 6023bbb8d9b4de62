import type { Convention } from './convention.ts'

/**
 * The same conventions before version 1.37: indexed prompts (which OpenLLMetry still writes),
 * messages as span events.
 * https://github.com/open-telemetry/semantic-conventions/blob/v1.27.0/docs/gen-ai/gen-ai-spans.md
 */
export const genAiLegacy: Convention = {
  inputs: [{ list: 'gen_ai.prompt' }],
  output: [{ list: 'gen_ai.completion' }],
  usage: {
    prompt_tokens: ['gen_ai.usage.prompt_tokens'],
    completion_tokens: ['gen_ai.usage.completion_tokens'],
  },
  attributes: { system: ['gen_ai.system'] },
}

/** Messages as span events; each keeps the name of its event. */
export const genAiEvents: Convention = {
  inputs: [{ event: 'gen_ai.user.message' }, { event: 'gen_ai.content.prompt' }, { event: 'gen_ai.system.message' }],
  output: [{ event: 'gen_ai.choice' }, { event: 'gen_ai.content.completion' }, { event: 'gen_ai.assistant.message' }],
}
