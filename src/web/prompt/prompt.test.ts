import { describe, expect, test } from 'bun:test'
import { isSame } from './drafts.ts'
import { faultsOf } from './faults.ts'
import { readJson } from './json-places.ts'
import { contentOf, newPrompt, type Prompt, promptOf, settingValue } from './prompt.ts'
import { changedParts, promptDiff } from './prompt-diff.ts'
import { schemaFault, toolsFault } from './schema-faults.ts'
import { useSnippet } from './use-it.ts'
import { piecesOf, placeAt, unclosedIn, variablesOf } from './variables.ts'

const stored = {
  _type: 'MessagesPrompt',
  _class_name: 'MessagesPrompt',
  _bases: ['Prompt', 'Object', 'BaseModel'],
  name: null,
  description: null,
  messages: [
    { role: 'system', content: 'Now: {{now}}' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'look', arguments: '{"a":1}' } }],
    },
    { role: 'tool', content: '{}', tool_call_id: 'c1' },
    { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } }], name: 'ann' },
  ],
  template_format: 'mustache',
  model: 'gpt-4o',
  settings: { temperature: 0, stop: ['a', 'b'], reasoning_effort: 'low' },
  tools: [{ type: 'function', function: { name: 'look', parameters: { type: 'object' } } }],
  response_schema: { type: 'object' },
  variables: { now: { type: 'date-time', example: '2026-11-22' } },
  owner: 'team',
}

test('the content of a prompt is read and written without a change', () => {
  expect(contentOf(promptOf(stored))).toEqual(stored)
  const text = { _type: 'StringPrompt', _class_name: 'StringPrompt', _bases: ['Prompt', 'Object', 'BaseModel'] }
  const plain = { ...text, name: null, description: null, content: 'Be {mood}' }
  expect(contentOf(promptOf(plain))).toEqual(plain)
})

test('words about a change are no change, and neither is the order of members', () => {
  const prompt = promptOf(stored)
  expect(isSame(prompt, { ...prompt, description: 'why' })).toBe(true)
  expect(isSame(prompt, { ...prompt, settings: Object.fromEntries(Object.entries(prompt.settings).reverse()) })).toBe(
    true,
  )
  expect(isSame(prompt, { ...prompt, model: 'gpt-4.1' })).toBe(false)
  expect(isSame(prompt, { ...prompt, tools: '[' })).toBe(false)
})

test.each([
  ['0', 0],
  ['0.7', 0.7],
  ['true', true],
  ['["a"]', ['a']],
  ['low', 'low'],
  ['1x', '1x'],
])('the setting %s is %j', (text, value) => {
  expect(settingValue(text)).toEqual(value)
})

describe('variables', () => {
  test.each([
    ['a {{b}} c', ['text:a ', 'variable:{{b}}', 'text: c']],
    ['{{ b.c }}{{x-1}}', ['variable:{{ b.c }}', 'variable:{{x-1}}']],
    ['{{名前}}', ['variable:{{名前}}']],
    ['{"a": {"b": 1}} {x}', ['text:{"a": {"b": 1}} {x}']],
    ['{{#if x}}', ['odd:{{#if x}}']],
    ['{{}} {{1}}', ['odd:{{}}', 'text: ', 'odd:{{1}}']],
    ['a {{b', ['text:a ', 'unclosed:{{', 'text:b']],
    ['{{a {{b}}', ['unclosed:{{', 'text:a ', 'variable:{{b}}']],
    ['{{a\n}}', ['unclosed:{{', 'text:a\n}}']],
  ])('%j in mustache', (text, pieces) => {
    expect(piecesOf(text, 'mustache').map((piece) => `${piece.kind}:${piece.text}`)).toEqual(pieces)
  })

  test('in the format of SDKs have single braces', () => {
    const pieces = piecesOf('{mood} {{mood}} {"a": 1} {x y}', 'braces')
    expect(pieces.flatMap(({ name }) => name ?? [])).toEqual(['mood'])
    expect(pieces.map(({ text }) => text).join('')).toBe('{mood} {{mood}} {"a": 1} {x y}')
  })

  test('have the place of what nothing closes', () => {
    expect(unclosedIn('one\n日本 {{x\n{{y}} {{', 'mustache')).toEqual([
      { line: 2, column: 4 },
      { line: 3, column: 7 },
    ])
    expect(placeAt('😀x', 3)).toEqual({ line: 1, column: 3 })
  })

  test('of a prompt are those that the server fills in', () => {
    const prompt = promptOf({
      ...stored,
      messages: [
        { role: 'system', content: '{{now}} {{limit}}' },
        { role: 'assistant', content: '{{said}}' },
        { role: 'user', content: '{{now}}' },
      ],
    })
    expect(variablesOf(prompt)).toEqual([
      { name: 'now', usedIn: ['system', 'user'], type: 'date-time', example: '2026-11-22' },
      { name: 'limit', usedIn: ['system'], type: 'text', example: '' },
    ])
  })
})

describe('JSON with places', () => {
  test('is read as JSON.parse reads it', () => {
    const text = ' {"a": [1, -2.5e3, "x\\n\\"", null, true], "b": {}} '
    const read = readJson(text)
    if ('fault' in read) throw new Error(read.fault.reason)
    expect(read.value).toEqual(JSON.parse(text))
    expect(text.slice(read.offsetAt(['a', 2]))).toStartWith('"x')
  })

  test.each([
    ['{"a": }', 6, 'value'],
    ['{"a": 1,}', 8, 'member name'],
    ['{a: 1}', 1, 'member name'],
    ['[1 2]', 3, '“,” or “]”'],
    ['{"a" 1}', 5, '“:”'],
    ['"abc', 0, 'not closed'],
    ['{} x', 3, 'follows'],
    ['', 0, 'the end'],
    ['{"a": 1, "a": 2}', 9, 'twice'],
    ['01', 0, 'value'],
    ['["\\x"]', 1, 'escape'],
    [`${'['.repeat(300)}`, 201, 'levels'],
  ])('%j has a fault', (text, offset, reason) => {
    const read = readJson(text)
    expect('fault' in read && read.fault.offset).toBe(offset)
    expect('fault' in read && read.fault.reason).toContain(reason)
  })
})

describe('schemas', () => {
  test.each([
    '{}',
    'true',
    '{"type": ["string", "null"], "enum": ["a"]}',
    '{"type": "object", "properties": {"a": {"type": "array", "items": {"$ref": "#/$defs/b"}}}, "$defs": {"b": {}}}',
    '{"anyOf": [{"type": "integer", "minimum": 0}, {"not": {}}], "x-own": 7}',
  ])('%s is one', (text) => {
    expect(schemaFault(text)).toBeUndefined()
  })

  test.each([
    ['{"type": "strnig"}', 9, '“type” is "strnig"'],
    ['{"properties": {"a": {"type": 7}}}', 30, '“type” is 7'],
    ['{"properties": []}', 15, 'object of schemas'],
    ['{"required": "a"}', 13, 'list of strings'],
    ['{"items": {"maxLength": -1}}', 24, 'count'],
    ['{"anyOf": []}', 10, 'list of schemas'],
    ['{"pattern": "("}', 12, 'regular expression'],
    ['[]', 0, 'object, true or false'],
    ['{"type": "object"', 17, 'the end'],
  ])('%s is none', (text, offset, reason) => {
    expect(schemaFault(text)).toMatchObject({ offset, reason: expect.stringContaining(reason) })
  })

  test('of tools are checked as well', () => {
    expect(toolsFault('[{"type": "function", "function": {"name": "a", "parameters": {"type": "x"}}}]')?.offset).toBe(
      71,
    )
    expect(toolsFault('{}')?.reason).toContain('list')
    expect(toolsFault('[{"function": {}}]')?.reason).toContain('name')
  })
})

describe('faults', () => {
  const withChanges = (changes: Partial<Prompt>): Prompt => ({ ...promptOf(stored), ...changes })
  const messagesOf = (...messages: object[]) => promptOf({ ...stored, messages }).messages
  test('a prompt without any', () => {
    expect(faultsOf(promptOf(stored))).toEqual([])
  })

  test.each<[string, Partial<Prompt>, string]>([
    ['unclosed', { messages: messagesOf({ role: 'user', content: 'a\n b {{c' }) }, 'line 2, column 4: “{{”'],
    ['no call', { messages: messagesOf({ role: 'tool', content: '', tool_call_id: 'c9' }) }, '“c9”'],
    ['no message', { messages: [] }, 'needs a message'],
    ['schema', { schema: '{\n  "type": "strnig"\n}' }, 'Response schema, line 2, column 11'],
    ['tools', { tools: '[\n{}]' }, 'Tools, line 2, column 1'],
    [
      'arguments',
      {
        messages: messagesOf({
          role: 'assistant',
          tool_calls: [{ id: 'a', function: { name: 'look', arguments: '{' } }],
        }),
      },
      'arguments of look, line 1, column 2',
    ],
  ])('%s', (_, changes, words) => {
    const [first] = faultsOf(withChanges(changes))
    expect(first?.level).toBe('fault')
    expect(first?.text).toContain(words)
  })

  test('that only warn', () => {
    const prompt = withChanges({ variables: {} })
    const found = faultsOf(prompt, 'No API key for provider "openai"')
    expect(found.map(({ level, part }) => `${level} ${part}`)).toEqual(['warning variables', 'warning model'])
    expect(found[1]?.text).toBe('No API key for provider "openai".')
    expect(faultsOf(prompt)).toHaveLength(1)
  })
})

describe('two versions', () => {
  const diffOf = (before: object[], after: object[]) =>
    promptDiff(promptOf({ messages: before }), promptOf({ messages: after }))

  test('pair messages by turn', () => {
    const [system, a, b] = ['s', 'a', 'b'].map((content) => ({ role: 'user', content }))
    const blocks = diffOf(
      [{ role: 'system', content: 'x y z' }, a!, b!],
      [{ role: 'system', content: 'x y w' }, system!, a!, b!],
    )
    expect(blocks.map(({ left, right, isEqual }) => [left, right, isEqual])).toEqual([
      [1, 1, false],
      [undefined, 2, false],
      [2, 3, true],
      [3, 4, true],
    ])
    expect(changedParts(blocks)).toMatchObject({ messages: 2, messagesAll: 4, isEqual: false })
  })

  test('show settings, tools and schema by line', () => {
    const blocks = promptDiff(promptOf(stored), promptOf({ ...stored, settings: { temperature: 1 } }))
    expect(blocks.filter(({ isEqual }) => !isEqual).map(({ part }) => part)).toEqual(['settings'])
  })
})

test.each(['python', 'typescript', 'curl'] as const)('the snippet in %s has what the prompt needs', (language) => {
  const facts = { url: 'http://127.0.0.1:8470', projectId: 'acme/bot', name: 'greeting', version: 'production' }
  const prompt: Prompt = { ...newPrompt(), model: 'gpt-4o', settings: { temperature: '0' } }
  const code = useSnippet(language, { ...facts, prompt }).at(-1)?.code ?? ''
  for (const word of [
    'http://127.0.0.1:8470',
    'acme/bot',
    'greeting',
    'production',
    'gpt-4o',
    'temperature',
    'question',
  ])
    expect(code).toContain(word)
})
