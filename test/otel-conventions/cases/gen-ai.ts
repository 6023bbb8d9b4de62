import { answer, type Cases, question } from './case.ts'

const toolRound = [
  { role: 'user', parts: [{ type: 'text', content: 'Will it rain in Oslo?' }] },
  { role: 'assistant', parts: [{ type: 'tool_call', id: 'c1', name: 'weather', arguments: { city: 'Oslo' } }] },
  { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c1', response: 'rain' }] },
]

/** The newest parts of the GenAI semantic conventions. */
export const genAi: Cases = {
  'the newest GenAI semantic conventions': {
    'usage by modality, reasoning tokens and time to first chunk': {
      attributes: {
        'gen_ai.operation.name': 'generate_content',
        'gen_ai.provider.name': 'gcp.gemini',
        'gen_ai.response.model': 'gemini-2.5-pro',
        'gen_ai.request.stream': true,
        'gen_ai.response.time_to_first_chunk': 0.42,
        'gen_ai.usage.input_tokens': 120,
        'gen_ai.usage.text.input_tokens': 80,
        'gen_ai.usage.image.input_tokens': 30,
        'gen_ai.usage.audio.input_tokens': 10,
        'gen_ai.usage.output_tokens': 50,
        'gen_ai.usage.reasoning.output_tokens': 20,
        'gen_ai.usage.text.output_tokens': 30,
        'gen_ai.output.type': 'json',
      },
      gives: {
        attributes: {
          kind: 'llm',
          operation_name: 'generate_content',
          provider: 'gcp.gemini',
          model: 'gemini-2.5-pro',
          model_parameters: { stream: true },
          time_to_first_chunk: 0.42,
          output_type: 'json',
        },
        summary: {
          usage: {
            'gemini-2.5-pro': {
              input_tokens: 120,
              output_tokens: 50,
              total_tokens: 170,
              reasoning_tokens: 20,
              text_input_tokens: 80,
              image_input_tokens: 30,
              audio_input_tokens: 10,
              text_output_tokens: 30,
            },
          },
        },
      },
    },
    'an agent in a workflow': {
      attributes: {
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.agent.name': 'planner',
        'gen_ai.agent.id': 'a-1',
        'gen_ai.agent.version': '2',
        'gen_ai.agent.description': 'Plans trips',
        'gen_ai.workflow.name': 'travel',
        'gen_ai.conversation.id': 'talk',
        'gen_ai.tool.definitions': '[{"type":"function","name":"weather"}]',
        'user.id': 'ada',
      },
      gives: {
        thread_id: 'talk',
        attributes: {
          kind: 'agent',
          operation_name: 'invoke_agent',
          agent_name: 'planner',
          agent_id: 'a-1',
          agent_version: '2',
          agent_description: 'Plans trips',
          workflow_name: 'travel',
          tools: [{ type: 'function', name: 'weather' }],
          user_id: 'ada',
        },
      },
    },
    'a workflow': {
      attributes: { 'gen_ai.operation.name': 'invoke_workflow', 'gen_ai.workflow.name': 'travel' },
      gives: { attributes: { kind: 'chain', operation_name: 'invoke_workflow', workflow_name: 'travel' } },
    },
    'a retrieval': {
      attributes: {
        'gen_ai.operation.name': 'retrieval',
        'gen_ai.data_source.id': 'handbook',
        'gen_ai.retrieval.query.text': 'rain?',
        'gen_ai.retrieval.documents': '[{"id":"d1","score":0.9}]',
      },
      gives: {
        inputs: { 'gen_ai.retrieval.query.text': 'rain?' },
        output: { 'gen_ai.retrieval.documents': [{ id: 'd1', score: 0.9 }] },
        attributes: { kind: 'retrieval', operation_name: 'retrieval', data_source_id: 'handbook' },
      },
    },
    'a search of memories': {
      attributes: {
        'gen_ai.operation.name': 'search_memory',
        'gen_ai.memory.query.text': 'units?',
        'gen_ai.memory.records': '[{"id":"m1","content":"metric"}]',
      },
      gives: {
        inputs: { 'gen_ai.memory.query.text': 'units?' },
        output: { 'gen_ai.memory.records': [{ id: 'm1', content: 'metric' }] },
        attributes: { kind: 'retrieval', operation_name: 'search_memory' },
      },
    },
    'a tool called over MCP': {
      span: 'tools/call weather',
      attributes: {
        'mcp.method.name': 'tools/call',
        'mcp.session.id': 's',
        'gen_ai.tool.name': 'weather',
        'gen_ai.tool.call.id': 'c1',
        'gen_ai.tool.call.arguments': '{"city":"Oslo"}',
        'gen_ai.tool.call.result': '{"sky":"grey"}',
        'error.type': 'tool_error',
      },
      gives: {
        inputs: { 'gen_ai.tool.call.arguments': { city: 'Oslo' } },
        output: { 'gen_ai.tool.call.result': { sky: 'grey' } },
        thread_id: null,
        attributes: {
          span_name: 'tools/call weather',
          kind: 'tool',
          mcp_method: 'tools/call',
          tool_name: 'weather',
          tool_call_id: 'c1',
          error_type: 'tool_error',
        },
      },
    },
    'a resource read over MCP': {
      attributes: { 'mcp.method.name': 'resources/read', 'mcp.resource.uri': 'file:///notes' },
      gives: { attributes: { kind: 'retrieval', mcp_method: 'resources/read' } },
    },
    'everything in the event with the details of the operation': {
      attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'gpt-4o' },
      events: [
        {
          name: 'gen_ai.client.inference.operation.details',
          attributes: {
            'gen_ai.system_instructions': '[{"type":"text","content":"Be brief"}]',
            'gen_ai.input.messages': JSON.stringify(toolRound),
            'gen_ai.tool.definitions': '[{"type":"function","name":"weather"}]',
          },
        },
        {
          name: 'gen_ai.client.inference.operation.details',
          attributes: { 'gen_ai.output.messages': JSON.stringify(answer) },
        },
      ],
      gives: {
        inputs: { 'gen_ai.input.messages': toolRound },
        output: { 'gen_ai.output.messages': answer },
        attributes: {
          kind: 'llm',
          system: [{ type: 'text', content: 'Be brief' }],
          model: 'gpt-4o',
          model_parameters: { model: 'gpt-4o' },
          operation_name: 'chat',
          tools: [{ type: 'function', name: 'weather' }],
        },
      },
    },
    'the vendor’s prefix': {
      attributes: {
        'weave.operation.name': 'chat',
        'weave.response.model': 'gpt-4o',
        'weave.agent.name': 'helper',
        'weave.conversation.id': 'talk',
        'weave.conversation.name': 'Towers',
        'weave.input.messages': JSON.stringify(question),
        'weave.output.messages': JSON.stringify(answer),
        'weave.usage.input_tokens': 3,
      },
      gives: {
        inputs: { 'weave.input.messages': question },
        output: { 'weave.output.messages': answer },
        thread_id: 'talk',
        attributes: {
          kind: 'llm',
          model: 'gpt-4o',
          agent_name: 'helper',
          conversation_name: 'Towers',
          operation_name: 'chat',
        },
        summary: { usage: { 'gpt-4o': { input_tokens: 3 } } },
      },
    },
  },
}
