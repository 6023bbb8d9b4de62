import { expect, test } from 'bun:test'
import { conventionTables } from '../conventions/conventions.ts'
import { attributeTree } from './attribute-tree.ts'
import { tablesFor, tablesForEntries } from './span-tables.ts'

function namesFor(...attributes: [string, unknown][]): string[] {
  const tree = attributeTree(attributes)
  const tables = tablesFor([tree])
  // Twice: the second time the names are known, also from spans with other values.
  for (let time = 0; time < 2; time++) expect(tablesForEntries(attributes, tree)).toEqual(tables)
  return [...tables.usage.values()].flat().map(({ name }) => name)
}

test('keeps the names that a span may have', () => {
  expect(namesFor(['gen_ai.usage.input_tokens', 1])).toContain('gen_ai.usage.input_tokens')
  expect(namesFor(['gen_ai.request.model', 'm'], ['llm.token_count.prompt', 1])).toEqual(
    expect.arrayContaining(['llm.token_count.prompt']),
  )
  expect(namesFor(['llm.token_count.prompt', 1])).not.toContain('llm.token_count.completion')
  expect(namesFor(['gen_ai.request.model', 'm'])).toEqual([])
  expect(namesFor(['http.route', '/'], ['constructor', 1], ['__proto__.x', 1])).toEqual([])
})

test('keeps names below values, which may be JSON or beside others that keep their dots', () => {
  expect(namesFor(['braintrust.metrics', '{"tokens": 1}'])).toContain('braintrust.metrics.tokens')
  expect(namesFor(['gen_ai', 'x'], ['gen_ai.usage.input_tokens', 1])).toContain('gen_ai.usage.input_tokens')
  expect(namesFor(['gen_ai.usage', 'x'], ['gen_ai.usage.input_tokens', 1])).toContain('gen_ai.usage.input_tokens')
  expect(namesFor(['gen_ai.usage.input_tokens', 1], ['gen_ai', 'x'])).toContain('gen_ai.usage.input_tokens')
  expect(namesFor(['gen_ai', '{"usage": {"input_tokens": 1}}'])).toContain('gen_ai.usage.input_tokens')
})

test('spans with the same names have the same tables, whatever their values', () => {
  const values = [1, 'x', '', '{"b": {"c": 1}}', '[1]', { b: 1 }, null]
  const names = ['gen_ai', 'gen_ai.usage', 'gen_ai.usage.input_tokens', 'llm.token_count.prompt']
  for (const value of values)
    for (const other of values) {
      namesFor(...names.map((name, index): [string, unknown] => [name, index % 2 === 0 ? value : other]))
      namesFor(...names.map((name, index): [string, unknown] => [name, index % 2 === 0 ? value : other]).reverse())
    }
})

test('sources that are events remain', () => {
  const isOfEvents = (place: object) => 'event' in place || 'messages' in place
  expect(tablesFor([]).inputs.filter(isOfEvents)).toEqual(conventionTables.inputs.filter(isOfEvents))
})
