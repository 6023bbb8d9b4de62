import { afterAll, expect, test } from 'bun:test'
import { freshProject, sharedServer } from '../support/target.ts'
import { Agent } from './agent.ts'

const server = await sharedServer()
const [own, foreign] = [freshProject(server), freshProject(server)]
const at = '2024-05-01T10:00:00.500000Z'
const call = (id: string, note: string) => ({ id, trace_id: id, op_name: 'ask', started_at: at, inputs: { note } })
// In files and in memory, so that both have to be restricted.
await own.add(call('a', 'mine'))
await foreign.add(call('x', 'NOT-YOURS'))
await server.post('/flush', {})
await own.add(call('b', 'mine too'))
await foreign.add(call('y', 'NOT-YOURS'))

const { key } = (await server.post<{ key: string }>('/keys/create', { name: 'sql', role: 'read', scope: own.id })).json
const agent = await Agent.connect(server.address, key)
afterAll(() => agent.close())
const run = (statement: string) => agent.call('run_sql', { statement })

test('a statement reads the rows of the project, stored and recent', async () => {
  const { text } = await run("SELECT id, inputs->>'note' AS note FROM calls ORDER BY id")
  expect(text).toBe('id | note\na | mine\nb | mine too\n(2 of 2 rows)')
  expect((await run('SELECT count(*) AS n FROM calls c JOIN calls d USING (trace_id)')).text).toContain('n\n2\n')
  const recursive =
    'WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 3) SELECT sum(n) AS s FROM t'
  expect((await run(recursive)).text).toContain('s\n6\n')
  expect((await run('SELECT * FROM range(30) r(n)')).text).toContain('There are more rows')
}, 120_000)

const attacks = [
  "SELECT * FROM read_text('/etc/passwd')",
  "COPY (SELECT 1) TO '/tmp/stolen.csv'",
  'SELECT * FROM duckdb_views',
  'SELECT * FROM main.calls',
  'WITH duckdb_tables AS (SELECT * FROM duckdb_tables) SELECT * FROM duckdb_tables',
]

test.each(attacks)(
  'refuses %s',
  async (statement) => {
    const { text, isError } = await run(statement)
    expect(isError).toBe(true)
    expect(text).not.toContain('NOT-YOURS')
    expect(text).not.toContain('/tmp/')
  },
  120_000,
)

test('no way around the project: each statement sees two calls at most', async () => {
  const statements = [
    "SELECT string_agg(inputs::VARCHAR, ' ') FROM calls",
    `SELECT * FROM calls WHERE project_id = '${foreign.id}' OR true`,
    `WITH calls AS (SELECT * FROM calls) SELECT * FROM calls`,
    'SELECT * FROM calls UNION ALL FROM "CALLS"',
  ]
  for (const statement of statements) expect((await run(statement)).text).not.toContain('NOT-YOURS')
  const other = await agent.call('run_sql', { project: foreign.id, statement: 'SELECT 1' })
  expect(other).toMatchObject({ isError: true, text: expect.stringContaining('no access') })
}, 120_000)

test('the schema is described table by table', async () => {
  const { text, next } = await agent.call('describe_schema')
  expect(text).toContain('calls, costs, feedback')
  expect(text).not.toContain('jobs')
  expect((await agent.call(next[0]!.tool, next[0]!.args)).text).toContain('- op_name VARCHAR:')
})

test('a read key sees no writing tools and cannot call them', async () => {
  expect(await agent.toolNames()).not.toContain('add_feedback')
  expect((await agent.call('add_feedback', { call_id: 'a', note: 'no' })).isError).toBe(true)
})

test('a key that writes judges calls and keeps them as test cases', async () => {
  const writer = await Agent.connect(server.address, server.key, own.id)
  expect(await writer.toolNames()).toContain('add_to_dataset')
  const judged = await writer.call('add_feedback', {
    call_id: 'a',
    note: 'wrong',
    type: 'correct',
    payload: { ok: false },
  })
  expect(judged.isError).toBe(false)
  expect((await writer.call('get_call', { call_id: 'a' })).text).toContain('feedback ext.note.1: {"note":"wrong"}')
  expect((await writer.call('add_feedback', { call_id: 'nothing', note: 'x' })).isError).toBe(true)
  expect((await writer.call('add_to_dataset', { dataset: 'cases', call_ids: ['a'] })).isError).toBe(false)
  expect((await writer.call('add_to_dataset', { dataset: 'cases', call_ids: ['b', 'lost'] })).isError).toBe(true)
  expect((await writer.call('add_to_dataset', { dataset: 'cases', call_ids: ['b'] })).text).toContain('Added 1 rows')
  const dataset = (await server.get<{ rows: string }>(own.v2('datasets/cases/versions/latest'))).json
  const digest = dataset.rows.split('/').at(-1)
  const rows = (await server.post<{ rows: { val: unknown }[] }>('/table/query', { project_id: own.id, digest })).json
    .rows
  expect(rows.map(({ val }) => val)).toEqual([
    expect.objectContaining({ inputs: { note: 'mine' } }),
    expect.objectContaining({ inputs: { note: 'mine too' } }),
  ])
  await writer.close()
}, 120_000)
