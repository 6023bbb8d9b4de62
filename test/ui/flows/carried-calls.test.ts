import { expect, test } from 'bun:test'
import { carriedColumns, carriedFrom } from '../../../src/web/playground/from-call.ts'
import { inputsOf } from '../../../src/web/playground/run.ts'
import { columnOf } from '../../../src/web/playground/workspace.ts'
import { exportOf, groupOf, send, spanOf } from '../../conformance/support/otlp.ts'
import type { Project } from '../../conformance/support/project.ts'
import { freshProject, sharedServer } from '../../conformance/support/target.ts'

const server = await sharedServer()
const weather = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const capitals = { type: 'OBJECT', properties: { city: { type: 'STRING' } }, required: ['city'] }
const data = 'iVBORw0KGgo='
const picture = { type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } }
const tool = { type: 'function', function: { name: 'get_weather', description: 'Weather', parameters: weather } }
const called = (id: string) => ({
  id,
  type: 'function',
  function: { name: 'get_weather', arguments: '{"city":"Paris"}' },
})

/** What the playground sends for a stored call, and what it says that it cannot. */
async function carried(project: Project, callId: string) {
  const [call] = await project.query({ filter: { call_ids: [callId] }, columns: ['id', ...carriedColumns] })
  const asked = { project_id: project.id, call_id: callId }
  const { json } = await server.post<Pick<Parameters<typeof carriedFrom>[0], 'messages' | 'model'>>(
    '/call/messages',
    asked,
  )
  const { prompt, notCarried } = carriedFrom({ ...json, inputs: call?.inputs ?? {}, attributes: call?.attributes })
  const column = columnOf(prompt)
  return { inputs: inputsOf({ projectId: 'a/b', values: {}, further: [], at: 0, column }), notCarried }
}

async function carriedInputs(inputs: Record<string, unknown>) {
  const project = freshProject(server)
  await project.complete({ id: 'a', inputs, output: { role: 'assistant', content: 'Warm' } })
  return await carried(project, 'a')
}

test('a call of chat completions is carried over to the letter', async () => {
  const inputs = {
    model: 'gpt-4.1',
    messages: [
      { role: 'developer', content: 'Rules for {{nothing}}', name: 'boss' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Hi' },
          { ...picture, image_url: { ...picture.image_url, detail: 'low' } },
        ],
      },
      { role: 'assistant', content: null, refusal: null, tool_calls: [called('a'), called('b')] },
      { role: 'tool', tool_call_id: 'a', content: [{ type: 'text', text: '18 °C' }] },
      { role: 'tool', tool_call_id: 'b', content: '' },
    ],
    temperature: 0,
    stop: ' ',
    user: '007',
    metadata: { run: '1' },
    tool_choice: { type: 'function', function: { name: 'get_weather' } },
    tools: [
      { ...tool, function: { ...tool.function, strict: true } },
      { type: 'custom', custom: { name: 'sql' } },
    ],
    response_format: { type: 'json_schema', json_schema: { name: 'weather', strict: true, schema: weather } },
  }
  const { inputs: sent, notCarried } = await carriedInputs({ ...inputs, stream: true, extra_headers: { a: 'b' } })
  expect(notCarried).toEqual(['extra_headers'])
  expect(sent).toEqual(inputs)
})

test('a call of OpenAI responses', async () => {
  const { inputs, notCarried } = await carriedInputs({
    model: 'gpt-4.1',
    instructions: 'Be brief.',
    input: [
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'Weather?' },
          { type: 'input_image', image_url: picture.image_url.url },
        ],
      },
      { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Look it up' }] },
      { type: 'function_call', call_id: 'c1', name: 'get_weather', arguments: '{"city":"Paris"}' },
      { type: 'function_call', call_id: 'c2', name: 'get_weather', arguments: '{"city":"Paris"}' },
      { type: 'function_call_output', call_id: 'c1', output: '18 °C' },
      { type: 'function_call_output', call_id: 'c2', output: '19 °C' },
    ],
    temperature: 0.2,
    max_output_tokens: 500,
    parallel_tool_calls: false,
    tools: [{ ...tool.function, type: 'function', strict: true }, { type: 'web_search_preview' }],
    tool_choice: { type: 'function', name: 'get_weather' },
    text: { format: { type: 'json_schema', name: 'weather', schema: weather, strict: true }, verbosity: 'low' },
    reasoning: { effort: 'low', summary: 'auto' },
    previous_response_id: 'resp_0',
    truncation: 'auto',
    metadata: { run: '1' },
    store: true,
    stream: true,
  })
  expect(inputs).toEqual({
    model: 'gpt-4.1',
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: [{ type: 'text', text: 'Weather?' }, picture] },
      { role: 'assistant', content: null, tool_calls: [called('c1'), called('c2')] },
      { role: 'tool', content: '18 °C', tool_call_id: 'c1' },
      { role: 'tool', content: '19 °C', tool_call_id: 'c2' },
    ],
    temperature: 0.2,
    max_completion_tokens: 500,
    parallel_tool_calls: false,
    tools: [{ type: 'function', function: { ...tool.function, strict: true } }],
    tool_choice: { type: 'function', function: { name: 'get_weather' } },
    response_format: { type: 'json_schema', json_schema: { name: 'weather', strict: true, schema: weather } },
    verbosity: 'low',
    reasoning_effort: 'low',
    metadata: { run: '1' },
    store: true,
  })
  expect(notCarried.toSorted()).toEqual([
    'previous_response_id',
    'reasoning',
    'reasoning.summary',
    'tools.web_search_preview',
    'truncation',
  ])
})

test('a call of Anthropic messages', async () => {
  const { inputs, notCarried } = await carriedInputs({
    model: 'claude-sonnet-4-5',
    max_tokens: 1024,
    system: [{ type: 'text', text: 'Be kind.', cache_control: { type: 'ephemeral' } }],
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is it?' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data } },
          { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' } },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hm', signature: 's' },
          { type: 'text', text: 'Let me look.' },
          { type: 'tool_use', id: 'toolu_1', name: 'get_weather', input: { city: 'Paris' } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'toolu_1', content: [{ type: 'text', text: '18 °C' }], is_error: true },
          { type: 'text', text: 'And?' },
        ],
      },
    ],
    temperature: 1,
    top_k: 40,
    stop_sequences: ['END'],
    metadata: { user_id: 'u' },
    tools: [
      { name: 'get_weather', description: 'Weather', input_schema: weather },
      { type: 'web_search_20250305', name: 'web_search', max_uses: 5 },
    ],
    tool_choice: { type: 'any', disable_parallel_tool_use: true },
    thinking: { type: 'enabled', budget_tokens: 1024 },
    stream: true,
  })
  expect(inputs).toEqual({
    model: 'claude-sonnet-4-5',
    messages: [
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: [{ type: 'text', text: 'What is it?' }, picture] },
      { role: 'assistant', content: 'Let me look.', tool_calls: [called('toolu_1')] },
      { role: 'tool', content: '18 °C', tool_call_id: 'toolu_1' },
      { role: 'user', content: 'And?' },
    ],
    max_tokens: 1024,
    temperature: 1,
    top_k: 40,
    stop: ['END'],
    user: 'u',
    tools: [tool],
    tool_choice: 'required',
    parallel_tool_calls: false,
  })
  expect(notCarried.toSorted()).toEqual([
    'cache_control',
    'file',
    'is_error',
    'reasoning',
    'thinking',
    'tools.web_search',
  ])
})

const contents = [
  { role: 'user', parts: [{ text: 'What is it?' }, { inline_data: { mime_type: 'image/png', data } }] },
  {
    role: 'model',
    parts: [1, 2].map(() => ({ function_call: { name: 'get_weather', args: { city: 'Paris' } } })),
  },
  {
    role: 'user',
    parts: ['18 °C', '19 °C'].map((result) => ({ function_response: { name: 'get_weather', response: { result } } })),
  },
]
const gemini = {
  model: 'gemini-2.5-flash',
  messages: [
    { role: 'system', content: 'Be kind.' },
    { role: 'user', content: [{ type: 'text', text: 'What is it?' }, picture] },
    { role: 'assistant', content: null, tool_calls: [called('call_1'), called('call_2')] },
    { role: 'tool', content: '{"result":"18 °C"}', tool_call_id: 'call_1' },
    { role: 'tool', content: '{"result":"19 °C"}', tool_call_id: 'call_2' },
  ],
  temperature: 0.3,
  max_tokens: 200,
  stop: ['X'],
  tools: [tool],
  tool_choice: 'required',
}

test('a call of the Python client of Gemini', async () => {
  const { inputs, notCarried } = await carriedInputs({
    model: 'gemini-2.5-flash',
    contents,
    config: {
      system_instruction: 'Be kind.',
      temperature: 0.3,
      max_output_tokens: 200,
      stop_sequences: ['X'],
      safety_settings: [{ category: 'a', threshold: 'b' }],
      tools: [
        { function_declarations: [{ name: 'get_weather', description: 'Weather', parameters: capitals }] },
        { google_search: {} },
      ],
      tool_config: { function_calling_config: { mode: 'ANY' } },
      response_mime_type: 'application/json',
      response_schema: capitals,
      thinking_config: { thinking_budget: 0 },
    },
  })
  expect(inputs).toMatchObject({ ...gemini, response_format: { json_schema: { schema: weather } } })
  expect(notCarried.toSorted()).toEqual(['config.safety_settings', 'config.thinking_config', 'tools.google_search'])
})

test('a request to the REST interface of Gemini', async () => {
  const { inputs, notCarried } = await carriedInputs({
    model: 'gemini-2.5-flash',
    contents,
    systemInstruction: { parts: [{ text: 'Be kind.' }] },
    generationConfig: {
      temperature: 0.3,
      maxOutputTokens: 200,
      stopSequences: ['X'],
      responseMimeType: 'application/json',
    },
    tools: [{ functionDeclarations: [{ name: 'get_weather', description: 'Weather', parameters: weather }] }],
    toolConfig: { functionCallingConfig: { mode: 'ANY' } },
    safetySettings: [{ category: 'a' }],
  })
  expect(inputs).toEqual({ ...gemini, response_format: { type: 'json_object' } })
  expect(notCarried).toEqual(['safetySettings'])
})

test('a span with the semantic conventions of OpenTelemetry', async () => {
  const project = freshProject(server)
  const request = { model: 'gpt-4o', temperature: 0.5, max_tokens: 300, top_k: 40, seed: 7, frequency_penalty: 0.1 }
  const span = spanOf({
    attributes: {
      ...Object.fromEntries(Object.entries(request).map(([name, value]) => [`gen_ai.request.${name}`, value])),
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.stop_sequences': ['END'],
      'gen_ai.request.choice.count': 2,
      'gen_ai.response.model': 'gpt-4o-2024-08-06',
      'gen_ai.output.type': 'json',
      'gen_ai.tool.definitions': JSON.stringify([{ type: 'function', ...tool.function }]),
      'gen_ai.system_instructions': JSON.stringify([{ type: 'text', content: 'Rules' }]),
      'gen_ai.input.messages': JSON.stringify([
        {
          role: 'user',
          parts: [
            { type: 'text', content: 'Weather?' },
            { type: 'blob', modality: 'image', mime_type: 'image/png', content: data },
            { type: 'uri', modality: 'image', uri: 'https://x/y.png' },
          ],
        },
        {
          role: 'assistant',
          parts: [
            { type: 'reasoning', content: 'hm' },
            { type: 'tool_call', id: 'c', name: 'get_weather', arguments: { city: 'Paris' } },
          ],
        },
        { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c', response: '18 °C' }] },
      ]),
    },
  })
  await send(server, exportOf(groupOf([span])), 'json', { headers: { project_id: project.id } })
  const { inputs, notCarried } = await carried(project, String(span['spanId']))
  const { model, ...settings } = request
  expect(inputs).toEqual({
    model,
    messages: [
      { role: 'system', content: 'Rules' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Weather?' },
          picture,
          { type: 'image_url', image_url: { url: 'https://x/y.png' } },
        ],
      },
      { role: 'assistant', content: null, tool_calls: [called('c')] },
      { role: 'tool', content: '18 °C', tool_call_id: 'c' },
    ],
    ...settings,
    stop: ['END'],
    n: 2,
    response_format: { type: 'json_object' },
    tools: [tool],
  })
  expect(notCarried).toEqual(['reasoning'])
})
