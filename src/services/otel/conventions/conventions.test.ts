import { describe, expect, test } from 'bun:test'
import type { CompletedCall } from '../../../model/calls.ts'
import type { Span } from '../../../model/span.ts'
import { spanToCall } from '../span-to-call.ts'

const blank: Span = {
  traceId: 'a'.repeat(32),
  spanId: 'b'.repeat(16),
  parentId: null,
  traceState: '',
  name: 'work',
  kind: 1,
  start: { micros: 1_714_557_600_000_000, nanos: 0 },
  end: { micros: 1_714_557_601_000_000, nanos: 0 },
  attributes: [],
  events: [],
  links: [],
  statusCode: 0,
  statusMessage: '',
  flags: 0,
  droppedAttributes: 0,
  droppedEvents: 0,
  droppedLinks: 0,
}

interface Case {
  readonly attributes?: Readonly<Record<string, unknown>>
  readonly events?: readonly { name: string; attributes: Readonly<Record<string, unknown>> }[]
  readonly gives: Readonly<Record<string, unknown>>
}

const callOf = ({ attributes = {}, events = [] }: Case): CompletedCall => {
  const span = {
    ...blank,
    attributes: Object.entries(attributes),
    events: events.map((event) => ({
      name: event.name,
      time: null,
      attributes: Object.entries(event.attributes),
      droppedAttributes: 0,
    })),
  }
  return spanToCall(span, 'acme/bot', () => {}).call as CompletedCall
}

const question = [{ role: 'user', content: 'How tall is it?' }]
const answer = [{ role: 'assistant', content: '330 m' }]

const cases: Readonly<Record<string, Readonly<Record<string, Case>>>> = {
  'semantic conventions for generative AI': {
    'a chat': {
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'anthropic',
        'gen_ai.request.model': 'claude-sonnet-4-5',
        'gen_ai.response.model': 'claude-sonnet-4-5-20250929',
        'gen_ai.response.id': 'msg_1',
        'gen_ai.response.finish_reasons': ['stop'],
        'gen_ai.conversation.id': 'talk-7',
        'gen_ai.system_instructions': '[{"type":"text","content":"Be brief"}]',
        'gen_ai.input.messages': JSON.stringify(question),
        'gen_ai.output.messages': JSON.stringify(answer),
        'gen_ai.usage.input_tokens': 100,
        'gen_ai.usage.output_tokens': 20,
        'gen_ai.usage.cache_read.input_tokens': 60,
        'gen_ai.usage.cache_creation.input_tokens': 10,
      },
      gives: {
        inputs: { 'gen_ai.input.messages': question },
        output: { 'gen_ai.output.messages': answer },
        thread_id: 'talk-7',
        attributes: {
          operation_name: 'chat',
          provider: 'anthropic',
          model: 'claude-sonnet-4-5-20250929',
          model_parameters: { model: 'claude-sonnet-4-5' },
          response_id: 'msg_1',
          finish_reasons: ['stop'],
          system: [{ type: 'text', content: 'Be brief' }],
        },
        summary: {
          usage: {
            'claude-sonnet-4-5-20250929': {
              input_tokens: 100,
              output_tokens: 20,
              total_tokens: 120,
              cache_read_input_tokens: 60,
              cache_creation_input_tokens: 10,
              gross_input_tokens: 100,
            },
          },
        },
      },
    },
    'a tool': {
      attributes: {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': 'weather',
        'gen_ai.tool.call.arguments': '{"city":"Oslo"}',
        'gen_ai.tool.call.result': 'rain',
      },
      gives: {
        inputs: { 'gen_ai.tool.call.arguments': { city: 'Oslo' } },
        output: { 'gen_ai.tool.call.result': 'rain' },
        attributes: { operation_name: 'execute_tool', tool_name: 'weather' },
      },
    },
    'messages in an event': {
      events: [
        {
          name: 'gen_ai.client.inference.operation.details',
          attributes: { 'gen_ai.input.messages': JSON.stringify(question), 'gen_ai.output.messages': answer },
        },
      ],
      gives: { inputs: { 'gen_ai.input.messages': question }, output: { 'gen_ai.output.messages': answer } },
    },
  },
  'their older versions': {
    'indexed prompts': {
      attributes: {
        'gen_ai.system': 'openai',
        'gen_ai.request.model': 'gpt-4o',
        'gen_ai.request.temperature': 0.5,
        'gen_ai.prompt.0.role': 'user',
        'gen_ai.prompt.0.content': 'How tall is it?',
        'gen_ai.completion.0.role': 'assistant',
        'gen_ai.completion.0.content': '330 m',
        'gen_ai.usage.prompt_tokens': '7',
        'gen_ai.usage.completion_tokens': 3,
      },
      gives: {
        inputs: { 'gen_ai.prompt': question },
        output: { 'gen_ai.completion': answer },
        attributes: { system: 'openai', model: 'gpt-4o', model_parameters: { model: 'gpt-4o', temperature: 0.5 } },
        summary: { usage: { 'gpt-4o': { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 } } },
      },
    },
    'one event for each message': {
      attributes: { 'gen_ai.system': 'aws.bedrock' },
      events: [
        { name: 'gen_ai.user.message', attributes: { content: 'One?' } },
        { name: 'gen_ai.user.message', attributes: { content: 'Two?' } },
        { name: 'gen_ai.choice', attributes: { index: 0, 'message.content': 'Three.' } },
      ],
      gives: {
        inputs: { 'events.gen_ai.user.message': [{ content: 'One?' }, { content: 'Two?' }] },
        output: { 'events.gen_ai.choice': { index: 0, message: { content: 'Three.' } } },
      },
    },
    'content as OpenLIT has it': {
      attributes: { 'gen_ai.content.prompt': 'Hi', 'gen_ai.content.completion': 'Hello' },
      gives: { inputs: { 'gen_ai.content.prompt': 'Hi' }, output: { 'gen_ai.content.completion': 'Hello' } },
    },
  },
  OpenInference: {
    'an LLM span': {
      attributes: {
        'openinference.span.kind': 'LLM',
        'llm.model_name': 'gpt-4o-mini',
        'llm.provider': 'azure',
        'llm.system': 'openai',
        'llm.invocation_parameters': '{"top_p": 0.9}',
        'input.value': '{"messages": [1.0]}',
        'input.mime_type': 'application/json',
        'output.value': 'plain text',
        'llm.token_count.prompt': 50,
        'llm.token_count.completion': 5,
        'llm.token_count.total': 55,
        'llm.token_count.prompt_details.cache_read': 40,
        'session.id': 'sess',
      },
      gives: {
        inputs: { 'input.value': { messages: [1] } },
        output: { 'output.value': 'plain text' },
        thread_id: 'sess',
        attributes: {
          kind: 'LLM',
          model: 'gpt-4o-mini',
          provider: 'azure',
          system: 'openai',
          model_parameters: { top_p: 0.9 },
        },
        summary: {
          usage: {
            'gpt-4o-mini': { prompt_tokens: 50, completion_tokens: 5, total_tokens: 55, cache_read_input_tokens: 40 },
          },
        },
      },
    },
    'messages without a value': {
      attributes: {
        'llm.input_messages.0.message.role': 'user',
        'llm.input_messages.0.message.content': 'Hi',
        'llm.output_messages.0.message.content': 'Hello',
      },
      gives: {
        inputs: { 'llm.input_messages': [{ message: { role: 'user', content: 'Hi' } }] },
        output: { 'llm.output_messages': [{ message: { content: 'Hello' } }] },
      },
    },
    'a retriever': {
      attributes: { 'input.value': 'cats', 'retrieval.documents.0.document.content': 'A cat is' },
      gives: {
        inputs: { 'input.value': 'cats' },
        output: { 'retrieval.documents': [{ document: { content: 'A cat is' } }] },
      },
    },
  },
  Traceloop: {
    'a workflow': {
      attributes: {
        'traceloop.span.kind': 'workflow',
        'traceloop.entity.name': 'joke',
        'traceloop.entity.input': '{"args": ["pirates"], "kwargs": {}}',
        'traceloop.entity.output': '"Arr"',
        'traceloop.association.properties.session_id': 's-1',
      },
      gives: {
        inputs: { 'traceloop.entity.input': { args: ['pirates'], kwargs: {} } },
        output: { 'traceloop.entity.output': '"Arr"' },
        attributes: { kind: 'workflow' },
        thread_id: 's-1',
      },
    },
    'usage with caches': {
      attributes: {
        'gen_ai.request.model': 'claude-3-5-haiku',
        'gen_ai.usage.input_tokens': 5,
        'gen_ai.usage.output_tokens': 2,
        'gen_ai.usage.cache_read_input_tokens': 90,
        'llm.usage.total_tokens': 97,
      },
      gives: {
        summary: {
          usage: {
            'claude-3-5-haiku': { input_tokens: 5, output_tokens: 2, total_tokens: 97, cache_read_input_tokens: 90 },
          },
        },
      },
    },
  },
  'the AI SDK': {
    'a step': {
      attributes: {
        'ai.operationId': 'ai.generateText.doGenerate',
        'ai.model.id': 'gpt-4o',
        'ai.model.provider': 'openai.chat',
        'ai.settings.maxRetries': 2,
        'ai.prompt.messages': JSON.stringify(question),
        'ai.prompt.tools': ['{"type":"function","name":"weather"}'],
        'ai.response.text': '330 m',
        'ai.response.finishReason': 'stop',
        'gen_ai.usage.input_tokens': 9,
        'gen_ai.usage.output_tokens': 4,
        'ai.usage.promptTokens': 9,
        'ai.usage.completionTokens': 4,
      },
      gives: {
        inputs: { 'ai.prompt': { messages: question, tools: ['{"type":"function","name":"weather"}'] } },
        output: { 'ai.response': { text: '330 m', finishReason: 'stop' } },
        attributes: {
          operation_name: 'ai.generateText.doGenerate',
          model: 'gpt-4o',
          provider: 'openai.chat',
          model_parameters: { maxRetries: 2 },
          finish_reasons: 'stop',
          tools: ['{"type":"function","name":"weather"}'],
        },
        summary: { usage: { 'gpt-4o': { input_tokens: 9, output_tokens: 4, total_tokens: 13 } } },
      },
    },
    'a tool call': {
      attributes: { 'ai.toolCall.name': 'weather', 'ai.toolCall.args': '{"city":"Oslo"}', 'ai.toolCall.result': '{}' },
      gives: {
        inputs: { 'ai.toolCall.args': { city: 'Oslo' } },
        output: { 'ai.toolCall.result': {} },
        attributes: { tool_name: 'weather' },
      },
    },
  },
  MLflow: {
    'a chat': {
      attributes: {
        'mlflow.spanType': 'CHAT_MODEL',
        'mlflow.spanInputs': '{"q": 1}',
        'mlflow.spanOutputs': '{"a": 2}',
        'mlflow.llm.model': 'gpt-4o',
        'mlflow.chat.tokenUsage': '{"input_tokens": 3, "output_tokens": 4, "total_tokens": 7}',
        'mlflow.trace.session': 'sess',
      },
      gives: {
        inputs: { 'mlflow.spanInputs': { q: 1 } },
        output: { 'mlflow.spanOutputs': { a: 2 } },
        attributes: { kind: 'CHAT_MODEL', model: 'gpt-4o' },
        summary: { usage: { 'gpt-4o': { input_tokens: 3, output_tokens: 4, total_tokens: 7 } } },
        thread_id: 'sess',
      },
    },
  },
  'Pydantic AI': {
    'an agent': {
      attributes: {
        agent_name: 'helper',
        model_name: 'gpt-4o',
        'pydantic_ai.all_messages': JSON.stringify(question),
        final_result: '330 m',
      },
      gives: {
        inputs: { 'pydantic_ai.all_messages': question },
        output: { final_result: '330 m' },
        attributes: { agent_name: 'helper', model: 'gpt-4o' },
      },
    },
    'a tool': {
      attributes: { tool_arguments: '{"x":1}', tool_response: 'ok' },
      gives: { inputs: { tool_arguments: { x: 1 } }, output: { tool_response: 'ok' } },
    },
  },
  'Google ADK': {
    'a call of a model': {
      attributes: {
        'gen_ai.system': 'gcp.vertex.agent',
        'gen_ai.request.model': 'gemini-2.0-flash',
        'gcp.vertex.agent.session_id': 'sess',
        'gcp.vertex.agent.llm_request': '{"contents": []}',
        'gcp.vertex.agent.llm_response': '{"content": {}}',
      },
      gives: {
        inputs: { 'gcp.vertex.agent.llm_request': { contents: [] } },
        output: { 'gcp.vertex.agent.llm_response': { content: {} } },
        thread_id: 'sess',
      },
    },
    'a tool': {
      attributes: {
        'gcp.vertex.agent.tool_call_args': '{"city": "Oslo"}',
        'gcp.vertex.agent.tool_response': '{"sky": "grey"}',
        'gcp.vertex.agent.llm_request': '{}',
        'gcp.vertex.agent.llm_response': '{}',
      },
      gives: {
        inputs: { 'gcp.vertex.agent.tool_call_args': { city: 'Oslo' } },
        output: { 'gcp.vertex.agent.tool_response': { sky: 'grey' } },
      },
    },
  },
  Langfuse: {
    'a generation': {
      attributes: {
        'langfuse.observation.type': 'generation',
        'langfuse.observation.input': '{"q": 1}',
        'langfuse.observation.output': 'two',
        'langfuse.observation.model.name': 'gpt-4o',
        'langfuse.observation.model.parameters': '{"temperature": 0}',
        'langfuse.observation.usage_details': '{"input": 5, "output": 6, "total": 11}',
        'langfuse.startTime': '2024-05-01T09:00:00Z',
        'langfuse.endTime': 1_714_554_001.5,
        'langfuse.session.id': 'sess',
      },
      gives: {
        inputs: { 'langfuse.observation.input': { q: 1 } },
        output: { 'langfuse.observation.output': 'two' },
        started_at: 1_714_554_000,
        ended_at: 1_714_554_001.5,
        attributes: { kind: 'generation', model: 'gpt-4o', model_parameters: { temperature: 0 } },
        summary: { usage: { 'gpt-4o': { input_tokens: 5, output_tokens: 6, total_tokens: 11 } } },
        thread_id: 'sess',
      },
    },
  },
  'attributes of this API': {
    'in the neutral prefix': {
      attributes: {
        'ext.display_name': 'Ask',
        'ext.thread_id': 't',
        'ext.is_turn': true,
        'ext.run_id': 'acme/bot/run-1',
        'ext.run_step': 3,
        'ext.span.kind': 'agent',
        'ext.attributes': '{"tier": "gold"}',
      },
      gives: {
        display_name: 'Ask',
        thread_id: 't',
        turn_id: blank.spanId,
        ext_run_id: 'acme/bot/run-1',
        ext_run_step: 3,
        attributes: { kind: 'agent', tier: 'gold' },
      },
    },
    'in the vendor’s': {
      attributes: {
        'wandb.display_name': 'Ask',
        'wandb.thread_id': 't',
        'wandb.is_turn': 'false',
        'wandb.wb_run_id': 'acme/bot/run-1',
        'wandb.wb_run_step_end': '4',
        'wandb.attributes.tier': 'gold',
      },
      gives: {
        display_name: 'Ask',
        thread_id: 't',
        turn_id: null,
        ext_run_id: 'acme/bot/run-1',
        ext_run_step_end: 4,
        attributes: { tier: 'gold' },
      },
    },
  },
  'no convention': {
    'an object under input and output': {
      attributes: { input: '{"a": 1}', output: '[1, 2]' },
      gives: { inputs: { a: 1 }, output: [1, 2] },
    },
    'plain values under inputs and outputs': {
      attributes: { inputs: 'a', outputs: 'b' },
      gives: { inputs: { inputs: 'a' }, output: 'b' },
    },
    'anything else shows as it is': {
      attributes: { 'http.route': '/ask', 'http.status': 200, retried: false },
      gives: { inputs: {}, attributes: { http: { route: '/ask', status: 200 }, retried: false }, summary: {} },
    },
  },
}

for (const [convention, table] of Object.entries(cases)) {
  describe(convention, () => {
    for (const [name, one] of Object.entries(table)) {
      test(name, () => {
        const call = callOf(one) as unknown as Record<string, unknown>
        const given = Object.fromEntries(Object.keys(one.gives).map((member) => [member, call[member]]))
        expect(JSON.parse(JSON.stringify(given))).toEqual(JSON.parse(JSON.stringify(one.gives)))
      })
    }
  })
}
