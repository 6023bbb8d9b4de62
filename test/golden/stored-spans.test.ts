import { beforeAll, expect, test } from 'bun:test'
import { contentPart } from '../../src/domains/calls/parts.ts'
import { callsTable } from '../../src/engine/tables/calls-table.ts'
import { isStoredLean, type SpanCells, spanColumns, spanText } from '../../src/lib/stored-span.ts'
import { mergeParts, type Row } from '../../src/lib/table.ts'
import type { JsonField } from '../../src/query/catalog.ts'
import { columnField } from '../../src/query/catalog.ts'
import { fieldOneOf } from '../../src/query/expression.ts'
import { compileJsonTexts } from '../../src/query/sql/cursor.ts'
import { StoreBench } from '../store/store-bench.ts'
import { visibleRows } from '../store/visible-rows.ts'
import { Fixture, projectId } from './fixture.ts'
import { Random, seedOf } from './random.ts'
import { randomSpan } from './random-spans.ts'
import { partOptions, type StoredSpanRow, storedSpanRow } from './stored-span-rows.ts'

const random = new Random(seedOf('stored spans'))
const count = Number(Bun.env['TRACELAKE_TEST_SPANS'] ?? 2_000)
const spansInDatabase = 40
const pathsOfSpan = 8
const { at } = callsTable
const cellsOf = (row: Row) =>
  Object.fromEntries(spanColumns.map((name) => [name, row[at[name]] ?? null])) as unknown as SpanCells

let spans: StoredSpanRow[]

beforeAll(() => {
  spans = Array.from({ length: count }, (_, index) => storedSpanRow(randomSpan(random, index), random)).filter(
    (one) => one !== undefined,
  )
})

test('put together, a stored span is the whole one', () => {
  for (const { row, whole } of spans) expect(spanText(cellsOf(row))).toBe(whole)
  const lean = spans.filter(({ row }) => isStoredLean(row[at.otel_group] as string | null))
  expect(lean.length).toBeGreaterThan(spans.length / 3)
  const without = (column: 'inputs' | 'output', mark: string) =>
    lean.filter(({ row }) => row[at[column]] !== null && String(row[at.otel_dump]).includes(mark))
  expect(without('inputs', '"\\u0001i"').length).toBeGreaterThan(spans.length / 50)
  expect(without('output', '"\\u0001o"').length).toBeGreaterThan(spans.length / 50)
})

test('stays the same when other parts replace what its call holds', () => {
  for (const { row, whole } of spans) {
    const id = row[at.id] as string
    const part = contentPart(id, projectId, { inputs: { other: 1 }, output: 'another' }, partOptions)
    expect(spanText(cellsOf(mergeParts(callsTable, [...row], part)))).toBe(whole)
    // A span that arrives later counts, with what it says itself.
    expect(spanText(cellsOf(mergeParts(callsTable, [...part], row)))).toBe(whole)
  }
})

test('a log brings them back the same, whatever was laid over them', async () => {
  await using bench = await StoreBench.open([callsTable])
  const some = spans.slice(0, 300)
  const part = ({ row }: StoredSpanRow) =>
    contentPart(row[at.id] as string, projectId, { inputs: { other: 1 } }, partOptions)
  await bench.store.write(
    'calls',
    some.map(({ row }) => [...row]),
  )
  await bench.store.write('calls', some.filter((_, index) => index % 2 === 0).map(part))
  for (const store of [bench.store, (await StoreBench.afterCrashOf(bench)).store]) {
    const rows = await visibleRows(store, callsTable, projectId)
    const cells = (row: (typeof rows)[number]) =>
      Object.fromEntries(spanColumns.map((name) => [name, row[name] ?? null]))
    const texts = new Map(rows.map((row) => [row['id'], spanText(cells(row) as unknown as SpanCells)]))
    for (const { row, whole } of some) expect(texts.get(row[at.id]!)).toBe(whole)
  }
}, 120_000)

test('SQL reads the same at any path', async () => {
  const fixture = await Fixture.open()
  const relation = fixture.calls
  for (const { row, whole } of spans.slice(0, spansInDatabase)) {
    const id = row[at.id] as string
    const cells = Object.fromEntries(spanColumns.map((name) => [name, row[at[name]] ?? null]))
    const time = (micros: unknown) => (micros === null ? null : new Date((micros as number) / 1000).toISOString())
    const exact = (micros: unknown) =>
      time(micros)?.replace('Z', `${String((micros as number) % 1000).padStart(3, '0')}Z`)
    await fixture.insert({ ...cells, started_at: exact(row[at.started_at]), ended_at: exact(row[at.ended_at]) })
    const paths = pathsIn(JSON.parse(whole), [])
    const picked = Array.from({ length: pathsOfSpan }, () => random.pick(paths))
    const wanted = [[], random.pick([['missing'], ['attributes', 'missing'], ['resource', 'missing']]), ...picked]
    const fields = wanted.flatMap((path): JsonField[] => [
      { kind: 'json', column: 'otel_dump', path },
      { kind: 'json', column: 'attributes', path: ['otel_span', ...path] },
    ])
    const where = fieldOneOf(columnField('id'), [id])
    const [texts] = await fixture.rows(compileJsonTexts({ relation, projectId, where }, fields, { hasSpans: true }))
    const [expected] = await fixture.rows({
      text: `SELECT ${wanted.map((path) => `json_extract($1, '${pointer(path)}')::VARCHAR`).join(', ')}`,
      values: [whole],
    })
    wanted.forEach((path, index) => {
      expect([path, texts![index * 2]]).toEqual([path, expected![index]])
      expect([path, texts![index * 2 + 1]]).toEqual([path, expected![index]])
    })
  }
}, 120_000)

const pointer = (path: readonly string[]): string =>
  path.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll("'", "''")}`).join('')

/** Paths of all values, in JSON that was parsed, as far as fields can name them. */
function pathsIn(value: unknown, path: readonly string[]): string[][] {
  if (typeof value !== 'object' || value === null || path.length > 6) return [[...path]]
  return [[...path], ...Object.entries(value).flatMap(([name, member]) => pathsIn(member, [...path, name]))]
}
