import { expect, test } from 'bun:test'
import { faultsOf, type SchemaCase } from './check-case.ts'

const valid = (schema: string, document: unknown): SchemaCase => ({ schema, document, isValid: true })
const invalid = (schema: string, document: unknown): SchemaCase => ({ schema, document, isValid: false })

const cases: Readonly<Record<string, SchemaCase>> = {
  'a question with instructions': valid('gen-ai-input-messages.json', [
    { role: 'system', parts: [{ type: 'text', content: 'Be brief' }] },
    { role: 'user', parts: [{ type: 'text', content: 'Rain in Oslo?' }] },
  ]),
  'a call of a tool and its result': valid('gen-ai-input-messages.json', [
    { role: 'user', parts: [{ type: 'text', content: 'Rain?' }] },
    { role: 'assistant', parts: [{ type: 'tool_call', id: 'c1', name: 'sky', arguments: { city: 'Oslo' } }] },
    { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c1', response: { sky: 'grey' } }] },
  ]),
  'two results of tools in one message': valid('gen-ai-input-messages.json', [
    {
      role: 'tool',
      parts: [
        { type: 'tool_call_response', id: 'c1', response: 'grey' },
        { type: 'tool_call_response', id: 'c2', response: 'blue' },
      ],
    },
  ]),
  'pictures, and parts of no known kind': valid('gen-ai-input-messages.json', [
    {
      role: 'user',
      parts: [
        { type: 'blob', modality: 'image', mime_type: 'image/png', content: 'aGk=' },
        { type: 'uri', modality: 'video', uri: 'https://example.com/a.mp4' },
        { type: 'generic', generic_type: 'map', centre: [59.9, 10.7] },
        { type: 'poll', options: [1, 2] },
      ],
    },
  ]),
  'parts without their content': valid('gen-ai-input-messages.json', [
    { role: 'user', parts: [{ type: 'text' }, { type: 'blob', mime_type: 'audio/wav' }, { type: 'file' }] },
  ]),
  'messages without role or parts': invalid('gen-ai-input-messages.json', [{ role: 'user' }, { parts: [] }, {}]),
  'several answers': valid('gen-ai-output-messages.json', [
    { role: 'assistant', parts: [{ type: 'text', content: 'Yes' }], finish_reason: 'stop' },
    { role: 'assistant', parts: [{ type: 'text', content: 'No' }], finish_reason: 'length' },
  ]),
  'a thought, a hidden one and an answer': valid('gen-ai-output-messages.json', [
    {
      role: 'assistant',
      parts: [
        { type: 'reasoning', content: 'Clouds.' },
        { type: 'redacted_thinking', data: 'x' },
        { type: 'text', content: 'Yes' },
      ],
      finish_reason: 'stop',
    },
  ]),
  'answers of wrong types': invalid('gen-ai-output-messages.json', [
    { role: 'assistant', parts: { type: 'text', content: 'Yes' }, finish_reason: 7 },
    { role: 3, parts: 'Yes' },
  ]),
  instructions: valid('gen-ai-system-instructions.json', [
    { type: 'text', content: 'Be brief' },
    { type: 'generic', generic_type: 'ttl', minutes: 5 },
  ]),
  'instructions that are no objects': invalid('gen-ai-system-instructions.json', ['Be brief', 5, null]),
  tools: valid('gen-ai-tool-definitions.json', [
    { type: 'function', name: 'sky', parameters: { type: 'object', properties: { city: { type: 'string' } } } },
    { type: 'code_execution', name: 'python', seconds: 30 },
  ]),
  'tools without name or type': invalid('gen-ai-tool-definitions.json', [{ type: 'function' }, { name: 'sky' }, {}]),
  'arguments of a tool': valid('gen-ai-tool-call-arguments.json', { city: 'Oslo', days: 2 }),
  'arguments as text': invalid('gen-ai-tool-call-arguments.json', '{"city":"Oslo"}'),
  'a result of a tool': valid('gen-ai-tool-call-result.json', { sky: ['grey', 'blue'] }),
  'a result that is a list': invalid('gen-ai-tool-call-result.json', [{ sky: 'grey' }]),
  documents: valid('gen-ai-retrieval-documents.json', [{ id: 'd1', score: 0.5, page: 3 }, { id: 'd2' }, {}]),
  'documents of wrong types': invalid('gen-ai-retrieval-documents.json', [{ id: 1, score: 'high' }]),
  memories: valid('gen-ai-memory-records.json', [
    { id: 'm1', content: { unit: 'metric' }, score: 1 },
    { content: 'x' },
  ]),
  'memories without content': invalid('gen-ai-memory-records.json', [{ id: 'm1' }, { metadata: 'x' }]),
}

test.each(Object.entries(cases))('%s', (_, one) => {
  expect(faultsOf(one)).toEqual([])
})

test('a schema without a rule', () => {
  expect(faultsOf(valid('gen-ai-dreams.json', []))).toBeUndefined()
})
