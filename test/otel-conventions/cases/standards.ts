import { rawNumber } from '../../../src/lib/json-value.ts'
import { answer, type Cases, question } from './case.ts'

/** Conventions that many instrumentations share. */
export const standards: Cases = {
  'GenAI semantic conventions': {
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
          kind: 'llm',
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
        attributes: { kind: 'tool', operation_name: 'execute_tool', tool_name: 'weather' },
      },
    },
    'a conversation id that is an integer beyond 2^53': {
      attributes: { 'gen_ai.conversation.id': rawNumber('1267890123456789123') },
      gives: { thread_id: '1267890123456789123' },
    },
    'an empty response model': {
      attributes: {
        'gen_ai.request.model': 'gpt-4o',
        'gen_ai.response.model': '',
        'gen_ai.usage.input_tokens': 1,
      },
      gives: {
        attributes: { kind: 'llm', model: 'gpt-4o', model_parameters: { model: 'gpt-4o' } },
        summary: { usage: { 'gpt-4o': { input_tokens: 1 } } },
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
  'older GenAI semantic conventions': {
    'a prompt name is not a prompt': {
      attributes: {
        'gen_ai.prompt.name': 'greeting',
        'gen_ai.completion.choices': 1,
        'gen_ai.input.messages': JSON.stringify(question),
        'gen_ai.output.messages': JSON.stringify(answer),
      },
      gives: { inputs: { 'gen_ai.input.messages': question }, output: { 'gen_ai.output.messages': answer } },
    },
    'a prompt name without messages is kept as an attribute': {
      attributes: { 'gen_ai.prompt.name': 'greeting' },
      gives: {
        inputs: {},
        attributes: { gen_ai: { prompt: { name: 'greeting' } }, prompt_name: 'greeting', kind: 'function' },
      },
    },
    'a prompt with a name and messages': {
      attributes: { 'gen_ai.prompt.name': 'greeting', 'gen_ai.prompt.0.content': 'Hi', 'gen_ai.input.messages': '[]' },
      gives: { inputs: { 'gen_ai.prompt': { name: 'greeting', 0: { content: 'Hi' } } } },
    },
    'a prompt that is a single value': {
      attributes: { 'gen_ai.prompt': '{"text":"Hi"}', 'gen_ai.completion': 'Hello', 'gen_ai.input.messages': '[]' },
      gives: { inputs: { 'gen_ai.prompt': { text: 'Hi' } }, output: { 'gen_ai.completion': 'Hello' } },
    },
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
        attributes: {
          kind: 'llm',
          system: 'openai',
          model: 'gpt-4o',
          model_parameters: { model: 'gpt-4o', temperature: 0.5 },
        },
        summary: { usage: { 'gpt-4o': { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 } } },
      },
    },
    'one event per message': {
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
    'content in the format of OpenLIT': {
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
          kind: 'llm',
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
    'a model named only in the parameters': {
      attributes: { 'llm.invocation_parameters': '{"model": "gpt-4o", "top_p": 0.9}', 'llm.token_count.prompt': 5 },
      gives: {
        attributes: { kind: 'llm', model: 'gpt-4o', model_parameters: { model: 'gpt-4o', top_p: 0.9 } },
        summary: { usage: { 'gpt-4o': { prompt_tokens: 5 } } },
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
        attributes: { kind: 'workflow', metadata: { session_id: 's-1' } },
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
}
