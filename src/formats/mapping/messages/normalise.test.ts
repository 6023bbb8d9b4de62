import { describe, expect, test } from 'bun:test'
import type { MessagePart } from '../../schemas/messages.ts'
import { normaliseMessages } from './normalise.ts'

const normalise = (payload: { inputs?: unknown; output?: unknown; attributes?: unknown; summary?: unknown }) => {
  const text = (value: unknown) => (value === undefined ? null : JSON.stringify(value))
  const { inputs, output, attributes, summary } = payload
  return normaliseMessages({
    inputs: text(inputs),
    output: text(output),
    attributes: text(attributes),
    summary: text(summary),
  })
}

/** The conversation as lines: who says what. */
const linesOf = (payload: Parameters<typeof normalise>[0]): string[] =>
  normalise(payload).messages.map(
    ({ source, role, parts }) => `${source === 'inputs' ? '>' : '<'} ${role}: ${parts.map(briefly).join(' + ')}`,
  )

function briefly(part: MessagePart): string {
  switch (part.type) {
    case 'text':
      return part.text
    case 'reasoning':
      return `(${part.text})`
    case 'tool_call':
      return `${part.name}#${part.id}${part.arguments}`
    case 'tool_result':
      return `${part.is_error ? '!' : '='}${part.name ?? ''}#${part.id} ${part.content}`
    case 'json':
      return `json ${part.text}`
    default:
      return `[${part.type} ${part.media_type} ${part.digest ?? part.url ?? part.data}]`
  }
}

describe('OpenAI', () => {
  test('chat completions with tools, images and audio', () => {
    const inputs = {
      model: 'gpt-4o',
      messages: [
        { role: 'developer', content: 'Be brief' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'image_url', image_url: { url: 'https://a.example/c.png', detail: 'low' } },
            { type: 'image_url', image_url: { url: 'data:image/webp;base64,AAAA' } },
            { type: 'input_audio', input_audio: { data: 'B', format: 'mp3' } },
          ],
        },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'look', arguments: '{"n": 1.0}' } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'a cat' },
      ],
      tools: [{ type: 'function', function: { name: 'look', description: 'Looks', parameters: {} } }],
    }
    const output = { model: 'gpt-4o-2024', choices: [{ index: 0, message: { role: 'assistant', content: 'A cat' } }] }
    expect(linesOf({ inputs, output })).toEqual([
      '> system: Be brief',
      '> user: What is this? + [image null https://a.example/c.png] + [image image/webp AAAA] + [audio audio/mpeg B]',
      '> assistant: look#c1{"n": 1.0}',
      '> tool: =#c1 a cat',
      '< assistant: A cat',
    ])
    const { model, tools, is_truncated } = normalise({ inputs, output })
    expect({ model, tools, is_truncated }).toEqual({
      model: 'gpt-4o-2024',
      tools: [{ name: 'look', description: 'Looks' }],
      is_truncated: false,
    })
  })

  test('responses', () => {
    const inputs = {
      model: 'o4',
      instructions: 'Think',
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'Hi' },
            { type: 'input_image', image_url: 'data:image/png;base64,AA' },
          ],
        },
        { type: 'function_call', call_id: 'f1', name: 'add', arguments: '{"a":12345678901234567890}' },
        { type: 'function_call_output', call_id: 'f1', output: '3' },
      ],
      tools: [{ type: 'function', name: 'add', parameters: {} }, { type: 'web_search' }],
    }
    const output = {
      output: [
        { type: 'reasoning', summary: [{ type: 'summary_text', text: 'sum' }] },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'It is 3' }] },
      ],
    }
    expect(linesOf({ inputs, output })).toEqual([
      '> system: Think',
      '> user: Hi + [image image/png AA]',
      '> assistant: add#f1{"a":12345678901234567890}',
      '> tool: =#f1 3',
      '< assistant: (sum) + It is 3',
    ])
    expect(normalise({ inputs }).tools.map(({ name }) => name)).toEqual(['add', 'web_search'])
    expect(linesOf({ inputs: { model: 'o4', input: 'Hi' } })).toEqual(['> user: Hi'])
  })

  test('completions', () => {
    expect(linesOf({ inputs: { model: 'm', prompt: 'Once' }, output: { choices: [{ text: ' upon' }] } })).toEqual([
      '> user: Once',
      '< assistant:  upon',
    ])
  })
})

test('Anthropic', () => {
  const inputs = {
    model: 'claude',
    system: [{ type: 'text', text: 'Be kind', cache_control: { type: 'ephemeral' } }],
    messages: [
      { role: 'user', content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'CC' } }] },
      { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'look', input: { deep: [1, 2] } }] },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 't1', content: [{ type: 'text', text: 'no' }], is_error: true }],
      },
    ],
    tools: [{ name: 'look', description: 'Looks', input_schema: {} }],
  }
  const output = {
    role: 'assistant',
    model: 'claude-4',
    content: [
      { type: 'thinking', thinking: 'hm' },
      { type: 'text', text: 'Done' },
    ],
  }
  expect(linesOf({ inputs, output })).toEqual([
    '> system: Be kind',
    '> user: [image image/png CC]',
    '> assistant: look#t1{"deep":[1,2]}',
    '> tool: !#t1 no',
    '< assistant: (hm) + Done',
  ])
})

test('Gemini', () => {
  const inputs = {
    model: 'gemini',
    contents: [
      { role: 'user', parts: [{ text: 'Look' }, { inline_data: { mime_type: 'image/jpeg', data: 'DD' } }] },
      { role: 'model', parts: [{ functionCall: { name: 'look', args: { a: 1 } } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'look', response: { seen: true } } }] },
    ],
    config: { system_instruction: 'Short', tools: [{ function_declarations: [{ name: 'look' }] }] },
  }
  const output = {
    candidates: [{ content: { role: 'model', parts: [{ text: 'plan', thought: true }, { text: 'Yes' }] } }],
  }
  expect(linesOf({ inputs, output })).toEqual([
    '> system: Short',
    '> user: Look + [image image/jpeg DD]',
    '> assistant: look#null{"a":1}',
    '> tool: =look#null {"seen":true}',
    '< assistant: (plan) + Yes',
  ])
  expect(linesOf({ inputs: { model: 'gemini', contents: 'Hello' } })).toEqual(['> user: Hello'])
  expect(normalise({ inputs }).tools).toEqual([{ name: 'look', description: null }])
})

test('LangChain', () => {
  const lc = (name: string, kwargs: object) => ({
    lc: 1,
    type: 'constructor',
    id: ['langchain', 'schema', name],
    kwargs,
  })
  const inputs = {
    messages: [
      [
        lc('SystemMessage', { content: 'Rules', type: 'system' }),
        lc('HumanMessage', { content: 'Hi', type: 'human' }),
        lc('AIMessage', { content: '', tool_calls: [{ name: 'add', args: { a: 1 }, id: 'x', type: 'tool_call' }] }),
        lc('ToolMessage', { content: '2', tool_call_id: 'x', name: 'add' }),
      ],
    ],
  }
  const output = { generations: [[{ text: 'Two', message: lc('AIMessage', { content: 'Two' }) }]] }
  expect(linesOf({ inputs, output })).toEqual([
    '> system: Rules',
    '> user: Hi',
    '> assistant: add#x{"a":1}',
    '> tool: =add#x 2',
    '< assistant: Two',
  ])
  const plain = [{ type: 'human', content: 'Hi' }]
  expect(
    linesOf({
      inputs: { input: { messages: plain } },
      output: { messages: [...plain, { type: 'ai', content: 'Hello' }] },
    }),
  ).toEqual(['> user: Hi', '< assistant: Hello'])
})

test("Vercel's AI SDK", () => {
  const inputs = {
    'ai.prompt': {
      messages: [
        { role: 'system', content: 'Rules' },
        { role: 'user', content: [{ type: 'file', mediaType: 'image/png', data: 'EE' }] },
        { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'v', toolName: 'add', input: { a: 1 } }] },
        {
          role: 'tool',
          content: [
            { type: 'tool-result', toolCallId: 'v', toolName: 'add', output: { type: 'json', value: { b: 2 } } },
          ],
        },
      ],
    },
  }
  const output = {
    'ai.response': {
      text: 'ok',
      finishReason: 'stop',
      toolCalls: '[{"toolCallId":"w","toolName":"sub","input":"{}"}]',
    },
  }
  expect(linesOf({ inputs, output })).toEqual([
    '> system: Rules',
    '> user: [image image/png EE]',
    '> assistant: add#v{"a":1}',
    '> tool: =add#v {"b":2}',
    '< assistant: ok + sub#w{}',
  ])
  expect(
    linesOf({
      inputs: { 'ai.prompt': { prompt: 'Hi' } },
      output: { 'ai.response': { text: 'Ho', finishReason: 'stop' } },
    }),
  ).toEqual(['> user: Hi', '< assistant: Ho'])
})

describe('OpenTelemetry', () => {
  test('messages with parts, and system instructions in an attribute', () => {
    const inputs = {
      'gen_ai.input.messages': [
        {
          role: 'user',
          parts: [
            { type: 'text', content: 'Hi' },
            { type: 'uri', modality: 'image', uri: 'https://a.example/b' },
          ],
        },
        { role: 'assistant', parts: [{ type: 'tool_call', id: 'o', name: 'add', arguments: { a: 1 } }] },
        { role: 'tool', parts: [{ type: 'tool_call_response', id: 'o', response: { sum: 2 } }] },
      ],
    }
    const output = {
      'gen_ai.output.messages': [
        {
          role: 'assistant',
          parts: [
            { type: 'reasoning', content: 'hm' },
            { type: 'text', content: 'Two' },
          ],
          finish_reason: 'stop',
        },
      ],
    }
    const attributes = {
      system: [{ type: 'text', content: 'Rules' }],
      model: 'gpt',
      tools: [{ type: 'function', name: 'add' }],
    }
    expect(linesOf({ inputs, output, attributes })).toEqual([
      '> system: Rules',
      '> user: Hi + [image null https://a.example/b]',
      '> assistant: add#o{"a":1}',
      '> tool: =#o {"sum":2}',
      '< assistant: (hm) + Two',
    ])
    expect(normalise({ inputs, attributes })).toMatchObject({
      model: 'gpt',
      tools: [{ name: 'add', description: null }],
    })
  })

  test('indexed prompts; the provider is no instruction', () => {
    const inputs = { 'gen_ai.prompt': [{ role: 'user', content: 'Hi' }] }
    const output = { 'gen_ai.completion': [{ role: 'assistant', content: 'Ho', finish_reason: 'stop' }] }
    expect(linesOf({ inputs, output, attributes: { system: 'openai' } })).toEqual(['> user: Hi', '< assistant: Ho'])
  })

  test('OpenInference', () => {
    const inputs = {
      'llm.input_messages': [
        { message: { role: 'user', contents: [{ message_content: { type: 'text', text: 'Hi' } }] } },
        {
          message: {
            role: 'assistant',
            tool_calls: [{ tool_call: { id: 'i', function: { name: 'add', arguments: '{}' } } }],
          },
        },
        { message: { role: 'tool', tool_call_id: 'i', content: '2' } },
      ],
    }
    const output = { 'llm.output_messages': [{ message: { role: 'assistant', content: 'Two' } }] }
    expect(linesOf({ inputs, output })).toEqual([
      '> user: Hi',
      '> assistant: add#i{}',
      '> tool: =#i 2',
      '< assistant: Two',
    ])
  })

  test('spans that keep JSON text', () => {
    const inputs = { 'traceloop.entity.input': { inputs: { messages: '[{"role":"user","content":"Hi"}]' } } }
    expect(linesOf({ inputs, output: { 'traceloop.entity.output': 'Ho' } })).toEqual(['> user: Hi', '< assistant: Ho'])
  })
})

test('content that is stored as files', () => {
  const content = (type: string, name: string) => ({
    _type: 'CustomWeaveType',
    weave_type: { type },
    files: { [name]: 'digest-of-it', 'metadata.json': 'other' },
  })
  const parts = [
    { type: 'image_url', image_url: { url: content('weave.type_wrappers.Content.content.Content', 'content') } },
    content('PIL.Image.Image', 'image.png'),
  ]
  expect(linesOf({ inputs: { messages: [{ role: 'user', content: parts }] } })).toEqual([
    '> user: [image null digest-of-it] + [image null digest-of-it]',
  ])
})

describe('span events', () => {
  test('of several kinds, in the form of Bedrock', () => {
    const messages = [
      { role: 'system', content: [{ text: 'Be brief' }] },
      { role: 'user', content: [{ text: 'How tall is it?' }] },
      { role: 'assistant', content: [{ toolUse: { toolUseId: 't1', name: 'height', input: { of: 'tower' } } }] },
      {
        role: 'tool',
        content: [{ toolResult: { toolUseId: 't1', status: 'success', content: [{ text: '330' }] } }],
      },
    ]
    const output = {
      'events.gen_ai.choice': {
        finish_reason: 'end_turn',
        message: [{ reasoningContent: { reasoningText: { text: 'Easy' } } }, { text: '330 m' }],
      },
    }
    expect(linesOf({ inputs: { 'events.gen_ai.messages': messages }, output })).toEqual([
      '> system: Be brief',
      '> user: How tall is it?',
      '> assistant: height#t1{"of":"tower"}',
      '> tool: =#t1 330',
      '< assistant: (Easy) + 330 m',
    ])
  })

  test('of one kind', () => {
    const inputs = { 'events.gen_ai.user.message': [{ content: 'One?' }, { content: [{ text: 'Two?' }] }] }
    expect(linesOf({ inputs })).toEqual(['> user: One?', '> user: Two?'])
  })

  test('in an attribute', () => {
    const inputs = { events: [{ content: 'Hi', role: 'user', 'event.name': 'gen_ai.user.message' }] }
    const output = {
      events: [{ index: 0, message: { role: 'assistant', content: 'Ho' }, 'event.name': 'gen_ai.choice' }],
    }
    expect(linesOf({ inputs, output })).toEqual(['> user: Hi', '< assistant: Ho'])
  })
})

test('Haystack, current and older', () => {
  const inputs = {
    'haystack.component.input': {
      messages: [
        { role: 'user', content: [{ text: 'Rain?' }], name: null, meta: {} },
        { role: 'assistant', content: [{ tool_call: { tool_name: 'weather', arguments: { in: 'Oslo' }, id: 'c1' } }] },
        {
          role: 'tool',
          content: [{ tool_call_result: { result: 'wet', origin: { tool_name: 'weather', id: 'c1' }, error: false } }],
        },
      ],
    },
  }
  const output = { 'haystack.component.output': { replies: [{ _role: 'assistant', _content: [{ text: 'Yes' }] }] } }
  expect(linesOf({ inputs, output })).toEqual([
    '> user: Rain?',
    '> assistant: weather#c1{"in":"Oslo"}',
    '> tool: =weather#c1 wet',
    '< assistant: Yes',
  ])
})

test('keeps parts that it does not know as JSON', () => {
  expect(linesOf({ inputs: { messages: [{ role: 'user', content: [{ type: 'video', n: 1 }] }] } })).toEqual([
    '> user: json {"type":"video","n":1}',
  ])
})

test('a call without a conversation has no messages', () => {
  for (const payload of [
    {},
    { inputs: { question: 'Hi' }, output: 'Ho' },
    { inputs: { messages: [] }, output: { text: 'x' } },
    { inputs: { messages: ['a', 'b'] }, output: [1, 2] },
    { inputs: { rows: [{ role: 'admin' }] }, output: { role: 'admin', since: 1 } },
    { inputs: [], output: null },
  ]) {
    expect(normalise(payload)).toMatchObject({ messages: [], tools: [], is_truncated: false })
  }
})

test('cuts what is too long', () => {
  const messages = Array.from({ length: 1500 }, (_, index) => ({ role: 'user', content: `${index}` }))
  const found = normalise({ inputs: { messages } })
  expect(found.messages).toHaveLength(1000)
  expect(found.messages[249]!.parts).toEqual([{ type: 'text', text: '249' }])
  expect(found.messages[250]!.parts).toEqual([{ type: 'text', text: '750' }])
  expect(found.is_truncated).toBe(true)
  const long = normalise({ inputs: { messages: [{ role: 'user', content: 'x'.repeat(300_000) }] } })
  expect(long.messages[0]!.parts).toEqual([{ type: 'text', text: 'x'.repeat(262_144) }])
  expect(long.is_truncated).toBe(true)
})
