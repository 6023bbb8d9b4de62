import { logGroupOf, type RecordDraft, recordOf } from '../support/otlp-logs.ts'

/** Events of one session of a coding agent, in the order in which they happen. */
export interface Session {
  readonly scope: string
  readonly resource: Readonly<Record<string, unknown>>
  readonly records: readonly Record<string, unknown>[]
}

export const exportOfSession = ({ scope, resource }: Session, records: readonly unknown[]) => ({
  resourceLogs: [logGroupOf(records, resource, scope)],
})

/** 2026-11-22T10:00:00Z plus milliseconds, in nanoseconds. */
const at = (ms: number): string => `${1_795_341_600_000 + ms}000000`
const isoAt = (ms: number): string => new Date(1_795_341_600_000 + ms).toISOString()

type Event = readonly [name: string, ms: number, attributes: Readonly<Record<string, unknown>>, extra?: RecordDraft]

/** A session of Claude Code with a title, two prompts, a tool and a failed request. */
export function claudeSession(id: string): Session {
  const first = { 'prompt.id': `${id}-p1` }
  const second = { 'prompt.id': `${id}-p2` }
  const usage = { input_tokens: 120, output_tokens: 30, cache_read_tokens: 1000, cache_creation_tokens: 200 }
  const request = (request_id: string, source = 'repl_main_thread', cost = 0.5) => ({
    model: 'claude-sonnet-4-5',
    ...usage,
    cost_usd: cost,
    duration_ms: 40,
    request_id,
    query_source: source,
  })
  const events: readonly Event[] = [
    ['api_request', 50, request('req-title', 'generate_session_title', 0.25)],
    ['user_prompt', 100, { ...first, prompt: 'Fix the test', prompt_length: '12' }],
    ['api_request', 200, { ...first, ...request('req-1') }],
    ['assistant_response', 200, { ...first, response: 'Let me look.', request_id: 'req-1' }],
    [
      'tool_result',
      300,
      {
        ...first,
        tool_name: 'Bash',
        tool_use_id: 'toolu-1',
        success: 'false',
        duration_ms: '85',
        error: 'exit code 1',
        tool_input: '{"command":"make test"}',
      },
    ],
    ['api_request', 400, { ...first, ...request('req-2') }],
    ['assistant_response', 400, { ...first, response: 'It is fixed.', request_id: 'req-2' }],
    ['user_prompt', 1000, { ...second, prompt_length: '5' }],
    ['api_error', 1100, { ...second, model: 'claude-sonnet-4-5', error: 'overloaded', duration_ms: 30, attempt: 1 }],
    ['api_request', 1200, { ...second, ...request('req-3') }],
    ['assistant_response', 1200, { ...second, response: 'Done.', request_id: 'req-3' }],
  ]
  return {
    scope: 'com.anthropic.claude_code.events',
    resource: { 'service.name': 'claude-code', 'service.version': '2.1.197' },
    records: events.map(([name, ms, attributes], index) =>
      recordOf({
        time: at(ms),
        body: `claude_code.${name}`,
        attributes: {
          'session.id': id,
          'user.id': 'user-1',
          'event.name': name,
          'event.timestamp': isoAt(ms),
          'event.sequence': index,
          ...attributes,
        },
      }),
    ),
  }
}

/** A session of Codex with two prompts and a tool. */
export function codexSession(id: string): Session {
  const usage = {
    'event.kind': 'response.completed',
    input_token_count: '1320',
    output_token_count: '40',
    cached_token_count: '1000',
    reasoning_token_count: '10',
  }
  const events: readonly Event[] = [
    ['conversation_starts', 0, {}],
    ['user_prompt', 100, { prompt: 'Say hello', prompt_length: '9' }],
    ['api_request', 150, { duration_ms: '30', 'http.response.status_code': '200' }],
    ['sse_event', 180, { 'event.kind': 'response.completed', duration_ms: '0' }],
    ['sse_event', 181, usage],
    [
      'tool_result',
      250,
      {
        tool_name: 'shell',
        call_id: 'c1',
        duration_ms: '50',
        success: 'true',
        arguments: '{"cmd":"ls"}',
        output: 'a\n',
      },
    ],
    ['api_request', 300, { duration_ms: '20', 'http.response.status_code': '200' }],
    ['sse_event', 350, usage],
    ['user_prompt', 1000, { prompt: '[REDACTED]', prompt_length: '3' }],
    ['api_request', 1050, { duration_ms: '10', 'error.message': 'connection reset' }],
    ['api_request', 1100, { duration_ms: '10', 'http.response.status_code': '200' }],
    ['sse_event', 1150, usage],
  ]
  return {
    scope: 'codex_otel.log_only',
    resource: { 'service.name': 'codex_exec', 'service.version': '0.169.0' },
    records: events.map(([name, ms, attributes]) => ({
      observedTimeUnixNano: at(ms),
      severityNumber: 9,
      eventName: 'event otel/src/events/session_telemetry.rs:1',
      attributes: recordOf({
        attributes: {
          'event.name': `codex.${name}`,
          'event.timestamp': isoAt(ms),
          'conversation.id': id,
          model: 'gpt-5-codex',
          ...attributes,
        },
      })['attributes'],
    })),
  }
}

/** A session of Gemini CLI with routing, a tool and the details of its requests. */
function geminiSession(id: string): Session {
  const prompt_id = `${id}########1`
  const usage = {
    input_token_count: 1320,
    output_token_count: 30,
    cached_content_token_count: 1000,
    thoughts_token_count: 10,
    tool_token_count: 0,
    total_token_count: 1360,
  }
  const tail = (ms: number) => `from gemini-2.5-pro. Status: 200. Duration: ${ms}ms.`
  const response = (ms: number, role: string): Event => [
    'gemini_cli.api_response',
    ms,
    { model: 'gemini-2.5-pro', duration_ms: 40, ...usage, prompt_id, role },
    { body: `API response ${tail(40)}` },
  ]
  const detailsOf = (ms: number, text: string): Event => [
    'gen_ai.client.inference.operation.details',
    ms,
    {
      'gen_ai.request.model': 'gemini-2.5-pro',
      'gen_ai.input.messages': JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: 'Say hello' }] }]),
      'gen_ai.output.messages': JSON.stringify([{ role: 'assistant', parts: [{ type: 'text', content: text }] }]),
    },
    { body: `GenAI operation details ${tail(40)}` },
  ]
  const events: readonly Event[] = [
    ['gemini_cli.config', 0, { model: 'auto' }],
    ['gemini_cli.user_prompt', 100, { prompt_id, prompt: 'Say hello', prompt_length: 9 }],
    response(200, 'utility_router'),
    detailsOf(200, 'flash'),
    response(300, 'main'),
    detailsOf(300, 'Let me look.'),
    [
      'gemini_cli.tool_call',
      400,
      {
        function_name: 'run_shell_command',
        duration_ms: 50,
        success: true,
        prompt_id,
        function_args: '{"command":"ls"}',
      },
    ],
    response(500, 'main'),
    detailsOf(500, 'Hello!'),
  ]
  return {
    scope: 'gemini-cli',
    resource: { 'service.name': 'gemini-cli', 'session.id': id },
    records: events.map(([name, ms, attributes, extra]) =>
      recordOf({
        time: at(ms),
        ...extra,
        attributes: { 'session.id': id, 'event.name': name, 'event.timestamp': isoAt(ms), ...attributes },
      }),
    ),
  }
}

export const sessions = { 'Claude Code': claudeSession, Codex: codexSession, 'Gemini CLI': geminiSession } as const
