import { expect, test } from 'bun:test'
import { isInLake } from '../support/lake-place.ts'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { freshProject, ownServer } from '../support/target.ts'

interface Rows {
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  readonly rows: readonly (readonly unknown[])[]
  readonly row_count: number
  readonly is_cut: boolean
  readonly elapsed_ms: number
  readonly memory_bytes: number
  readonly files_read: number | null
}

const { client } = await ownServer()
const [one, other] = [freshProject(client), freshProject(client)]
// In files and in memory: a statement sees both.
await one.add({ id: 'a' }, { id: 'b' })
await client.post('/flush', {})
await other.add({ id: 'c' })

const run = (statement: string, more: object = {}) => client.post<Rows>('/sql', { statement, ...more })

test('a statement reads all projects, or one', async () => {
  const all = await run('SELECT project_id, id FROM calls ORDER BY id')
  expect(all.json).toMatchObject({
    columns: [
      { name: 'project_id', type: 'VARCHAR' },
      { name: 'id', type: 'VARCHAR' },
    ],
    rows: [
      [one.id, 'a'],
      [one.id, 'b'],
      [other.id, 'c'],
    ],
    row_count: 3,
    is_cut: false,
  })
  // In a lake, rows that have waited for a while are put into files before a statement reads them.
  expect(all.json.files_read).toBeOneOf(isInLake ? [1, 2] : [1])
  expect((await run('SELECT id FROM calls', { project_id: other.id })).json.rows).toEqual([['c']])
  expect((await run('SELECT count(*) FROM calls', { project_id: 'nobody/knows' })).json.rows).toEqual([[0]])
}, 120_000)

test('numbers keep their digits, and more rows are announced', async () => {
  const exact = await run('SELECT 9007199254740993 AS n, 0.10::DECIMAL(10, 2) AS d, NULL AS nothing, [1, 2] AS list')
  expect(exact.text).toContain('"rows":[[9007199254740993,0.10,null,[1,2]]]')
  const cut = await run('FROM range(100)', { limit: 7 })
  expect(cut.json).toMatchObject({ row_count: 7, is_cut: true })
  expect(cut.json.rows).toHaveLength(7)
}, 120_000)

test('an answer says how much memory its statement took, of the limit', async () => {
  const limit = (await client.get<{ limits: { memory_bytes: number } }>('/sql/schema')).json.limits.memory_bytes
  const small = await run('SELECT 1')
  expect(small.json.memory_bytes).toBeGreaterThanOrEqual(0)
  // A hash table of all these texts has to be there at once.
  const large = await run("SELECT count(DISTINCT repeat('x', 90) || range) FROM range(400000)")
  expect(large.json.memory_bytes).toBeGreaterThan(10e6)
  expect(large.json.memory_bytes).toBeGreaterThan(small.json.memory_bytes)
  expect(large.json.memory_bytes).toBeLessThanOrEqual(limit)
}, 120_000)

test('a statement reads the times given as parameters, in any case, or some of them', async () => {
  const range = { from: '2026-11-20T10:00:00Z', to: '2026-11-21T00:00:00+02:00' }
  const both = await run('SELECT $from AS a, $TO AS b, typeof($from) AS c, $from < now() AS d', range)
  expect(both.json.rows).toEqual([
    ['2026-11-20 10:00:00+00', '2026-11-20 22:00:00+00', 'TIMESTAMP WITH TIME ZONE', true],
  ])
  const counted = await run('SELECT count(*) FROM calls WHERE started_at >= $from', range)
  expect(counted.status).toBe(200)
  expect((await run("SELECT '$from' AS text", range)).json.rows).toEqual([['$from']])
  const missing = await run('SELECT $from, $to', { from: range.from })
  expect(missing.status).toBe(400)
  expect(missing.text).toContain('the parameter $to has no value')
  expectInvalid(await run('SELECT $from', { from: 'yesterday' }))
  expect((await run('SELECT * FROM read_text($from)', range)).status).toBe(400)
}, 120_000)

test('rows come as JSON Lines or CSV as well', async () => {
  const statement = `SELECT 1 AS a, 2 AS a, NULL AS b, '' AS c, 'x,"y' AS d, '=1+1' AS e`
  const lines = await run(statement, { format: 'jsonl' })
  expect(lines.text).toBe(`{"a":1,"a_2":2,"b":null,"c":"","d":"x,\\"y","e":"=1+1"}\n`)
  const csv = await run(statement, { format: 'csv' })
  expect(csv.text).toBe(`a,a_2,b,c,d,e\r\n1,2,,"","x,""y",'=1+1\r\n`)
  expect(csv.headers.get('content-type')).toStartWith('text/csv')
  expect(csv.headers.get('x-row-count')).toBe('1')
  expect(csv.headers.get('x-is-cut')).toBe('false')
}, 120_000)

test.each([
  ["SELECT 'ä€😀',\n  statu FROM calls", { line: 2, column: 3, suggestion: 'status' }],
  ["SELECT 'ä€😀', statu FROM calls", { line: 1, column: 16, suggestion: 'status' }],
  ['SELECT model FROM calls', { line: 1, column: 8, suggestion: 'usage_model' }],
  ["SELECT 'ä€😀'\nFRM calls x", { line: 2, column: 5 }],
  ["SELECT 'ä€😀' FROM callz", { line: 1, column: 20, suggestion: 'calls' }],
  ["SELECT 1,\n       getenv('x')", { line: 2, column: 8 }],
])(
  'an error in %j says where it is',
  async (statement, place) => {
    const answer = await run(statement)
    expectRefusal(answer, 400)
    expect(answer.json).toMatchObject(place)
  },
  120_000,
)

test('only an admin key for all projects may ask', async () => {
  const keys = [
    { name: 'reader', role: 'read', scope: '*' },
    { name: 'writer', role: 'write', scope: '*' },
    { name: 'admin of one', role: 'admin', scope: one.id },
  ]
  for (const key of keys) {
    const made = (await client.post<{ key: string }>('/keys/create', key)).json
    const limited = client.withKey(made.key)
    expectRefusal(await limited.post('/sql', { statement: 'SELECT 1', project_id: one.id }), 403)
    expectRefusal(await limited.get('/sql/schema'), 403)
  }
})

test('a malformed request runs nothing', async () => {
  expectInvalid(await client.post('/sql', { statement: '' }), ['body', 'statement'])
  expectInvalid(await client.post('/sql', { statement: 'SELECT 1', limit: 10_001 }), ['body', 'limit'])
  expectInvalid(await client.post('/sql', { statement: 'SELECT 1', format: 'xml' }), ['body', 'format'])
  expectInvalid(await client.post('/sql', { statement: `SELECT ${'1'.repeat(50_000)}` }), ['body', 'statement'])
})

test('the schema has every column that a statement returns', async () => {
  const { json } = await client.get<{ tables: { name: string; columns: { name: string }[] }[] }>('/sql/schema')
  expect(json.tables.map(({ name }) => name)).toContain('usage')
  for (const { name, columns } of json.tables.filter((table) => ['calls', 'usage', 'feedback'].includes(table.name))) {
    const { columns: returned } = (await run(`FROM ${name} LIMIT 0`)).json
    expect(returned.map((column) => column.name).sort()).toEqual(columns.map((column) => column.name).sort())
  }
}, 120_000)

test('every statement is in the audit log, refused ones too', async () => {
  await run('SELECT 42 AS answer', { project_id: one.id })
  await run('SELECT nothing FROM calls')
  const { json } = await client.post<{ entries: object[] }>('/audit/query', { operation: 'sql.run', limit: 2 })
  expect(json.entries).toMatchObject([
    { kind: 'admin', status: 400, item_ids: ['SELECT nothing FROM calls'] },
    { kind: 'admin', status: 200, item_ids: ['SELECT 42 AS answer'], project_ids: [one.id] },
  ])
}, 120_000)
