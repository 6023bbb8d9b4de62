import { expect, test } from 'bun:test'
import { newPrompt, promptOf } from '../prompt/prompt.ts'
import { carriedFrom } from './from-call.ts'
import { filled, inputsOf } from './run.ts'
import { columnOf } from './workspace.ts'

const request = { projectId: 'a/b', values: {}, further: [], at: 0 }

test('a call of chat completions is sent again as it was', () => {
  const inputs = {
    model: 'gpt-4o',
    messages: [
      { role: 'system', content: 'Answer in JSON like {"a": {{b}}}.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Hi' },
          { type: 'image_url', image_url: { url: 'https://x/y' } },
        ],
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: '1', type: 'function', function: { name: 'f', arguments: '{"q":1.0}' } }],
      },
      { role: 'tool', tool_call_id: '1', content: 'found' },
    ],
    temperature: 0.2,
    seed: 7,
    stop: ['\n'],
    logit_bias: { 50256: -100 },
    tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }],
    response_format: { type: 'json_object' },
  }
  const { prompt, notCarried } = carriedFrom({
    inputs: { ...inputs, stream: true, api_key: 'x' },
    messages: [],
    model: null,
  })
  expect(notCarried).toEqual(['api_key'])
  expect(inputsOf({ ...request, column: columnOf(prompt) })).toEqual(inputs)
})

test('a call of another provider is translated, and what has no place is named', () => {
  const { prompt, notCarried } = carriedFrom({
    inputs: {
      model: 'claude-sonnet-4-5',
      system: 'Be kind.',
      messages: [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: '1', content: 'found' }] }],
      max_tokens: 100,
      thinking: { type: 'enabled' },
      tools: [{ name: 'f', description: 'Finds', input_schema: { type: 'object' } }],
    },
    model: 'claude-sonnet-4-5',
    messages: [
      { source: 'inputs', role: 'system', name: null, parts: [{ type: 'text', text: 'Be kind.' }] },
      {
        source: 'inputs',
        role: 'assistant',
        name: null,
        parts: [
          { type: 'reasoning', text: 'hm' },
          { type: 'tool_call', id: '1', name: 'f', arguments: '{}' },
        ],
      },
      {
        source: 'inputs',
        role: 'user',
        name: null,
        parts: [{ type: 'tool_result', id: '1', name: 'f', content: 'found', is_error: false }],
      },
      { source: 'output', role: 'assistant', name: null, parts: [{ type: 'text', text: 'Done' }] },
    ],
  })
  expect(notCarried).toEqual(['thinking', 'reasoning'])
  expect(inputsOf({ ...request, column: columnOf(prompt) })).toEqual({
    model: 'claude-sonnet-4-5',
    messages: [
      { role: 'system', content: 'Be kind.' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: '1', type: 'function', function: { name: 'f', arguments: '{}' } }],
      },
      { role: 'tool', content: 'found', tool_call_id: '1' },
    ],
    max_tokens: 100,
    tools: [{ type: 'function', function: { name: 'f', description: 'Finds', parameters: { type: 'object' } } }],
  })
})

test('variables are filled in here unless a version goes by its ref', () => {
  const prompt = { ...newPrompt(), model: 'm', settings: { seed: '3' } }
  const values = { question: 'Why?' }
  expect(filled('{{question}} {{other}}', prompt, values)).toBe('Why? {{other}}')
  expect(inputsOf({ ...request, column: columnOf(prompt), values, at: 2 })).toMatchObject({
    messages: [{ role: 'system' }, { role: 'user', content: 'Why?' }],
    seed: 5,
  })
  const origin = { name: 'greeting', digest: 'abc', index: 1, latest: 'abc' }
  expect(inputsOf({ ...request, column: columnOf(prompt, { origin }), values })).toEqual({
    model: 'm',
    messages: [],
    prompt: 'ext:///a/b/object/greeting:abc',
    template_vars: values,
    seed: 3,
  })
  expect(inputsOf({ ...request, column: columnOf(promptOf({ content: 'Hi' })), begun: 'So' })['messages']).toEqual([
    { role: 'system', content: 'Hi' },
    { role: 'assistant', content: 'So' },
  ])
})
