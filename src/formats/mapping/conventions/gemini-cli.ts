import type { Convention } from './convention.ts'

/** Spans of Gemini CLI, beyond the GenAI conventions: https://geminicli.com/docs/cli/telemetry */
export const geminiCli: Convention = {
  attributes: { tool_call_id: ['gen_ai.tool.call_id'] },
}
