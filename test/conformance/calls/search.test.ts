import { beforeAll, describe, expect, test } from 'bun:test'
import { is } from '../support/query-expression.ts'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { freshProject, sharedServer } from '../support/target.ts'

interface Hit {
  path: string
  snippet: string
  start: number
  end: number
}
interface Match {
  id: string
  trace_id: string
  op_name: string
  started_at: string
  status: string
  hits: Hit[]
}
interface Search {
  matches: Match[]
  after: [string, string] | null
  calls_read: number
  is_partial: boolean
}

const server = await sharedServer()
const project = freshProject(server)

async function search(text: string, request: object = {}): Promise<Search> {
  const answer = await server.post<Search>('/calls/search', { project_id: project.id, text, ...request })
  expect(`${answer.status} ${answer.text}`).toStartWith('200 ')
  for (const { hits } of answer.json.matches)
    for (const { snippet, start, end } of hits) expect(snippet.slice(start, end).toLowerCase()).toBe(text.toLowerCase())
  return answer.json
}
const at = (minute: number) => `2024-05-01T10:${String(minute).padStart(2, '0')}:00Z`
const scripts = ['Größe', 'Привет мир', '日本語のテキスト', 'مرحبا بالعالم', 'नमस्ते दुनिया', '한국어 문장']

beforeAll(async () => {
  await project.complete(
    {
      id: 'plain',
      started_at: at(1),
      ended_at: at(2),
      inputs: { question: 'Where is my Luggage?' },
      output: 'lost LUGGAGE',
    },
    {
      id: 'deep',
      started_at: at(2),
      ended_at: at(3),
      trace_id: 'trace',
      inputs: { messages: [{ content: 'x' }, { content: `${'before '.repeat(50)}luggage${' after'.repeat(50)}` }] },
      attributes: { 'a.b': 'no', luggage_key: 5 },
    },
    { id: 'failed', started_at: at(3), ended_at: at(4), exception: 'LuggageError: "gone"\nfor good', op_name: 'fetch' },
    { id: 'named', started_at: at(4), ended_at: at(5), display_name: 'my luggage', inputs: { n: 1234.5, b: true } },
    { id: 'huge', started_at: at(5), ended_at: at(6), inputs: { text: `${'y '.repeat(3_000_000)}haystack-needle` } },
  )
  await server.post('/flush', {})
  await project.add({ id: 'running', started_at: at(6), ended_at: null, inputs: { question: 'luggage' } })
  for (const [index, text] of scripts.entries()) {
    const escaped = JSON.stringify({ text }).replace(
      /[^\x20-\x7e]/g,
      (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )
    const start = {
      project_id: project.id,
      id: `script${index}`,
      op_name: 'op',
      started_at: at(20 + index),
      attributes: {},
    }
    const body = JSON.stringify({ start: { ...start, inputs: {} } }).replace('"inputs":{}', `"inputs":${escaped}`)
    expect((await server.postRaw('/call/start', body)).status).toBe(200)
  }
})

describe('calls/search', () => {
  test('finds a text anywhere in a call, the newest call first', async () => {
    const { matches, after, calls_read, is_partial } = await search('luggage')
    expect(matches.map(({ id }) => id)).toEqual(['running', 'named', 'failed', 'deep', 'plain'])
    expect({ after, is_partial }).toEqual({ after: null, is_partial: false })
    // An index rules out some of those that are in data files by now.
    expect(calls_read).toBeWithin(5, 13)
    const paths = Object.fromEntries(matches.map(({ id, hits }) => [id, hits.map(({ path }) => path)]))
    expect(paths).toEqual({
      running: ['inputs.question'],
      named: ['display_name'],
      failed: ['exception'],
      deep: ['inputs.messages.1.content', 'attributes.luggage_key'],
      plain: ['inputs.question', 'output'],
    })
    expect(matches[2]).toMatchObject({ op_name: 'fetch', status: 'error', started_at: at(3) })
    expect(matches[3]!.trace_id).toBe('trace')
  })

  test('cuts snippets around the text', async () => {
    const { matches } = await search('luggage', { filter: { call_ids: ['deep', 'plain'] } })
    const [deep, plain] = matches.map(({ hits }) => hits[0]!)
    expect(deep!.snippet.length).toBeLessThan(200)
    expect(deep!.snippet).toContain('before luggage after')
    expect(plain).toEqual({ path: 'inputs.question', snippet: 'Where is my Luggage?', start: 12, end: 19 })
  })

  test.each(scripts)('finds %s, which was sent as escapes', async (text) => {
    const { matches } = await search(text.slice(1))
    expect(matches.map(({ id, hits }) => [id, hits[0]?.path])).toEqual([
      [`script${scripts.indexOf(text)}`, 'inputs.text'],
    ])
  })

  test.each([
    ['"gone"\nfor', 'failed', 'exception'],
    ['1234.5', 'named', 'inputs.n'],
    ['TRUE', 'named', 'inputs.b'],
    ['luggage_key', 'deep', 'attributes.luggage_key'],
    ['fetch', 'failed', 'op_name'],
  ])('finds %p', async (text, id, path) => {
    const { matches } = await search(text)
    expect(matches.map((match) => [match.id, match.hits.map((hit) => hit.path)])).toEqual([[id, [path]]])
  })

  test.each(['a|b', '.*', '%', '_x', '[', '":{', '\\', 'no such text'])('takes %p as it is', async (text) => {
    expect(await search(text)).toMatchObject({ matches: [], after: null, is_partial: false })
  })

  test('finds a text in a payload of megabytes', async () => {
    const { matches } = await search('Haystack-Needle')
    expect(matches.map(({ id }) => id)).toEqual(['huge'])
    expect(matches[0]!.hits[0]!.path).toStartWith('inputs')
  })

  test('obeys filter and query', async () => {
    const failed = await search('luggage', { query: { $expr: is('summary.ext.status', '$eq', 'error') } })
    expect(failed.matches.map(({ id }) => id)).toEqual(['failed'])
    expect((await search('luggage', { filter: { op_names: ['fetch'] } })).matches.map(({ id }) => id)).toEqual([
      'failed',
    ])
  })

  test('continues after a page', async () => {
    const ids: string[] = []
    for (let after: Search['after'] | undefined; after !== null; ) {
      const page = await search('luggage', { limit: 2, ...(after && { after }) })
      ids.push(...page.matches.map(({ id }) => id))
      expect(page.matches.length).toBeLessThanOrEqual(2)
      after = page.after
    }
    expect(ids).toEqual(['running', 'named', 'failed', 'deep', 'plain'])
  })

  test('calls of other projects are not found', async () => {
    const answer = await server.post<Search>('/calls/search', { project_id: freshProject(server).id, text: 'luggage' })
    expect(answer.json).toEqual({ matches: [], after: null, calls_read: 0, is_partial: false })
  })

  test('refuses wrong requests', async () => {
    const ask = (request: object) => server.post('/calls/search', { project_id: project.id, ...request })
    expectInvalid(await ask({}), ['body', 'text'])
    expectInvalid(await ask({ text: '' }), ['body', 'text'])
    expectInvalid(await ask({ text: 'a', limit: 201 }), ['body', 'limit'])
    expectRefusal(await ask({ text: 'a', after: ['never', 'x'] }), 400, 'after')
    expectRefusal(await server.post('/calls/search', { project_id: project.id, text: 'a' }, { key: null }), 401)
  })
})
