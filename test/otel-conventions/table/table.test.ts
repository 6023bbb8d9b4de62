import { expect, test } from 'bun:test'
import path from 'node:path'
import { spanToCall } from '../../../src/formats/mapping/spans/span-to-call.ts'
import { caseSources, type Sources, traceSources } from './sources.ts'
import { conventionsTable, withConventionsTable } from './table.ts'
import { type Column, toldBy } from './told.ts'

const guide = path.join(import.meta.dir, '../../../docs/guide/opentelemetry.md')

test('the guide shows what the mapping tells', async () => {
  const document = await Bun.file(guide).text()
  expect(withConventionsTable(document, conventionsTable(caseSources(), spanToCall))).toBe(document)
})

test('marks what an older mapping did not tell', () => {
  const sources: Sources = new Map([['a', [{ attributes: [['gen_ai.request.model', 'gpt-4o']] as const }]]])
  const empty: typeof spanToCall = (span, ...rest) => spanToCall({ ...span, attributes: [] }, ...rest)
  const cells = conventionsTable(sources, spanToCall, empty).split('\n')[2]
  expect(cells).toBe('| a |  |  | new |  |  |  | ✓ |  |  |')
})

/** Traces that Langfuse exported, one file per framework: not part of this repository. */
const folder = Bun.env['TRACELAKE_TEST_TRACES']

test.skipIf(folder === undefined)('spans of real frameworks tell their model, usage and cost', () => {
  const sources = traceSources(folder!)
  expect(sources.size).toBeGreaterThan(0)
  for (const fixtures of sources.values()) {
    const told = new Set(fixtures.flatMap((fixture): Column[] => [...toldBy(fixture, spanToCall)]))
    expect([...told]).toContain('kind')
  }
})
