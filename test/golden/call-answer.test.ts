import { beforeAll, describe, expect, test } from 'bun:test'
import type { ProjectReader } from '../../src/domains/access/caller.ts'
import { type CallsRequest, planCalls } from '../../src/domains/calls/plan.ts'
import { type CallRow, callsTable, withDerived } from '../../src/engine/tables/calls-table.ts'
import { type Dialect, dialects } from '../../src/formats/dialect/dialect.ts'
import type { Cell } from '../../src/lib/table.ts'
import { formatTime } from '../../src/lib/time.ts'
import { type RowOptions, rowLines } from '../../src/query/sql/call-columns.ts'
import type { CallCells } from '../../src/query/sql/call-value.ts'
import { feedbackEntriesSql } from '../../src/query/sql/feedback-entries.ts'
import { Parameters } from '../../src/query/sql/parameters.ts'
import { compileJsonLines } from '../../src/query/sql/statements.ts'
import { Fixture, projectId } from './fixture.ts'

/*
 * A call is answered by one description, which DuckDB evaluates for many rows and the server itself
 * for a few. Every branch of it gives the same bytes in both ways, and the expected ones.
 */

type Cells = Readonly<Record<string, Cell>>

const micros = Date.parse('2026-01-02T03:04:05Z') * 1000
const second = 1_000_000
const ended = { ended_at: micros + 1_234_567 }
const odd = '\u0001\b\t\n\f\r\u001f"\\/\u007f\u0080\u2028é漢😀'
const lean =
  '{"name":"s","context":"\\u0001c","parent_id":"\\u0001p","start_time":"\\u0001s","end_time":"\\u0001e",' +
  '"attributes":{"input.value":"\\u0001i","output.value":"\\u0001o"}}'

/** Cells that differ from those of a running call, by the id of the call. */
const calls: Readonly<Record<string, Cells>> = {
  running: {},
  success: ended,
  failed: { ...ended, exception: 'ValueError: no' },
  'empty exception': { ...ended, exception: '' },
  'error inside': { ...ended, error_inside: '{"call_id":"x","error":"é: no","depth":2}' },
  'error inside no more': { ...ended, error_inside: 'null' },
  'errors counted': { ...ended, summary: '{"status_counts":{"error":1}}' },
  'short latency': { ended_at: micros + 999 },
  'negative latency': { ended_at: micros - 5 * second },
  named: { display_name: odd },
  'name cleared': { display_name: '' },
  'ref as op': { op_name: 'ext:///acme/traces/op/my-op.v2:abcdef0123456789' },
  'odd op': { op_name: odd, exception: odd },
  'whole numbers': { ext_run_id: 'run', ext_run_step: 0, ext_run_step_end: 2 ** 53 - 1 },
  'in a thread': { parent_id: 'p', thread_id: odd, turn_id: odd },
  'no turn any more': { thread_id: 'h', turn_id: '' },
  'exact numbers': {
    attributes: '{"a":-0.0,"b":12345678901234567890123,"c":1E400,"d":1.0}',
    inputs: '{"a":-0.0}',
    output: '-0.0',
    summary: '{"a":12345678901234567890123}',
  },
  'odd names': { attributes: '{"__proto__":{"a":1},"":0,"a":1,"a":2}', inputs: '{"__proto__":1}', output: '{"":{}}' },
  'odd texts': { attributes: `{"é漢😀":"\\u0001 é"}`, inputs: `{"a":"😀"}`, output: '"é"', summary: '{"é":"漢"}' },
  'nothing given': { attributes: null, inputs: null, output: null, summary: null },
  'null as output': { output: 'null' },
  'empty objects': { attributes: '{}', inputs: '{}', output: '{}', summary: '{}' },
  'views alone': { summary: '{"ext":{"views":{"a":"b"}}}' },
  'views and usage': { summary: '{"ext":{"views":{}},"usage":{"m":{"requests":1}}}' },
  'whole span': { otel_dump: '{"name":"é"}' },
  'whole span beside a group': { otel_dump: '{"name":"s"}', otel_group: 'null', attributes: '{"a":1}' },
  'span without what others hold': {
    ...ended,
    parent_id: 'p',
    otel_dump: lean,
    otel_group: '{"resource":{},"scope":{}}',
    inputs: '{"input.value":"é"}',
    output: '{"output.value":12345678901234567890123}',
    attributes: '{"kind":"llm"}',
  },
  'span without attributes': { ...ended, otel_dump: '{"name":"\\u0001p"}', otel_group: '{"scope":1}', parent_id: 'p' },
  microseconds: { started_at: micros + 1, ended_at: micros + 120_000 },
  'before 1970': { started_at: -1, ended_at: -second },
  'first year': { started_at: -62_135_596_800 * second },
  'another user': { ext_user_id: 'someone' },
}

const usernames = new Map([['user', odd]])
const feedback = ['success', 'failed', 'exact numbers', 'views alone']

let fixture: Fixture
const rows: CallRow[] = []

beforeAll(async () => {
  fixture = await Fixture.open()
  const stored = callsTable.columns.filter(({ storedIn }) => storedIn !== 'wal')
  for (const [id, cells] of Object.entries(calls).sort(([a], [b]) => (a < b ? -1 : 1))) {
    const row: CallRow = withDerived({
      project_id: projectId,
      id,
      trace_id: `trace ${id.length % 3}`,
      op_name: 'op',
      started_at: micros,
      ext_user_id: 'user',
      ...cells,
    })
    rows.push(row)
    const cellsByName = row as unknown as Cells
    const inserted = stored.map(({ name, type }) => {
      const cell = cellsByName[name] ?? null
      return [name, type === 'time' && typeof cell === 'number' ? formatTime(cell) : cell] as const
    })
    await fixture.insertInto('calls', Object.fromEntries(inserted))
  }
  for (const [at, id] of [...feedback, ...feedback].entries()) {
    await fixture.insertFeedback({
      id: `f${at}`,
      call_id: id,
      feedback_type: 'ext.reaction.1',
      payload: '{"emoji":"😀","n":-0.0}',
      created_at: formatTime(micros + at),
    })
  }
})

/** Entries of feedback, by the id of their call. */
async function entriesOf(dialect: Dialect): Promise<Map<unknown, unknown>> {
  const parameters = new Parameters()
  const text = feedbackEntriesSql(fixture.feedback, { projectId, output: dialect }, parameters)
  const found = await fixture.rows({ text: `SELECT call_id, entries FROM (${text})`, values: parameters.values })
  return new Map(found.map(([id, entries]) => [id, entries]))
}

/** The rows with what answers join to them. */
async function joinedRows(dialect: Dialect): Promise<CallCells[]> {
  const entries = await entriesOf(dialect)
  const bytesOf = new Map<string, number>()
  for (const { trace_id, payload_bytes } of rows) bytesOf.set(trace_id, (bytesOf.get(trace_id) ?? 0) + payload_bytes)
  return rows.map((row) => ({
    ...row,
    feedback_entries: (entries.get(row.id) ?? null) as string | null,
    trace_bytes: bytesOf.get(row.trace_id) ?? null,
  }))
}

/** The lines of all calls, by id: those of DuckDB, and those of rows. */
async function linesOf(request: CallsRequest, dialect: Dialect, retentionDays?: number) {
  const sorted = { ...request, sort_by: [{ field: 'id', direction: 'asc' as const }] }
  const plan = planCalls({ projectId } as ProjectReader, sorted, dialect, usernames)
  const output = { ...plan.output, retentionDays }
  const relations = { calls: fixture.calls, traces: fixture.calls, feedback: fixture.feedback, queues: undefined }
  const found = await fixture.rows(compileJsonLines({ ...plan, output }, relations))
  // The rows have what is joined to them, which those of data files have not.
  const lineOf = rowLines(output as RowOptions)
  return { inSql: found.map(([line]) => line as string), ofRows: (await joinedRows(dialect)).map(lineOf) }
}

const requests: readonly (readonly [what: string, request: CallsRequest, retentionDays?: number])[] = [
  ['whole calls', {}],
  ['calls that expire', {}, 30],
  ['sizes and names', { include_storage_size: true, include_usernames: true }],
  ['sizes of traces', { include_total_storage_size: true }],
  ['feedback', { include_feedback: true }],
  ['feedback without the summary', { include_feedback: true, columns: ['output'] }],
  ['some columns', { columns: ['inputs', 'exception'], include_usernames: true }],
  ['other columns', { columns: ['attributes', 'summary', 'turn_id', 'expire_at'] }, 1],
  ['without null', { omit_null: true, include_usernames: true, include_storage_size: true }, 30],
  ['some columns without null', { omit_null: true, columns: ['output', 'attributes'], include_usernames: true }],
]

describe.each(['ext', 'weave'] as const)('in the names of %s', (name) => {
  test.each(requests.map(([what, ...asked]) => ({ what, asked })))('$what: the same bytes', async ({ asked }) => {
    const [request, retentionDays] = asked
    const { inSql, ofRows } = await linesOf(request, dialects[name], retentionDays)
    expect(inSql).toHaveLength(rows.length)
    for (const [at, line] of inSql.entries()) {
      expect(ofRows[at]).toBe(line)
      JSON.parse(line)
    }
  })
})

test('a call that is no turn any more has no turn', async () => {
  const { inSql } = await linesOf({ columns: ['turn_id'] }, dialects.ext)
  const turns = Object.fromEntries(inSql.map((line) => JSON.parse(line)).map(({ id, turn_id }) => [id, turn_id]))
  expect(turns).toMatchObject({ running: null, 'in a thread': odd, 'no turn any more': null })
})

test('every member has a value somewhere, and none elsewhere', async () => {
  const { inSql } = await linesOf({ include_total_storage_size: true, include_usernames: true }, dialects.ext, 30)
  const found = inSql.map((line): Record<string, unknown> => JSON.parse(line))
  const { inSql: plain } = await linesOf({}, dialects.ext)
  const others = plain.map((line): Record<string, unknown> => JSON.parse(line))
  const everyCall = ['id', 'project_id', 'trace_id', 'op_name', 'started_at', 'ext_user_id', 'summary']
  const kept = ['attributes', 'inputs']
  for (const name of Object.keys(found[0] ?? {})) {
    const never = ['deleted_at', 'storage_size_bytes'].includes(name)
    expect([name, found.some((call) => call[name] != null)]).toEqual([name, !never])
    const always = [...everyCall, ...kept].includes(name)
    expect([name, [...found, ...others].some((call) => call[name] == null)]).toEqual([name, !always])
  }
})

const server = (members: string) => `{"ext":{"status":${members}}`

test.each([
  ['running', server('"running","trace_name":"op"}')],
  ['success', server('"success","latency_ms":1234,"trace_name":"op"}')],
  ['failed', server('"error","latency_ms":1234,"trace_name":"op"}')],
  ['empty exception', server('"success","latency_ms":1234,"trace_name":"op"}')],
  [
    'error inside',
    server(
      '"descendant_error","latency_ms":1234,"trace_name":"op",' +
        '"error_inside":{"call_id":"x","error":"é: no","depth":2}}',
    ),
  ],
  ['error inside no more', server('"success","latency_ms":1234,"trace_name":"op"}')],
  ['short latency', server('"success","latency_ms":0,"trace_name":"op"}')],
  ['named', server(`"running","display_name":${JSON.stringify(odd).replace('1f', '1F')}}`)],
  ['name cleared', server('"running","trace_name":"op"}')],
  ['ref as op', server('"running","trace_name":"my-op.v2"}')],
  ['exact numbers', '{"ext":{"status":"running","trace_name":"op"},"a":12345678901234567890123}'],
  ['views alone', server('"running","trace_name":"op","views":{"a":"b"}}')],
  ['views and usage', '{"ext":{"status":"running","trace_name":"op","views":{}},"usage":{"m":{"requests":1}}}'],
])('the summary of a call: %s', async (id, summary) => {
  const { inSql } = await linesOf({}, dialects.ext)
  const line = inSql.find((line) => line.startsWith(`{"id":"${id}",`))
  expect(line?.slice(line.indexOf('"summary":') + '"summary":'.length, -1)).toBe(summary)
})

test('the attributes of a call begin with its span', async () => {
  const { inSql } = await linesOf({ columns: ['attributes'] }, dialects.ext)
  const attributesOf = (id: string) => {
    const line = inSql.find((line) => line.startsWith(`{"id":"${id}",`)) ?? ''
    return line.slice(line.indexOf('"attributes":') + '"attributes":'.length, line.indexOf(',"inputs":{},"output":'))
  }
  expect(attributesOf('nothing given')).toBe('{}')
  expect(attributesOf('whole span')).toBe('{"otel_span":{"name":"é"}}')
  expect(attributesOf('whole span beside a group')).toBe('{"otel_span":{"name":"s"},"a":1}')
  expect(attributesOf('span without attributes')).toBe('{"otel_span":{"name":"p","scope":1}}')
})
