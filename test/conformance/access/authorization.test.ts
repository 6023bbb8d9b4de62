import { describe, expect, test } from 'bun:test'
import { completeOf, endOf, startOf } from '../support/call-shapes.ts'
import type { Answer, Client } from '../support/client.ts'
import { price } from '../support/costs.ts'
import { draftOf, feedbackIds } from '../support/feedback.ts'
import type { Project } from '../support/project.ts'
import { equals } from '../support/query-expression.ts'
import { expectRefusal } from '../support/refusals.ts'
import { freshProject, ownServer } from '../support/target.ts'

const server = await ownServer()
const home = freshProject(server.client)
const away = freshProject(server.client)
await home.add({ id: 'a' })
await away.add({ id: 'a' })
const [entityKey, projectKey, readKey, adminKey] = await Promise.all([
  server.createKey({ name: 'entity', role: 'write', scope: home.entity }),
  server.createKey({ name: 'project', role: 'write', scope: home.id }),
  server.createKey({ name: 'reader', role: 'read', scope: '*' }),
  server.createKey({ name: 'admin', role: 'admin', scope: '*' }),
])

type Request = (client: Client, project: Project) => Promise<Answer<unknown>>

const reads: [string, Request][] = [
  ['call/read', (client, { id }) => client.post('/call/read', { project_id: id, id: 'a' })],
  ['calls/stream_query', (client, { id }) => client.post('/calls/stream_query', { project_id: id })],
  ['calls/query_stats', (client, { id }) => client.post('/calls/query_stats', { project_id: id })],
  ...(
    [
      ['cost/query', {}],
      ['feedback/query', {}],
      ['feedback/stats', { start: '2024-01-01', end: '2024-01-02' }],
      ['feedback/payload_schema', { start: '2024-01-01', end: '2024-01-02' }],
      ['feedback/aggregate', { after_ms: 0, before_ms: 1 }],
      ['calls/usage', { call_ids: ['a'] }],
      ['trace/usage', {}],
      ['trace/read', { trace_id: 'a' }],
      ['call/messages', { call_id: 'a' }],
      ['call/value', { call_id: 'a', path: 'inputs' }],
      ['call/sizes', { call_id: 'a' }],
      ['calls/stats', { start: '2024-01-01', end: '2024-01-02' }],
      ['calls/fields', {}],
      ['calls/search', { text: 'a' }],
      ['calls/values', { path: 'op_name' }],
      ['threads/stream_query', {}],
      ['annotation_queues/query', {}],
      ['annotation_queues/stats', { queue_ids: ['a'] }],
      ['rules/query', {}],
      ['objs/query', {}],
    ] as const
  ).map(([path, body]): [string, Request] => [
    path,
    (client, { id }) => client.post(`/${path}`, { project_id: id, ...body }),
  ]),
  ...['tags', 'aliases'].map((path): [string, Request] => [
    path,
    (client, { id }) => client.get(`/${path}?project_id=${encodeURIComponent(id)}`),
  ]),
]

const writes: [string, Request][] = [
  ['call/start', (client, { id }) => client.post('/call/start', { start: startOf(id, { id: 'b' }) })],
  ['call/end', (client, { id }) => client.post('/call/end', { end: endOf(id, { id: 'b' }) })],
  [
    'call/upsert_batch',
    (client, { id }) => client.post('/call/upsert_batch', { batch: [{ mode: 'start', req: { start: startOf(id) } }] }),
  ],
  ['v2 call/start', (client, to) => client.post(to.v2('call/start'), { start: startOf(to.id, { id: 'b' }) })],
  ['v2 call/end', (client, to) => client.post(to.v2('call/end'), { end: endOf(to.id, { id: 'b' }) })],
  ['calls/complete', (client, to) => client.post(to.v2('calls/complete'), { batch: [completeOf(to.id, { id: 'b' })] })],
  ['call/update', (client, { id }) => client.post('/call/update', { project_id: id, call_id: 'a', display_name: 'x' })],
  ['calls/delete', (client, { id }) => client.post('/calls/delete', { project_id: id, call_ids: ['a'] })],
  ['cost/create', (client, { id }) => client.post('/cost/create', { project_id: id, costs: { m: price() } })],
  ['feedback/create', (client, project) => client.post('/feedback/create', draftOf(project))],
  ['feedback/batch/create', (client, project) => client.post('/feedback/batch/create', { batch: [draftOf(project)] })],
  ['feedback/replace', (client, project) => client.post('/feedback/replace', draftOf(project, { feedback_id: 'x' }))],
  [
    'calls/score',
    (client, { id }) => client.post('/calls/score', { project_id: id, call_ids: ['a'], scorer_refs: [] }),
  ],
  [
    'annotation_queues',
    (client, { id }) => client.post('/annotation_queues', { project_id: id, name: 'q', scorer_refs: [] }),
  ],
  [
    'rules',
    (client, { id }) =>
      client.post('/rules', {
        project_id: id,
        name: 'r',
        is_paused: true,
        condition: { metric: 'call_count', comparison: 'above', threshold: 1, window_seconds: 60 },
        action: { kind: 'webhook', url: 'https://example.invalid/' },
      }),
  ],
  ['obj/create', (client, { id }) => client.post('/obj/create', { obj: { project_id: id, object_id: 'o', val: 1 } })],
  ['obj/delete', (client, { id }) => client.post('/obj/delete', { project_id: id, object_id: 'o' })],
  ['tags of a version', (client, { id }) => client.put('/objs/o/versions/d/tags', { project_id: id, tags: [] })],
  ['tags/remove', (client, { id }) => client.post('/objs/o/versions/d/tags/remove', { project_id: id, tags: [] })],
  [
    'aliases of an object',
    (client, { id }) => client.put('/objs/o/aliases', { project_id: id, digest: 'd', aliases: [] }),
  ],
  ['aliases/remove', (client, { id }) => client.post('/objs/o/aliases/remove', { project_id: id, aliases: [] })],
  ...['cost/purge', 'feedback/purge'].map((path): [string, Request] => [
    path,
    (client, { id }) => client.post(`/${path}`, { project_id: id, query: { $expr: equals('id', 'x') } }),
  ]),
]

describe('scope of a key', () => {
  test.each([
    ['its entity', entityKey],
    ['its project', projectKey],
  ])('a key with scope %s can read and write there', async (_kind, key) => {
    const project = home.withKey(key)
    await project.start({ id: `by-${key.slice(0, 8)}` })
    expect(await project.read('a')).not.toBeNull()
  })

  test('a key for an entity covers all its projects, and no entity with the same name prefix', async () => {
    const client = server.client.withKey(entityKey)
    expect((await client.post('/call/read', { project_id: `${home.entity}/other`, id: 'a' })).status).toBe(200)
    expectRefusal(await client.post('/call/read', { project_id: `${home.entity}x/traces`, id: 'a' }), 403)
  })

  test('a key for a project covers no other project of the entity', async () => {
    const client = server.client.withKey(projectKey)
    expectRefusal(await client.post('/call/read', { project_id: `${home.entity}/other`, id: 'a' }), 403)
    expectRefusal(await client.post('/call/read', { project_id: `${home.id}x`, id: 'a' }), 403)
  })

  test.each([...reads, ...writes])('%s outside the scope is rejected', async (_operation, request) => {
    expectRefusal(await request(server.client.withKey(projectKey), away), 403)
    expect(await away.idsOf()).toEqual(['a'])
  })

  test('the error does not reveal whether the project exists', async () => {
    const client = server.client.withKey(projectKey)
    const missing = freshProject(server.client)
    for (const [, request] of reads) {
      const [there, not] = [await request(client, away), await request(client, missing)]
      expect([there.status, there.text]).toEqual([not.status, not.text])
    }
  })

  test('one item outside the scope rejects the whole batch', async () => {
    const batch = [home, away].map(({ id }) => ({ mode: 'start', req: { start: startOf(id, { id: 'mixed' }) } }))
    expectRefusal(await server.client.withKey(projectKey).post('/call/upsert_batch', { batch }), 403)
    expect(await home.read('mixed')).toBeNull()
    const feedback = [draftOf(home, { id: 'mixed' }), draftOf(away)]
    const client = server.client.withKey(projectKey)
    expectRefusal(await client.post('/feedback/batch/create', { batch: feedback }), 403)
    expect(await feedbackIds(home)).toEqual([])
  })
})

describe('internal refs', () => {
  const internalId = ({ id }: Project) => Buffer.from(id).toString('base64url')
  const refInto = (project: Project) => ({ deep: [`ext-internal:///${internalId(project)}/object/x:y`] })
  const sent: [string, (client: Client, val: unknown) => Promise<Answer<unknown>>][] = [
    ['obj/create', (client, val) => client.post('/obj/create', { obj: { project_id: home.id, object_id: 'o', val } })],
    ['table/create', (client, val) => client.post('/table/create', { table: { project_id: home.id, rows: [val] } })],
    [
      'table/update',
      async (client, row) => {
        const { json } = await client.post<{ digest: string }>('/table/create', {
          table: { project_id: home.id, rows: [] },
        })
        const updates = [{ append: { row } }]
        return client.post('/table/update', { project_id: home.id, base_digest: json.digest, updates })
      },
    ],
  ]

  test.each(sent)('%s accepts only those into projects within the scope', async (_operation, send) => {
    const client = server.client.withKey(projectKey)
    expect((await send(client, refInto(home))).status).toBe(200)
    expectRefusal(await send(client, refInto(away)), 400, internalId(away))
    expect((await send(server.client, refInto(away))).status).toBe(200)
  })
})

describe('role of a key', () => {
  test.each(reads)('read is sufficient for %s', async (_operation, request) => {
    expect((await request(server.client.withKey(readKey), away)).status).toBe(200)
  })

  test.each(writes)('read is insufficient for %s', async (_operation, request) => {
    expectRefusal(await request(server.client.withKey(readKey), away), 403, 'write')
    expect(await away.idsOf()).toEqual(['a'])
  })

  test('admin can write', async () => {
    await home.withKey(adminKey).start({ id: 'by-admin' })
    expect(await home.read('by-admin')).not.toBeNull()
  })
})

describe('keys', () => {
  test('created while the server runs work immediately', async () => {
    const key = await server.createKey({ name: 'late', role: 'read', scope: home.id })
    expect(await home.withKey(key).read('a')).not.toBeNull()
  })

  test('are all different', () => {
    expect(new Set([entityKey, projectKey, readKey, adminKey, server.adminKey]).size).toBe(5)
  })
})
