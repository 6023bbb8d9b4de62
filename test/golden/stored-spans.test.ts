import { beforeAll, expect, test } from 'bun:test'
import { isStoredLean, type SpanCells, spanColumns, spanText } from '../../src/kernel/stored-span.ts'
import { mergeParts, type Row } from '../../src/kernel/table.ts'
import { groupDump, type HeldCells, storeSpan } from '../../src/mapping/spans/span-dump.ts'
import { spanToCall } from '../../src/mapping/spans/span-to-call.ts'
import type { JsonField } from '../../src/query/catalog.ts'
import { columnField } from '../../src/query/catalog.ts'
import { compileJsonTexts } from '../../src/query/compile.ts'
import { fieldOneOf } from '../../src/query/expression.ts'
import { contentPart, type PartOptions, spanPart } from '../../src/records/calls/parts.ts'
import { walkPayload } from '../../src/records/calls/redact.ts'
import { callsTable } from '../../src/tables/calls-table.ts'
import { type Span, SpanUnreadable } from '../../src/wire/otlp/span.ts'
import { StoreBench } from '../store/store-bench.ts'
import { visibleRows } from '../store/visible-rows.ts'
import { Fixture, projectId } from './fixture.ts'
import { Random, seedOf } from './random.ts'
import { attributes, randomSpan } from './random-spans.ts'

const random = new Random(seedOf('stored spans'))
const count = Number(Bun.env['TRACELAKE_TEST_SPANS'] ?? 2_000)
const spansInDatabase = 40
const pathsOfSpan = 8
const { at } = callsTable
const redact = (value: unknown) => walkPayload(value, { redact: true, refs: undefined, contents: undefined })

const options: PartOptions = {
  redact: true,
  userId: 'u',
  nowMs: 1_767_600_000_000,
  // Content that becomes a file differs between what a call holds and what its span said.
  contents: { replace: (text) => (text.startsWith('x'.repeat(30)) ? 'a file' : undefined) } as PartOptions['contents'],
}

/** Nothing that a span could be stored without. */
const nothing: HeldCells = {
  id: '',
  traceId: '',
  parentId: null,
  startedAt: -1,
  endedAt: null,
  inputs: null,
  inputsValue: undefined,
  output: null,
  outputValue: undefined,
}

interface Stored {
  readonly row: Row
  readonly whole: string
}

/** The row of a span, and the text of the whole span; undefined if it is refused. */
function stored(span: Span): Stored | undefined {
  const resource = { attributes: attributes(random, 3), droppedAttributes: 0, schemaUrl: '' }
  const group = groupDump({ resource, scope: { ...resource, name: 'lib', version: '1' }, spans: [] }, redact)
  try {
    const { call, values } = spanToCall(span, projectId, redact)
    let whole = ''
    const row = spanPart(
      call,
      (held) => {
        const alone = storeSpan(span, values, group, nothing, redact)
        whole = isStoredLean(alone.group) ? `${alone.dump.slice(0, -1)},${group.slice(1)}` : alone.dump
        return storeSpan(span, values, group, held, redact)
      },
      projectId,
      options,
    )
    return { row, whole }
  } catch (error) {
    if (error instanceof SpanUnreadable) return undefined
    throw error
  }
}

const cellsOf = (row: Row) =>
  Object.fromEntries(spanColumns.map((name) => [name, row[at[name]] ?? null])) as unknown as SpanCells

let spans: Stored[]

beforeAll(() => {
  spans = Array.from({ length: count }, (_, index) => stored(randomSpan(random, index))).filter(
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
    const part = contentPart(id, projectId, { inputs: { other: 1 }, output: 'another' }, options)
    expect(spanText(cellsOf(mergeParts(callsTable, [...row], part)))).toBe(whole)
    // A span that arrives later counts, with what it says itself.
    expect(spanText(cellsOf(mergeParts(callsTable, [...part], row)))).toBe(whole)
  }
})

test('a log brings them back the same, whatever was laid over them', async () => {
  await using bench = await StoreBench.open([callsTable])
  const some = spans.slice(0, 300)
  const part = ({ row }: Stored) => contentPart(row[at.id] as string, projectId, { inputs: { other: 1 } }, options)
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
