import { afterAll, expect, test } from 'bun:test'
import { freshProject, sharedServer } from '../support/target.ts'
import { Agent } from './agent.ts'

const server = await sharedServer()
const project = freshProject(server)
const at = (second: number) => `2024-05-01T10:00:${String(second).padStart(2, '0')}.500000Z`
const usage = { 'gpt-4o': { prompt_tokens: 1000, completion_tokens: 100, requests: 1 } }

await project.add(
  { id: 'root', trace_id: 't', thread_id: 'talk', op_name: 'answer', started_at: at(0), ended_at: at(9) },
  {
    id: 'llm',
    trace_id: 't',
    parent_id: 'root',
    op_name: 'chat',
    started_at: at(1),
    ended_at: at(3),
    summary: { usage },
  },
  {
    ...{ id: 'tool', trace_id: 't', parent_id: 'root', op_name: 'tool.pay', started_at: at(4), ended_at: at(5) },
    ...{ exception: 'card declined', inputs: { text: 'née\u{1f600}'.repeat(3000) } },
  },
)
const agent = await Agent.connect(server.address, server.key, project.id)
afterAll(() => agent.close())

const keyFor = async (role: string, scope: string): Promise<string> =>
  (await server.post<{ key: string }>('/keys/create', { name: `mcp-${role}`, role, scope })).json.key

const ask = (body: unknown, headers: Record<string, string> = {}) =>
  server.post('/mcp', body, { headers: { accept: 'application/json, text/event-stream', ...headers } })
const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }

test('an agent finds the cause of a failure by following the next steps', async () => {
  const failed = await agent.call('search_calls', { status: 'error' })
  expect(failed.text).toContain('1 of 1 matching calls')
  expect(failed.text).toContain('error: card declined')
  const step = failed.next.find(({ tool }) => tool === 'get_trace')!
  const trace = await agent.call(step.tool, step.args)
  expect(trace.text).toMatch(
    /^Trace t: 3 calls .* thread talk\nanswer {2}9 s {2}root\n {2}chat {2}gpt-4o {2}2 s {2}1000\+100 tokens/,
  )
  expect(trace.text).toContain('  tool.pay  1 s  ERROR  tool')
  expect(trace.text).toContain('Error of tool: card declined')
  const call = trace.next.find(({ args }) => args['call_id'] === 'tool')!
  expect((await agent.call(call.tool, call.args)).text).toContain('Error: card declined')
})

test('what has failed includes the calls with an error inside', async () => {
  const failed = await agent.call('search_calls', { status: 'failed' })
  expect(failed.text).toContain('2 of 2 matching calls')
  const roots = await agent.call('search_calls', { status: 'failed', roots_only: true })
  expect(roots.text).toContain('1 of 1 matching calls')
})

test('costs are divided by a field and by time', async () => {
  const byModel = await agent.call('stats', { group_by: 'model' })
  expect(byModel.text).toMatch(/gpt-4o: 1 calls .*1000\+100 tokens {2}\$0\.0035 {2}100 % of cost/)
  const byHour = await agent.call('stats', { bucket: 'hour', group_by: 'op_name' })
  expect(byHour.text).toContain('2024-05-01 10:00:00  tool.pay: 1 calls  1 errors')
})

test('the overview names ops and models', async () => {
  const { text } = await agent.call('overview')
  expect(text).toContain(`${project.id}: 3 calls from 2024-05-01 10:00:00`)
  expect(text).toContain('chat: 1 calls')
})

test('a search for words shows where they are', async () => {
  const { text } = await agent.call('search_calls', { text: 'DECLINED' })
  expect(text).toContain('exception: card declined')
})

test('a long value comes in ranges that add up to it', async () => {
  const pieces: string[] = []
  let step = { tool: 'get_call', args: { call_id: 'tool', path: 'inputs.text' } as Record<string, unknown> }
  for (let count = 0; count < 50; count++) {
    const { text, next } = await agent.call(step.tool, step.args)
    const [, ...lines] = text.split('\n')
    pieces.push(lines.filter((line) => !line.startsWith('Next: ')).join('\n'))
    if (next.length === 0) break
    step = next[0]!
  }
  expect(pieces.length).toBeGreaterThan(3)
  expect(JSON.parse(pieces.join(''))).toBe('née\u{1f600}'.repeat(3000))
})

test('expanded values stand below the tree', async () => {
  const { text } = await agent.call('get_trace', { trace_id: 't', expand: ['tool,inputs'] })
  expect(text).toContain('inputs of tool (2000 of ')
})

test('every answer stays within its bound and says what it leaves out', async () => {
  const many = freshProject(server)
  const calls = Array.from({ length: 120 }, (_, i) => ({
    ...{ id: `c${i}`, trace_id: 'big', parent_id: i === 0 ? null : 'c0', op_name: `op ${i} ${'x'.repeat(100)}` },
    ...{ started_at: at(0), ended_at: at(1), exception: `${i}: ${'why '.repeat(500)}` },
  }))
  await many.add(...calls)
  const big = await Agent.connect(server.address, server.key, many.id)
  const answers = await Promise.all([
    big.call('search_calls', { limit: 50 }),
    big.call('get_trace', { trace_id: 'big', limit: 200 }),
    big.call('stats', { group_by: 'op_name', limit: 100 }),
    big.call('get_call', { call_id: 'c1' }),
    big.call('search_docs', { query: 'the project calls query evaluation feedback' }),
  ])
  await big.close()
  // Four thousand tokens of at least three ASCII characters.
  for (const { text } of answers) expect(text.length).toBeLessThan(12_000)
  expect(answers[0]!.text).toMatch(/\(\d+ of 50 calls on this page, the rest is left out\)/)
  expect(answers[0]!.next[0]!.args['after']).toEqual(expect.any(Array))
  expect(answers[1]!.text).toMatch(/\(\d+ of 120 calls, the rest is left out\)/)
})

test('mistakes are answers that say what is wrong', async () => {
  const missing = await agent.call('get_trace', { trace_id: 'nothing' })
  expect(missing).toMatchObject({ isError: true, text: expect.stringContaining('no such trace') })
  const misspelt = await agent.call('search_calls', { txt: 'a' })
  expect(misspelt.isError).toBe(true)
  const unknown = await agent.call('drop_everything')
  expect(unknown).toMatchObject({ isError: true, text: expect.stringContaining('overview, search_calls') })
  const query = await agent.call('search_calls', { query: { $expr: { $nonsense: [] } } })
  expect(query.isError).toBe(true)
})

test('a key reaches its own projects only', async () => {
  const key = await keyFor('read', freshProject(server).id)
  const other = await Agent.connect(server.address, key)
  expect((await other.call('overview', { project: project.id })).text).toContain('no access')
  expect((await other.call('get_call', { project: project.id, call_id: 'tool' })).isError).toBe(true)
  expect((await other.call('overview')).text).toContain('has no calls')
  await other.close()
})

test('guide, schema and prompts are there', async () => {
  expect((await agent.call('search_docs', { query: 'query language' })).text).toContain('`{"$expr": …}` holds one')
  const { resources } = await agent.client.listResources()
  for (const { uri } of resources) {
    const { contents } = await agent.client.readResource({ uri })
    expect((contents[0] as { text: string }).text.length).toBeGreaterThan(500)
  }
  const { prompts } = await agent.client.listPrompts()
  expect(prompts.map(({ name }) => name)).toEqual(['why_did_this_trace_fail', 'where_does_the_money_go'])
  const { messages } = await agent.client.getPrompt({ name: prompts[0]!.name, arguments: { project: project.id } })
  expect((messages[0]!.content as { text: string }).text).toContain(project.id)
})

test('the endpoint refuses other sites, batches and missing keys', async () => {
  expect((await ask(list)).status).toBe(200)
  expect((await ask(list, { origin: 'http://localhost:6274' })).status).toBe(200)
  expect((await ask(list, { origin: 'http://evil.example' })).status).toBe(403)
  // DNS rebinding: the page's own name is also the host of the request.
  const port = new URL(server.address).port
  expect((await ask(list, { origin: `http://evil.example:${port}`, host: `evil.example:${port}` })).status).toBe(403)
  expect((await ask([list, list])).status).toBe(400)
  const keyless = await server.post('/mcp', list, { key: null })
  expect(keyless.status).toBe(401)
  expect((await server.get('/mcp')).status).toBe(405)
})

test('every tool takes a project that the key can read', async () => {
  const { tools } = await agent.client.listTools()
  expect(tools.filter(({ inputSchema }) => !('project' in (inputSchema.properties ?? {})))).toEqual([])
  for (const [tool, args] of [
    ['describe_schema', { table: 'calls' }],
    ['search_docs', { query: 'query language' }],
  ] as const)
    expect(await agent.call(tool, { ...args, project: project.id })).toMatchObject({ isError: false })
  const reader = await Agent.connect(server.address, await keyFor('read', project.id))
  const foreign = await reader.call('describe_schema', { project: 'other/project' })
  expect(foreign).toMatchObject({ isError: true, text: expect.stringContaining('no access') })
  await reader.close()
})

test('a limit that is too high is capped, and the answer says so', async () => {
  const note = (name: string, most: number) => `\`${name}\` is ${most}, the maximum, instead of 100000.\n`
  for (const [tool, args, name, most] of [
    ['search_calls', {}, 'limit', 50],
    ['get_trace', { trace_id: 't' }, 'limit', 200],
    ['get_call', { call_id: 'tool', path: 'inputs.text' }, 'length', 10_000],
    ['stats', { group_by: 'op_name' }, 'limit', 100],
    ['run_sql', { statement: 'SELECT id FROM calls' }, 'limit', 100],
    ['compare_evaluations', {}, 'limit', 50],
  ] as const) {
    const { text, isError } = await agent.call(tool, { ...args, [name]: 100_000 })
    expect([tool, isError, text.startsWith(note(name, most))]).toEqual([tool, false, true])
  }
  const both = await agent.call('get_trace', { trace_id: 't', limit: 100_000, depth: 100_000 })
  expect(both.text).toContain(note('depth', 100))
  expect(both.text).toContain(note('limit', 200))
  expect((await agent.call('search_calls', { limit: 0 })).isError).toBe(true)
})
