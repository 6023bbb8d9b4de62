import { answer, type Cases, question } from './case.ts'

const asked = [{ text: 'How tall is it?' }]
const answered = [{ text: '330 m' }]

/** Agent frameworks with attributes or events of their own. */
export const frameworks: Cases = {
  Mastra: {
    'an agent': {
      attributes: {
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.agent.name': 'guide',
        'gen_ai.conversation.id': 'talk',
        'mastra.span.type': 'agent_run',
        'mastra.agent_run.input': JSON.stringify(question),
        'mastra.agent_run.output': '{"text":"330 m"}',
        'mastra.metadata.userId': 'ada',
        'mastra.metadata.threadId': 'talk',
        'mastra.tags': '["paris"]',
      },
      gives: {
        inputs: { 'mastra.agent_run.input': question },
        output: { 'mastra.agent_run.output': { text: '330 m' } },
        thread_id: 'talk',
        attributes: {
          kind: 'agent_run',
          agent_name: 'guide',
          operation_name: 'invoke_agent',
          user_id: 'ada',
          tags: ['paris'],
          metadata: { userId: 'ada', threadId: 'talk' },
        },
      },
    },
    'a model of its first exporter': {
      attributes: {
        'gen_ai.operation.name': 'chat',
        'mastra.span.type': 'llm_generation',
        'gen_ai.prompt': JSON.stringify({ messages: question }),
        'gen_ai.completion': '{"text":"330 m"}',
        'gen_ai.request.model': 'gpt-4o',
        'gen_ai.usage.input_tokens': 30,
        'gen_ai.usage.output_tokens': 4,
        'gen_ai.usage.total_tokens': 34,
        'gen_ai.usage.cached_input_tokens': 20,
      },
      gives: {
        inputs: { 'gen_ai.prompt': { messages: question } },
        output: { 'gen_ai.completion': { text: '330 m' } },
        summary: {
          usage: {
            'gpt-4o': {
              input_tokens: 30,
              output_tokens: 4,
              total_tokens: 34,
              cache_read_input_tokens: 20,
              gross_input_tokens: 30,
            },
          },
        },
      },
    },
    'a tool of its first exporter': {
      attributes: {
        'mastra.span.type': 'tool_call',
        'gen_ai.tool.name': 'weather',
        'gen_ai.tool.input': '{"city":"Oslo"}',
        'gen_ai.tool.output': '{"sky":"grey"}',
      },
      gives: {
        inputs: { 'gen_ai.tool.input': { city: 'Oslo' } },
        output: { 'gen_ai.tool.output': { sky: 'grey' } },
        attributes: { kind: 'tool_call', tool_name: 'weather' },
      },
    },
  },
  LangSmith: {
    'a model': {
      attributes: {
        'langsmith.span.kind': 'llm',
        'langsmith.trace.session_name': 'a project, not a thread',
        'langsmith.metadata.thread_id': 'talk',
        'langsmith.metadata.user_id': 'ada',
        'langsmith.metadata.ls_provider': 'openai',
        'langsmith.span.tags': 'paris, tower',
        'gen_ai.operation.name': 'chat',
        'gen_ai.request.model': 'gpt-4o',
        'gen_ai.prompt': JSON.stringify({ messages: question }),
        'gen_ai.completion': JSON.stringify({ generations: [[{ text: '330 m' }]] }),
        'gen_ai.usage.input_tokens': 30,
        'gen_ai.usage.output_tokens': 4,
        'gen_ai.usage.total_tokens': 34,
        'gen_ai.usage.input_token_details': '{"cache_read": 20}',
        'gen_ai.usage.output_token_details': '{"reasoning": 2}',
      },
      gives: {
        inputs: { 'gen_ai.prompt': { messages: question } },
        thread_id: 'talk',
        attributes: {
          kind: 'llm',
          model: 'gpt-4o',
          model_parameters: { model: 'gpt-4o' },
          provider: 'openai',
          operation_name: 'chat',
          user_id: 'ada',
          tags: ['paris', 'tower'],
          metadata: { thread_id: 'talk', user_id: 'ada', ls_provider: 'openai' },
        },
        summary: {
          usage: {
            'gpt-4o': {
              input_tokens: 30,
              output_tokens: 4,
              total_tokens: 34,
              cache_read_input_tokens: 20,
              reasoning_tokens: 2,
              gross_input_tokens: 30,
            },
          },
        },
      },
    },
  },
  'Strands Agents': {
    'an agent with session and user among its trace attributes': {
      span: 'invoke_agent guide',
      attributes: {
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.agent.name': 'guide',
        'session.id': 'talk',
        'user.id': 'ada',
        'tag.tags': ['paris'],
      },
      events: [
        { name: 'gen_ai.user.message', attributes: { content: JSON.stringify(asked) } },
        { name: 'gen_ai.choice', attributes: { finish_reason: 'end_turn', message: '330 m' } },
      ],
      gives: {
        inputs: { 'events.gen_ai.user.message': { content: asked } },
        output: { 'events.gen_ai.choice': { finish_reason: 'end_turn', message: '330 m' } },
        thread_id: 'talk',
        attributes: {
          kind: 'agent',
          agent_name: 'guide',
          operation_name: 'invoke_agent',
          span_name: 'invoke_agent guide',
          user_id: 'ada',
          tags: ['paris'],
        },
      },
    },
    'messages of several kinds': {
      span: 'chat',
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.system': 'strands-agents',
        'gen_ai.request.model': 'claude-sonnet-4-5',
        'gen_ai.usage.prompt_tokens': 30,
        'gen_ai.usage.input_tokens': 30,
        'gen_ai.usage.output_tokens': 4,
        'gen_ai.usage.total_tokens': 34,
        'gen_ai.usage.cache_read_input_tokens': 20,
        'gen_ai.usage.cache_write_input_tokens': 5,
      },
      events: [
        { name: 'gen_ai.system.message', attributes: { content: JSON.stringify([{ text: 'Be brief' }]) } },
        { name: 'gen_ai.user.message', attributes: { content: JSON.stringify(asked) } },
        {
          name: 'gen_ai.assistant.message',
          attributes: { content: '[{"toolUse":{"toolUseId":"t1","name":"height","input":{}}}]' },
        },
        {
          name: 'gen_ai.tool.message',
          attributes: { content: '[{"toolResult":{"toolUseId":"t1","status":"success","content":[{"text":"330"}]}}]' },
        },
        { name: 'gen_ai.choice', attributes: { finish_reason: 'end_turn', message: JSON.stringify(answered) } },
      ],
      gives: {
        inputs: {
          'events.gen_ai.messages': [
            { role: 'system', content: [{ text: 'Be brief' }] },
            { role: 'user', content: asked },
            { role: 'assistant', content: [{ toolUse: { toolUseId: 't1', name: 'height', input: {} } }] },
            {
              role: 'tool',
              content: [{ toolResult: { toolUseId: 't1', status: 'success', content: [{ text: '330' }] } }],
            },
          ],
        },
        output: { 'events.gen_ai.choice': { finish_reason: 'end_turn', message: answered } },
        summary: {
          usage: {
            'claude-sonnet-4-5': {
              input_tokens: 30,
              output_tokens: 4,
              total_tokens: 34,
              cache_read_input_tokens: 20,
              cache_creation_input_tokens: 5,
              gross_input_tokens: 30,
            },
          },
        },
      },
    },
  },
  'Pydantic AI': {
    'a model with its conversation and user': {
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.response.model': 'gpt-4o',
        'gen_ai.conversation.id': 'talk',
        'gen_ai.input.messages': JSON.stringify(question),
        'gen_ai.usage.input_tokens': 9,
        'user.id': 'ada',
      },
      gives: {
        thread_id: 'talk',
        attributes: { kind: 'llm', model: 'gpt-4o', operation_name: 'chat', user_id: 'ada' },
        summary: { usage: { 'gpt-4o': { input_tokens: 9 } } },
      },
    },
    'messages of a model as a list of events': {
      attributes: {
        'gen_ai.operation.name': 'chat',
        events: JSON.stringify([
          { content: 'How tall is it?', role: 'user', 'event.name': 'gen_ai.user.message' },
          { index: 0, message: answer[0], 'event.name': 'gen_ai.choice' },
        ]),
        'gen_ai.usage.input_tokens': 9,
        'gen_ai.usage.details.cache_read_tokens': 4,
        'logfire.tags': ['paris'],
      },
      gives: {
        inputs: { events: [{ content: 'How tall is it?', role: 'user', 'event.name': 'gen_ai.user.message' }] },
        output: { events: [{ index: 0, message: answer[0], 'event.name': 'gen_ai.choice' }] },
        attributes: { kind: 'llm', operation_name: 'chat', tags: ['paris'] },
        summary: {
          usage: { usage: { input_tokens: 9, cache_read_input_tokens: 4, gross_input_tokens: 9 } },
        },
      },
    },
  },
  Logfire: {
    'usage of a model, with session and user in the baggage': {
      attributes: {
        request_data: JSON.stringify({ messages: question, model: 'gpt-4o' }),
        response_data: JSON.stringify({ message: answer[0] }),
        'gen_ai.response.model': 'gpt-4o',
        'gen_ai.usage.input_tokens': 9,
        'gen_ai.usage.output_tokens': 4,
        'gen_ai.usage.details.cached_tokens': 3,
        'session.id': 'talk',
        'user.id': 'ada',
      },
      gives: {
        thread_id: 'talk',
        attributes: { kind: 'llm', model: 'gpt-4o', user_id: 'ada' },
        summary: {
          usage: {
            'gpt-4o': {
              input_tokens: 9,
              output_tokens: 4,
              total_tokens: 13,
              cache_read_input_tokens: 3,
              gross_input_tokens: 9,
            },
          },
        },
      },
    },
    'a model of the OpenAI Agents SDK': {
      span: 'Responses API with {gen_ai.request.model!r}',
      attributes: {
        'gen_ai.request.model': 'gpt-4o',
        raw_input: JSON.stringify(question),
        response: JSON.stringify({ output: answer }),
      },
      gives: { inputs: { raw_input: question }, output: { response: { output: answer } } },
    },
    'a response without a raw input is an attribute like others': {
      attributes: { 'response.status': 200 },
      gives: { output: undefined, attributes: { response: { status: 200 }, kind: 'function' } },
    },
  },
  Haystack: {
    'a chat generator': {
      span: 'haystack.component.run',
      attributes: {
        'haystack.component.name': 'llm',
        'haystack.component.type': 'OpenAIChatGenerator',
        'haystack.component.input': JSON.stringify({ messages: [{ role: 'user', content: asked }] }),
        'haystack.component.output': JSON.stringify({
          replies: [
            {
              role: 'assistant',
              content: answered,
              meta: {
                model: 'gpt-4o',
                finish_reason: 'stop',
                usage: {
                  prompt_tokens: 30,
                  completion_tokens: 4,
                  total_tokens: 34,
                  prompt_tokens_details: { cached_tokens: 20 },
                },
              },
            },
          ],
        }),
      },
      gives: {
        inputs: { 'haystack.component.input': { messages: [{ role: 'user', content: asked }] } },
        attributes: { kind: 'llm', model: 'gpt-4o', finish_reasons: 'stop', component_type: 'OpenAIChatGenerator' },
        summary: {
          usage: {
            'gpt-4o': { prompt_tokens: 30, completion_tokens: 4, total_tokens: 34, cache_read_input_tokens: 20 },
          },
        },
      },
    },
    'a retriever': {
      span: 'haystack.component.run',
      attributes: {
        'haystack.component.type': 'InMemoryBM25Retriever',
        'haystack.component.input': '{"query":"rain"}',
      },
      gives: { attributes: { kind: 'retrieval', component_type: 'InMemoryBM25Retriever' } },
    },
    'a pipeline': {
      span: 'haystack.pipeline.run',
      attributes: {
        'haystack.pipeline.input_data': '{"q":{"query":"rain"}}',
        'haystack.pipeline.output_data': '{"a":1}',
      },
      gives: {
        inputs: { 'haystack.pipeline.input_data': { q: { query: 'rain' } } },
        output: { 'haystack.pipeline.output_data': { a: 1 } },
        attributes: { kind: 'chain' },
      },
    },
    'a step of an agent': {
      span: 'haystack.agent.step.tool',
      attributes: {
        'haystack.agent.step.tool.input': '{"city":"Oslo"}',
        'haystack.agent.step.tool.output': '{"sky":"grey"}',
      },
      gives: {
        inputs: { 'haystack.agent.step.tool.input': { city: 'Oslo' } },
        output: { 'haystack.agent.step.tool.output': { sky: 'grey' } },
        attributes: { kind: 'tool' },
      },
    },
  },
  Braintrust: {
    'a model': {
      attributes: {
        'braintrust.parent': 'project_name:towers',
        'braintrust.span_attributes': '{"type":"llm"}',
        'braintrust.input_json': JSON.stringify(question),
        'braintrust.output_json': JSON.stringify(answer),
        'braintrust.metadata': '{"provider":"openai","model":"gpt-4o","user_id":"ada"}',
        'braintrust.metrics': '{"prompt_tokens":30,"completion_tokens":4,"tokens":34,"prompt_cached_tokens":20}',
        'braintrust.tags': ['paris'],
      },
      gives: {
        inputs: { 'braintrust.input_json': question },
        output: { 'braintrust.output_json': answer },
        attributes: {
          kind: 'llm',
          model: 'gpt-4o',
          provider: 'openai',
          user_id: 'ada',
          tags: ['paris'],
          metadata: { provider: 'openai', model: 'gpt-4o', user_id: 'ada' },
        },
        summary: {
          usage: {
            'gpt-4o': { prompt_tokens: 30, completion_tokens: 4, total_tokens: 34, cache_read_input_tokens: 20 },
          },
        },
      },
    },
  },
  'Spring AI': {
    'a chat model, whose messages are log records': {
      span: 'chat gpt-4o',
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.system': 'openai',
        'gen_ai.response.model': 'gpt-4o',
        'gen_ai.usage.input_tokens': 9,
        'gen_ai.usage.output_tokens': 4,
        'gen_ai.usage.total_tokens': 13,
        'gen_ai.usage.cache_read.input_tokens': 3,
      },
      gives: {
        attributes: {
          kind: 'llm',
          system: 'openai',
          model: 'gpt-4o',
          operation_name: 'chat',
          span_name: 'chat gpt-4o',
        },
        summary: {
          usage: {
            'gpt-4o': {
              input_tokens: 9,
              output_tokens: 4,
              total_tokens: 13,
              cache_read_input_tokens: 3,
              gross_input_tokens: 9,
            },
          },
        },
      },
    },
    'a chat client': {
      span: 'spring_ai chat_client',
      attributes: {
        'gen_ai.operation.name': 'framework',
        'gen_ai.system': 'spring_ai',
        'spring.ai.kind': 'chat_client',
        'spring.ai.chat.client.conversation.id': 'talk',
      },
      gives: {
        thread_id: 'talk',
        attributes: {
          kind: 'chat_client',
          system: 'spring_ai',
          operation_name: 'framework',
          span_name: 'spring_ai chat_client',
        },
      },
    },
    'a tool': {
      attributes: {
        'gen_ai.operation.name': 'framework',
        'spring.ai.kind': 'tool_call',
        'spring.ai.tool.definition.name': 'weather',
        'spring.ai.tool.call.arguments': '{"city":"Oslo"}',
        'spring.ai.tool.call.result': 'rain',
      },
      gives: {
        inputs: { 'spring.ai.tool.call.arguments': { city: 'Oslo' } },
        output: { 'spring.ai.tool.call.result': 'rain' },
        attributes: { kind: 'tool_call', operation_name: 'framework', tool_name: 'weather' },
      },
    },
    'a search in a vector store': {
      span: 'pg_vector query',
      attributes: {
        'db.operation.name': 'query',
        'spring.ai.kind': 'vector_store',
        'db.vector.query.content': 'rain?',
        'db.vector.query.response.documents': '[{"id":"d1"}]',
      },
      gives: {
        inputs: { 'db.vector.query.content': 'rain?' },
        output: { 'db.vector.query.response.documents': [{ id: 'd1' }] },
        attributes: { kind: 'vector_store', span_name: 'pg_vector query' },
      },
    },
  },
  'the AI SDK': {
    'cached and reasoning tokens': {
      attributes: {
        'ai.operationId': 'ai.streamText.doStream',
        'ai.model.id': 'gpt-4o',
        'ai.response.text': '330 m',
        'ai.usage.inputTokens': 30,
        'ai.usage.outputTokens': 4,
        'ai.usage.cachedInputTokens': 20,
        'ai.usage.reasoningTokens': 2,
        'ai.telemetry.metadata.threadId': 'talk',
      },
      gives: {
        thread_id: 'talk',
        summary: {
          usage: {
            'gpt-4o': {
              input_tokens: 30,
              output_tokens: 4,
              total_tokens: 34,
              cache_read_input_tokens: 20,
              reasoning_tokens: 2,
              gross_input_tokens: 30,
            },
          },
        },
      },
    },
  },
  MLflow: {
    'cached tokens and a user': {
      attributes: {
        'mlflow.spanType': '"LLM"',
        'mlflow.llm.model': '"gpt-4o"',
        'mlflow.trace.user': '"ada"',
        'mlflow.chat.tokenUsage': '{"input_tokens": 30, "output_tokens": 4, "cache_read_input_tokens": 20}',
      },
      gives: { attributes: { kind: 'llm', model: 'gpt-4o', user_id: 'ada' } },
    },
  },
  'Google ADK': {
    'usage of a model': {
      span: 'call_llm',
      attributes: {
        'gen_ai.system': 'gcp.vertex.agent',
        'gen_ai.request.model': 'gemini-2.0-flash',
        'gcp.vertex.agent.session_id': 'talk',
        'gen_ai.usage.input_tokens': 9,
        'gen_ai.usage.output_tokens': 4,
        'gen_ai.usage.cache_read.input_tokens': 3,
        'user.id': 'ada',
      },
      gives: {
        thread_id: 'talk',
        attributes: {
          kind: 'llm',
          system: 'gcp.vertex.agent',
          model: 'gemini-2.0-flash',
          model_parameters: { model: 'gemini-2.0-flash' },
          user_id: 'ada',
        },
      },
    },
  },
  Langfuse: {
    'cached tokens': {
      attributes: {
        'langfuse.observation.type': 'generation',
        'langfuse.observation.model.name': 'gpt-4o',
        'langfuse.observation.usage_details': '{"input": 10, "output": 4, "total": 34, "input_cached_tokens": 20}',
      },
      gives: {
        summary: {
          usage: {
            'gpt-4o': { input_tokens: 10, output_tokens: 4, total_tokens: 34, cache_read_input_tokens: 20 },
          },
        },
      },
    },
  },
  'users, tags and metadata': {
    OpenInference: {
      attributes: {
        'openinference.span.kind': 'LLM',
        'user.id': 'ada',
        'tag.tags': ['paris', 'tower'],
        metadata: '{"tier":"gold"}',
      },
      gives: { attributes: { kind: 'llm', user_id: 'ada', tags: ['paris', 'tower'], metadata: { tier: 'gold' } } },
    },
    OpenLLMetry: {
      attributes: {
        'traceloop.span.kind': 'task',
        'traceloop.association.properties.user_id': 'ada',
        'traceloop.association.properties.tier': 'gold',
      },
      gives: { attributes: { kind: 'task', user_id: 'ada', metadata: { user_id: 'ada', tier: 'gold' } } },
    },
    'the AI SDK': {
      attributes: {
        'ai.operationId': 'ai.generateText',
        'ai.telemetry.metadata.userId': 'ada',
        'ai.telemetry.metadata.tags': ['paris'],
      },
      gives: {
        attributes: {
          kind: 'chain',
          operation_name: 'ai.generateText',
          user_id: 'ada',
          tags: ['paris'],
          metadata: { userId: 'ada', tags: ['paris'] },
        },
      },
    },
    Langfuse: {
      attributes: {
        'langfuse.observation.type': 'generation',
        'langfuse.user.id': 'ada',
        'langfuse.trace.tags': ['paris'],
        'langfuse.observation.metadata.tier': 'gold',
      },
      gives: { attributes: { kind: 'generation', user_id: 'ada', tags: ['paris'], metadata: { tier: 'gold' } } },
    },
    'attributes of this API': {
      attributes: { 'ext.user_id': 'ada', 'user.id': 'bob', 'ext.tags': 'paris,tower', 'ext.metadata.tier': 'gold' },
      gives: {
        attributes: {
          ext: { user_id: 'ada', tags: 'paris,tower', metadata: { tier: 'gold' } },
          user: { id: 'bob' },
          user_id: 'ada',
          tags: ['paris', 'tower'],
          metadata: { tier: 'gold' },
          kind: 'function',
        },
      },
    },
  },
}
