import { expect, test } from 'bun:test'
import { upload } from '../support/files.ts'
import { freshProject, ownServer } from '../support/target.ts'
import { until } from '../support/until.ts'
import { makeLink, type Opened, Visitor } from './visitor.ts'

const server = await ownServer({ env: { TRACELAKE_TRUSTED_PROXIES: '127.0.0.1,::1' } })
const { client } = server
const png = Uint8Array.from('\x89PNG\r\n\x1a\n0123456789', (char) => char.charCodeAt(0))
const secretNote = 'nobody outside may read this'

/** A shared trace with a picture and feedback, and another trace that is not shared. */
async function sharedTrace() {
  const project = freshProject(client)
  const picture = (await upload(project, { content: png })).json.digest
  const hidden = (await upload(project, { content: 'hidden' })).json.digest
  const messages = [{ role: 'user', content: 'hello' }]
  await project.complete(
    { id: 'root', trace_id: 'shared', inputs: { messages, picture: `ext:///${project.id}/file/${picture}` } },
    { id: 'child', trace_id: 'shared', parent_id: 'root', inputs: { a: 1 }, output: 'fine' },
    { id: 'other', trace_id: 'other', inputs: { note: secretNote, file: hidden }, output: secretNote },
  )
  for (const [id, note] of [
    ['child', 'good'],
    ['other', secretNote],
  ] as const) {
    const ext_ref = `ext:///${project.id}/call/${id}`
    await client.post('/feedback/create', { project_id: project.id, ext_ref, feedback_type: 'note', payload: { note } })
  }
  const link = (await makeLink(project, 'shared')).json
  const visitor = new Visitor(client, link.path)
  expect((await visitor.open()).status).toBe(200)
  return { project, link, visitor, picture, hidden }
}

const feedbackOn = (projectId: string, callId: string) => ({
  project_id: projectId,
  query: { $expr: { $eq: [{ $getField: 'ext_ref' }, { $literal: `ext:///${projectId}/call/${callId}` }] } },
  fields: ['id', 'payload'],
  limit: 200,
})

test('a visitor reads the trace: its tree, calls, messages, payloads, feedback and files', async () => {
  const { project, visitor, picture } = await sharedTrace()
  const project_id = project.id
  const read = async (path: string, body: object) => {
    const { status, text } = await visitor.ask(path, body)
    expect([path, status, text]).toEqual([path, 200, expect.any(String)])
    return text
  }
  expect(JSON.parse(await read('/trace/read', { project_id, trace_id: 'shared' }))).toMatchObject({ call_count: 2 })
  expect(await read('/trace/read', { project_id, trace_id: 'shared', parent_id: 'root' })).toContain('child')
  const columns = ['id', 'op_name', 'exception']
  expect(await read('/calls/stream_query', { project_id, filter: { call_ids: ['child'] }, columns })).toContain('child')
  expect(await read('/call/messages', { project_id, call_id: 'root' })).toContain('hello')
  const value = { project_id, call_id: 'child', path: 'output', offset: 0, length: 100 }
  expect(JSON.parse(await read('/call/value', value))).toMatchObject({ text: '"fine"' })
  expect(await read('/feedback/query', feedbackOn(project_id, 'child'))).toContain('good')
  const shown = await visitor.send('GET', `/api/files/${project_id}/${picture}`)
  expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/png'])
  expect(shown.headers.get('cache-control')).toBe('no-store')
})

test('a visitor reads nothing else', async () => {
  const { project, visitor, hidden } = await sharedTrace()
  const other = freshProject(client)
  await other.complete({ id: 'root', trace_id: 'shared', inputs: { note: secretNote } })
  const project_id = project.id
  const everything = { $expr: { $eq: [{ $literal: 'x' }, { $literal: 'x' }] } }
  const byCalls = { project_id, filter: { call_ids: ['child'] } }
  const refused: (readonly [path: string, body: object])[] = [
    ['/trace/read', { project_id, trace_id: 'other' }],
    ['/trace/read', { project_id: other.id, trace_id: 'shared' }],
    ['/calls/stream_query', { project_id, filter: { call_ids: ['other'] } }],
    ['/calls/stream_query', { project_id, filter: { call_ids: ['child', 'other'] } }],
    ['/calls/stream_query', { project_id, filter: { trace_ids: ['shared'] } }],
    ['/calls/stream_query', { project_id }],
    ['/calls/stream_query', { ...byCalls, project_id: other.id, filter: { call_ids: ['root'] } }],
    ['/calls/stream_query', { ...byCalls, expand_columns: ['inputs.a'] }],
    ['/calls/stream_query', { ...byCalls, include_feedback: true }],
    ['/calls/stream_query', { ...byCalls, query: everything }],
    ['/call/messages', { project_id, call_id: 'other' }],
    ['/call/messages', { project_id: other.id, call_id: 'root' }],
    ['/call/value', { project_id, call_id: 'other', path: 'output' }],
    ['/feedback/query', feedbackOn(project_id, 'other')],
    ['/feedback/query', { project_id }],
    ['/feedback/query', { project_id, query: everything }],
    ['/feedback/query', feedbackOn(other.id, 'root')],
    ['/file/content', { project_id, digest: hidden }],
    ['/call/read', { project_id, id: 'root' }],
    ['/obj/read', { project_id, object_id: 'any', digest: 'latest' }],
    ['/objs/query', { project_id }],
    ['/projects/query', {}],
    ['/feedback/create', { ...feedbackOn(project_id, 'child'), feedback_type: 'note', payload: {} }],
    ['/shared_links/query', { project_id }],
    ['/shared_links/create', { project_id, trace_id: 'shared', expires_in_seconds: 60 }],
    ['/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' }],
  ]
  for (const [path, body] of refused) {
    const { status, text } = await visitor.ask(path, body)
    expect([path, body, status]).toEqual([path, body, 403])
    expect(text).not.toContain(secretNote)
  }
  for (const path of [
    `/files/${project_id}/${hidden}`,
    `/calls/live?project_id=${project_id}`,
    '/health',
    '/version',
  ]) {
    expect([path, (await visitor.send('GET', `/api${path}`)).status]).toEqual([path, 403])
  }
})

test('the secret opens the pages of its link alone, and only there', async () => {
  const { project, link, visitor } = await sharedTrace()
  const body = { project_id: project.id, trace_id: 'shared' }
  const cookie = visitor.cookie ?? ''
  const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', cookie }
  const [, secret = ''] = link.path.split('#')
  const ask = (path: string, more: Record<string, string> = {}) =>
    fetch(client.address + path, { method: 'POST', headers: { ...headers, ...more }, body: JSON.stringify(body) })
  expect((await ask('/ui/api/trace/read')).status).toBe(401)
  expect((await ask('/trace/read')).status).toBe(401)
  expect((await ask('/trace/read', { authorization: `Bearer ${secret}` })).status).toBe(401)
  const second = (await makeLink(project, 'other')).json
  expect((await ask(`/ui/shared/${second.id}/api/trace/read`)).status).toBe(401)
  // A key is of no use here: a visitor is nobody else.
  const withKey = new Visitor(client, link.path)
  const bearer = { authorization: `Bearer ${client.key}` }
  expect((await withKey.send('POST', '/api/trace/read', body, bearer)).status).toBe(401)
  const crossSite = await visitor.send('POST', '/api/trace/read', body, { 'sec-fetch-site': 'cross-site' })
  expect(crossSite.status).toBe(403)
})

test('the page asks to be left out of indexes and sends no referrer; the cookie stays below the link', async () => {
  const { link } = await sharedTrace()
  const [page = ''] = link.path.split('#')
  const response = await fetch(client.address + page, { headers: { accept: 'text/html' } })
  expect(response.status).toBe(200)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'x-robots-tag': 'noindex, nofollow, noarchive',
    'referrer-policy': 'no-referrer',
  })
  const opened = await new Visitor(client, link.path).open()
  const [cookie = ''] = opened.headers.getSetCookie()
  expect(cookie).toMatch(
    new RegExp(`^tracelake_link=[0-9a-f]{64}; Path=${page}/; Max-Age=\\d+; HttpOnly; SameSite=Strict$`),
  )
  expect(await opened.json()).toEqual({
    project_id: link.project_id,
    trace_id: 'shared',
    expires_at: link.expires_at,
    ended: null,
  })
})

test('a link that has ended says how, to those who hold its secret', async () => {
  const { project, link, visitor } = await sharedTrace()
  const body = { project_id: project.id, trace_id: 'shared' }
  const short = (await makeLink(project, 'shared', 1)).json
  const late = new Visitor(client, short.path)
  await late.open()
  await until(async () => (await late.ask('/trace/read', body)).status === 401)
  const opened = async (of: Visitor) => (await (await of.open()).json()) as Opened
  expect(await opened(late)).toEqual({ ended: 'expired' })

  await client.post('/shared_links/revoke', { project_id: project.id, id: link.id })
  const refused = await visitor.ask('/trace/read', body)
  expect([refused.status, refused.text]).toEqual([401, expect.stringContaining('This link has been revoked')])
  expect(await opened(visitor)).toEqual({ ended: 'revoked' })
  expect((await new Visitor(client, link.path).open('0'.repeat(64))).status).toBe(401)
})

test('wrong links are answered ten times a minute', async () => {
  const { link } = await sharedTrace()
  for (let host = 1; ; host++) {
    const from = { 'x-forwarded-for': `192.0.2.${host}` }
    const began = performance.now()
    const guess = new Visitor(client, link.path)
    const statuses: number[] = []
    for (let attempt = 0; attempt < 11; attempt++) {
      statuses.push((await guess.open(attempt.toString(16).repeat(64), from)).status)
    }
    // On a slow machine the address may regain an attempt meanwhile.
    if (performance.now() - began >= 6_000) continue
    expect(statuses).toEqual([...Array(10).fill(401), 429])
    // Visitors from the same address keep what they have opened.
    const visitor = new Visitor(client, link.path)
    expect((await visitor.open(undefined, from)).status).toBe(200)
    return
  }
})
