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

/** Events of the models' answers; all other messages are what the models were sent. */
const choices = ['gen_ai.choice']

/**
 * Messages as span events (Strands Agents, Bedrock), or as a list of such events in an attribute
 * (Pydantic AI). Tools and agents of Strands write their result as a choice, too.
 */
export const genAiEvents: Convention = {
  inputs: [
    {
      messages: ['gen_ai.system.message', 'gen_ai.user.message', 'gen_ai.assistant.message', 'gen_ai.tool.message'],
    },
    { recorded: 'events', names: choices, isExcept: true },
    { event: 'gen_ai.content.prompt' },
  ],
  output: [
    { event: 'gen_ai.choice' },
    { recorded: 'events', names: choices, isExcept: false },
    { event: 'gen_ai.content.completion' },
  ],
}
