import { expect, test } from 'bun:test'
import type { ProjectReader } from '../access/caller.ts'
import { expandRefs, noRefs, type RefResolver } from './expand-refs.ts'

const reader = { projectId: 'acme/traces' } as ProjectReader
const model = 'ext:///acme/traces/object/model:v1'
const prompt = 'ext:///acme/traces/object/prompt:v1'
const objects = new Map<string, unknown>([
  [model, { prompt }],
  [prompt, 'Answer briefly'],
])
const known: RefResolver = {
  resolve: async (_reader, refs) => new Map([...objects].filter(([ref]) => refs.includes(ref))),
}
const line = (inputs: unknown) => JSON.stringify({ id: 'a', inputs })
const expand = (text: string, resolver: RefResolver, ...paths: string[][]) =>
  expandRefs([text], paths, reader, resolver)

test('a ref is replaced by its target, which keeps the ref if it is an object', async () => {
  expect(await expand(line({ model }), known, ['inputs', 'model'])).toEqual([line({ model: { prompt, _ref: model } })])
})

test('a deeper path traverses what a shallower one expanded', async () => {
  const [call] = await expand(line({ model }), known, ['inputs', 'model'], ['inputs', 'model', 'prompt'])
  expect(call).toBe(line({ model: { prompt: 'Answer briefly', _ref: model } }))
})

test.each([
  ['a ref that cannot be resolved', line({ model: 'ext:///acme/traces/object/gone:v1' }), known],
  ['a ref if there are no objects', line({ model }), noRefs],
  ['a text that is not a ref', line({ model: 'gpt' }), known],
  ['a missing path', line({ other: model }), known],
  ['a path below a ref that was not expanded', line({ model: { prompt: 1 } }), known],
  ['the spelling of a number', '{"id":"a","inputs":{"n":1.0,"model":"x:///y"}}', known],
])('%s is left unchanged', async (_what, text, resolver) => {
  expect(await expand(text, resolver, ['inputs', 'model'])).toEqual([text])
})
