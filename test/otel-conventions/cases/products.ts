import { rawNumber } from '../../../src/lib/json-value.ts'
import { answer, type Cases, question, spanId } from './case.ts'

/** Attributes of individual products, and some that follow no convention. */
export const products: Cases = {
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
          kind: 'llm',
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
    'a call with a session id in its metadata': {
      attributes: {
        'ai.prompt': '{"prompt":"How tall is it?"}',
        'ai.result.text': '330 m',
        'ai.telemetry.functionId': 'ask',
        'ai.telemetry.metadata.sessionId': 'sess',
      },
      gives: {
        inputs: { 'ai.prompt': { prompt: 'How tall is it?' } },
        output: { 'ai.result': { text: '330 m' } },
        thread_id: 'sess',
      },
    },
    'a tool call': {
      attributes: { 'ai.toolCall.name': 'weather', 'ai.toolCall.args': '{"city":"Oslo"}', 'ai.toolCall.result': '{}' },
      gives: {
        inputs: { 'ai.toolCall.args': { city: 'Oslo' } },
        output: { 'ai.toolCall.result': {} },
        attributes: { kind: 'tool', tool_name: 'weather' },
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
        attributes: { kind: 'chat_model', model: 'gpt-4o' },
        summary: { usage: { 'gpt-4o': { input_tokens: 3, output_tokens: 4, total_tokens: 7 } } },
        thread_id: 'sess',
      },
    },
    'attributes of its own SDK, each a JSON string': {
      attributes: {
        'mlflow.traceRequestId': '"tr-1"',
        'mlflow.spanType': '"CHAT_MODEL"',
        'mlflow.spanInputs': '"How \\"tall\\" is it?"',
        'mlflow.spanOutputs': '330.0',
        'mlflow.llm.model': '"gpt-4o"',
        'mlflow.chat.tokenUsage': '{"input_tokens": 3, "output_tokens": 4, "total_tokens": 7}',
        'mlflow.trace.session': '"sess"',
      },
      gives: {
        inputs: { 'mlflow.spanInputs': 'How "tall" is it?' },
        output: { 'mlflow.spanOutputs': rawNumber('330.0') },
        attributes: { kind: 'chat_model', model: 'gpt-4o' },
        summary: { usage: { 'gpt-4o': { input_tokens: 3, output_tokens: 4, total_tokens: 7 } } },
        thread_id: 'sess',
      },
    },
    'a span without an output': {
      attributes: { 'mlflow.spanInputs': '"How', 'mlflow.spanOutputs': 'null' },
      gives: { inputs: { 'mlflow.spanInputs': '"How' }, output: undefined },
    },
    'also messages of the GenAI convention': {
      attributes: {
        'mlflow.spanInputs': '{"q": 1}',
        'mlflow.spanOutputs': '{"a": 2}',
        'gen_ai.input.messages': JSON.stringify(question),
        'gen_ai.output.messages': JSON.stringify(answer),
      },
      gives: { inputs: { 'mlflow.spanInputs': { q: 1 } }, output: { 'gen_ai.output.messages': answer } },
    },
  },
  Logfire: {
    'an OpenAI call': {
      attributes: {
        request_data: JSON.stringify({ messages: question, model: 'gpt-4o' }),
        response_data: JSON.stringify({ message: answer[0], usage: null }),
        'gen_ai.system': 'openai',
        'gen_ai.request.model': 'gpt-4o',
        'gen_ai.response.model': 'gpt-4o-2024-08-06',
        'logfire.msg': 'Chat Completion with gpt-4o',
      },
      gives: {
        inputs: { request_data: { messages: question, model: 'gpt-4o' } },
        output: { response_data: { message: answer[0], usage: null } },
        attributes: {
          kind: 'llm',
          system: 'openai',
          model: 'gpt-4o-2024-08-06',
          model_parameters: { model: 'gpt-4o' },
        },
      },
    },
    'cached and reasoning tokens, which only the raw usage tells': {
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.request.model': 'gpt-4o',
        'gen_ai.usage.input_tokens': 120,
        'gen_ai.usage.output_tokens': 20,
        'gen_ai.usage.raw': JSON.stringify({
          completion_tokens: 20,
          prompt_tokens: 120,
          total_tokens: 140,
          completion_tokens_details: { reasoning_tokens: 5 },
          prompt_tokens_details: { cached_tokens: 40 },
        }),
      },
      gives: {
        summary: {
          usage: {
            'gpt-4o': {
              input_tokens: 120,
              output_tokens: 20,
              total_tokens: 140,
              cache_read_input_tokens: 40,
              reasoning_tokens: 5,
              gross_input_tokens: 120,
            },
          },
        },
      },
    },
    'the same of the Responses API': {
      attributes: {
        'gen_ai.request.model': 'gpt-4o',
        'gen_ai.usage.input_tokens': 120,
        'gen_ai.usage.output_tokens': 20,
        'gen_ai.usage.raw': JSON.stringify({
          input_tokens: 120,
          input_tokens_details: { cached_tokens: 40 },
          output_tokens: 20,
          output_tokens_details: { reasoning_tokens: 5 },
          total_tokens: 140,
        }),
      },
      gives: {
        summary: {
          usage: {
            'gpt-4o': {
              input_tokens: 120,
              output_tokens: 20,
              total_tokens: 140,
              cache_read_input_tokens: 40,
              reasoning_tokens: 5,
              gross_input_tokens: 120,
            },
          },
        },
      },
    },
    "Anthropic's cache": {
      attributes: {
        'gen_ai.request.model': 'claude-sonnet-4-5',
        'gen_ai.usage.input_tokens': 120,
        'gen_ai.usage.output_tokens': 20,
        'gen_ai.usage.raw':
          '{"cache_creation_input_tokens":10,"cache_read_input_tokens":40,"input_tokens":70,"output_tokens":20}',
      },
      gives: {
        summary: {
          usage: {
            'claude-sonnet-4-5': {
              input_tokens: 120,
              output_tokens: 20,
              total_tokens: 140,
              cache_read_input_tokens: 40,
              cache_creation_input_tokens: 10,
              gross_input_tokens: 120,
            },
          },
        },
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
        attributes: { kind: 'agent', agent_name: 'helper', model: 'gpt-4o' },
      },
    },
    'a tool': {
      attributes: { tool_arguments: '{"x":1}', tool_response: 'ok' },
      gives: { inputs: { tool_arguments: { x: 1 } }, output: { tool_response: 'ok' } },
    },
  },
  'Google ADK': {
    'a model call': {
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
    'times in nanoseconds, beyond the precision of a double': {
      attributes: {
        'langfuse.startTime': rawNumber('1714554000123456789'),
        'langfuse.endTime': '1714554001500000001',
      },
      gives: { started_at: 1_714_554_000.123456, ended_at: 1_714_554_001.5 },
    },
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
    'with the neutral prefix': {
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
        turn_id: spanId,
        ext_run_id: 'acme/bot/run-1',
        ext_run_step: 3,
        attributes: { kind: 'agent', tier: 'gold' },
      },
    },
    'an explicit thread id takes precedence over the session of an instrumentation': {
      attributes: { 'session.id': 'sess', 'wandb.thread_id': 't', 'wandb.is_turn': true },
      gives: { thread_id: 't', turn_id: spanId },
    },
    'a GenAI conversation id takes precedence over a thread id': {
      attributes: { 'gen_ai.conversation.id': 'talk', 'ext.thread_id': 't' },
      gives: { thread_id: 'talk' },
    },
    'a Google ADK session takes precedence over a thread id': {
      attributes: { 'gcp.vertex.agent.session_id': 'talk', 'ext.thread_id': 't' },
      gives: { thread_id: 'talk' },
    },
    'with the vendor’s prefix': {
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
        attributes: { kind: 'function', tier: 'gold' },
      },
    },
  },
  'no convention': {
    'a web request keeps its attributes beside its user': {
      attributes: { 'http.route': '/ask', 'enduser.id': 'ada', 'error.type': '500' },
      gives: {
        attributes: {
          http: { route: '/ask' },
          enduser: { id: 'ada' },
          error: { type: '500' },
          user_id: 'ada',
          error_type: '500',
          kind: 'function',
        },
      },
    },
    'objects in input and output': {
      attributes: { input: '{"a": 1}', output: '[1, 2]' },
      gives: { inputs: { a: 1 }, output: [1, 2] },
    },
    'plain values in inputs and outputs': {
      attributes: { inputs: 'a', outputs: 'b' },
      gives: { inputs: { inputs: 'a' }, output: 'b' },
    },
    'any other attribute is kept unchanged': {
      attributes: { 'http.route': '/ask', 'http.status': 200, retried: false },
      gives: {
        inputs: {},
        attributes: { http: { route: '/ask', status: 200 }, retried: false, kind: 'function' },
        summary: {},
      },
    },
  },
}
