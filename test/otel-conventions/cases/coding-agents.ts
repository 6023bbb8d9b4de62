import type { Cases } from './case.ts'

/** Spans of coding agents, with the attributes that their programs send. */
export const codingAgents: Cases = {
  'Claude Code': {
    'a request to a model': {
      span: 'claude_code.llm_request',
      attributes: {
        'user.id': 'u-1',
        'session.id': 's-1',
        'span.type': 'llm_request',
        model: 'claude-sonnet-4-5[1m]',
        'gen_ai.system': 'anthropic',
        'gen_ai.request.model': 'claude-sonnet-4-5[1m]',
        input_tokens: 520,
        output_tokens: 30,
        cache_read_tokens: 100,
        cache_creation_tokens: 20,
        request_id: 'req_1',
      },
      gives: {
        thread_id: 's-1',
        summary: {
          usage: {
            'claude-sonnet-4-5[1m]': {
              input_tokens: 520,
              output_tokens: 30,
              cache_read_input_tokens: 100,
              cache_creation_input_tokens: 20,
              total_tokens: 670,
            },
          },
        },
      },
    },
    'a prompt': {
      span: 'claude_code.interaction',
      attributes: { 'session.id': 's-1', 'span.type': 'interaction', user_prompt: 'Fix the test' },
      gives: { inputs: { user_prompt: 'Fix the test' }, thread_id: 's-1', attributes: { kind: 'interaction' } },
    },
    'a tool': {
      span: 'claude_code.tool',
      attributes: {
        'session.id': 's-1',
        'span.type': 'tool',
        tool_name: 'Bash',
        full_command: 'ls',
        tool_use_id: 'toolu_1',
      },
      events: [{ name: 'tool.output', attributes: { output: 'a' } }],
      gives: {
        inputs: { full_command: 'ls' },
        output: 'a',
        attributes: { kind: 'tool', tool_name: 'Bash', tool_call_id: 'toolu_1' },
      },
    },
  },
  Codex: {
    'a turn': {
      span: 'session_task.turn',
      attributes: {
        'thread.id': '01a205b6-62e2-7be2-8f36-e351ecff1d75',
        'turn.id': '01a205b6-6377-7e23-99bf-75c21abb3208',
        model: 'gpt-5-codex',
        'codex.turn.token_usage.input_tokens': '2640',
        'codex.turn.token_usage.cached_input_tokens': '2000',
        'codex.turn.token_usage.output_tokens': '80',
        'codex.turn.token_usage.reasoning_output_tokens': '20',
        'codex.turn.token_usage.total_tokens': '2720',
      },
      gives: {
        thread_id: '01a205b6-62e2-7be2-8f36-e351ecff1d75',
        summary: {
          usage: {
            'gpt-5-codex': {
              input_tokens: 2640,
              output_tokens: 80,
              total_tokens: 2720,
              cache_read_input_tokens: 2000,
              reasoning_tokens: 20,
              gross_input_tokens: 2640,
            },
          },
        },
      },
    },
    'a request of a turn, which does not count again': {
      span: 'handle_responses',
      attributes: {
        'thread.id': '4',
        'codex.usage.total_tokens': '1360',
        'gen_ai.usage.input_tokens': '1320',
        'gen_ai.usage.output_tokens': '40',
      },
      gives: { thread_id: null, summary: {} },
    },
  },
  'Gemini CLI': {
    'a request to a model, whose prompt has a name': {
      span: 'llm_call',
      attributes: {
        'gen_ai.operation.name': 'llm_call',
        'gen_ai.request.model': 'gemini-2.5-pro',
        'gen_ai.prompt.name': 's-1########1',
        'gen_ai.conversation.id': 's-1',
        'gen_ai.input.messages': '[{"role":"user","parts":[{"text":"Hello"}]}]',
        'gen_ai.usage.input_tokens': 1320,
        'gen_ai.usage.output_tokens': 30,
      },
      gives: {
        inputs: { 'gen_ai.input.messages': [{ role: 'user', parts: [{ text: 'Hello' }] }] },
        thread_id: 's-1',
        summary: { usage: { 'gemini-2.5-pro': { input_tokens: 1320, output_tokens: 30, total_tokens: 1350 } } },
      },
    },
  },
}
