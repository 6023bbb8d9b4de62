import { describe, expect, test } from 'bun:test'
import { connect } from 'node:net'
import process from 'node:process'
import { basic } from '../support/client.ts'
import { LiveListener, requestLive } from '../support/live.ts'
import { Project } from '../support/project.ts'
import { is } from '../support/query-expression.ts'
import { startServer } from '../support/server-process.ts'
import { freshProject, ownServer, sharedServer } from '../support/target.ts'
import { makeTempFolder, removeFolder } from '../support/temp-folder.ts'

const server = await sharedServer()

describe('calls/live', () => {
  test('sends calls as they start and end', async () => {
    const project = freshProject(server)
    await project.add({ id: 'before' })
    const listener = await LiveListener.connect(project)
    expect(listener.response.headers.get('content-type')).toStartWith('text/event-stream')
    // Proxies that gather answers until they are long would show nothing.
    expect(listener.response.headers.get('x-accel-buffering')).toBe('no')
    await project.start({ id: 'a', trace_id: 't', op_name: 'answer' })
    expect(await listener.next()).toMatchObject({
      event: 'start',
      id: expect.any(String),
      data: { id: 'a', trace_id: 't', op_name: 'answer', parent_id: null, ended_at: null, status: 'running' },
    })
    await project.end({ id: 'a', exception: 'Boom' })
    expect(await listener.next()).toMatchObject({
      event: 'end',
      data: { id: 'a', trace_id: 't', op_name: 'answer', exception: 'Boom', status: 'error', latency_ms: 1000 },
    })
    await project.complete({ id: 'b' }, { id: 'c' })
    expect(await listener.take(4)).toEqual(['start b', 'end b', 'start c', 'end c'])
    // What is neither a start nor an end is no event; nor are other projects.
    await project.update('b', 'called')
    await freshProject(server).add({ id: 'theirs' })
    await project.delete('c')
    await project.start({ id: 'd' })
    expect(await listener.take(1)).toEqual(['start d'])
    await listener.close()
  })

  test('sends calls again that had ended before one below them failed', async () => {
    const project = freshProject(server)
    await project.complete({ id: 'root', trace_id: 't' }, { id: 'step', trace_id: 't', parent_id: 'root' })
    await project.start({ id: 'tool', trace_id: 't', parent_id: 'step' })
    const listener = await LiveListener.connect(project)
    await project.end({ id: 'tool', exception: 'KeyError: x' })
    const told = [await listener.next(), await listener.next(), await listener.next()]
    const inside = { call_id: 'tool', error: 'KeyError: x' }
    expect(told[0]).toMatchObject({ event: 'end', data: { id: 'tool', status: 'error', error_inside: null } })
    expect(told.slice(1).toSorted((a, b) => String(a!.data['id']).localeCompare(String(b!.data['id'])))).toMatchObject([
      { event: 'end', data: { id: 'root', status: 'descendant_error', error_inside: { ...inside, depth: 2 } } },
      { event: 'end', data: { id: 'step', status: 'descendant_error', error_inside: { ...inside, depth: 1 } } },
    ])
    // A call that ends after it is told once.
    await project.add(
      { id: 'other', ...{ trace_id: 'u' } },
      { id: 'below', trace_id: 'u', parent_id: 'other', exception: 'E' },
    )
    expect(await listener.take(4)).toEqual(['start other', 'end other', 'start below', 'end below'])
    await listener.close()
  })

  test('sends every client the events it asked for', async () => {
    const project = freshProject(server)
    const ref = (version: string) => `ext:///${project.id}/op/answer:${version}`
    const [all, roots, byName, byVersions, exact] = await Promise.all([
      LiveListener.connect(project),
      LiveListener.connect(project, { trace_roots_only: 'true' }),
      LiveListener.connect(project, { op_name: 'answer' }),
      LiveListener.connect(project, { op_name: `weave:///${project.id}/op/answer:*` }),
      LiveListener.connect(project, { op_name: ref('v2') }),
    ])
    await project.start({ id: 'a', op_name: ref('v1') })
    await project.start({ id: 'b', op_name: ref('v2'), parent_id: 'a' })
    await project.start({ id: 'c', op_name: 'search', parent_id: 'a' })
    await project.start({ id: 'd', op_name: ref('v2') })
    expect(await all.take(4)).toEqual(['start a', 'start b', 'start c', 'start d'])
    expect(await roots.take(2)).toEqual(['start a', 'start d'])
    expect(await byName.take(3)).toEqual(['start a', 'start b', 'start d'])
    expect(await byVersions.take(3)).toEqual(['start a', 'start b', 'start d'])
    expect(await exact.take(2)).toEqual(['start b', 'start d'])
    await Promise.all([all, roots, byName, byVersions, exact].map((listener) => listener.close()))
  })

  test('obeys filter, query and statuses', async () => {
    const project = freshProject(server)
    const asked = {
      filter: { filter: JSON.stringify({ op_names: ['answer'], trace_roots_only: true }) },
      query: { query: JSON.stringify({ $expr: is('inputs.n', '$gte', 1.5) }) },
      ends: { query: JSON.stringify({ $expr: is('output.good', '$eq', true) }) },
      errors: { statuses: 'error, descendant_error' },
      running: { statuses: 'running' },
      all: { query: JSON.stringify({ $expr: is('inputs.n', '$eq', 2) }), statuses: 'success', trace_id: 't2' },
    }
    const names = Object.keys(asked) as (keyof typeof asked)[]
    const listeners = await Promise.all(names.map((name) => LiveListener.connect(project, asked[name])))
    const [filter, query, ends, errors, running, all] = listeners as [LiveListener, ...LiveListener[]]
    await project.start({ id: 'a', op_name: 'answer', inputs: { n: 1 } })
    await project.start({ id: 'b', op_name: 'answer', inputs: { n: 2 }, trace_id: 't2' })
    await project.start({ id: 'c', op_name: 'answer', inputs: { n: 2 }, parent_id: 'a' })
    await project.start({ id: 'd', op_name: 'search', inputs: { n: '7' } })
    await project.end({ id: 'a', exception: 'Boom' })
    await project.end({ id: 'b', output: { good: true } })
    await project.end({ id: 'c', output: { good: true }, exception: 'Boom' })
    expect(await filter.take(4)).toEqual(['start a', 'start b', 'end a', 'end b'])
    expect(await query!.take(5)).toEqual(['start b', 'start c', 'start d', 'end b', 'end c'])
    expect((await ends!.take(2)).at(-1)).toMatch(/ [bc]$/)
    expect(await errors!.take(2)).toEqual(['end a', 'end c'])
    expect(await running!.take(4)).toEqual(['start a', 'start b', 'start c', 'start d'])
    expect(await all!.take(1)).toEqual(['end b'])
    await Promise.all(listeners.map((listener) => listener.close()))
  })

  test('resumes with its filter, query and statuses', async () => {
    const project = freshProject(server)
    const listener = await LiveListener.connect(project)
    await project.start({ id: 'a' })
    const id = (await listener.next())!.id!
    await listener.close()
    const [, number, micros] = id.split('-')
    await project.complete({ id: 'b', inputs: { n: 1 } }, { id: 'c', inputs: { n: 2 }, exception: 'Boom' })
    const again = { query: JSON.stringify({ $expr: is('inputs.n', '$gt', 0) }), statuses: 'success,error' }
    for (const lastEventId of [id, `00000000-${number}-${micros}`]) {
      const resumed = await LiveListener.connect(project, { ...again, lastEventId })
      expect(await resumed.take(2)).toEqual(['end b', 'end c'])
      await resumed.close()
    }
  })

  test.each([
    ['a status that is none', { statuses: 'done' }, 400, 'done'],
    ['a filter that is no JSON', { filter: '{' }, 400, 'filter'],
    ['a filter with an unknown member', { filter: '{"op_name":["a"]}' }, 422, 'op_name'],
    ['a filter of another shape', { filter: '{"op_names":"a"}' }, 400, 'op_names'],
    ['a query of another shape', { query: '{"$expr":{"$nonsense":[]}}' }, 422, '$nonsense'],
    ['a query about an unknown field', { query: JSON.stringify({ $expr: is('nothing', '$eq', 1) }) }, 422, 'nothing'],
    ['a query that is nested very deeply', { query: '['.repeat(1000) + ']'.repeat(1000) }, 422, ''],
  ] as const)('refuses %s', async (_, query, status, word) => {
    const answer = await requestLive(freshProject(server), query)
    expect(`${answer.status} ${await answer.text()}`).toMatch(
      new RegExp(`^${status} .*${word.replace('$', '\\$')}`, 's'),
    )
  })

  test('follows one trace or one thread', async () => {
    const project = freshProject(server)
    const [trace, thread, both] = await Promise.all([
      LiveListener.connect(project, { trace_id: 't2' }),
      LiveListener.connect(project, { thread_id: 'talk' }),
      LiveListener.connect(project, { trace_id: 't2', thread_id: 'talk' }),
    ])
    await project.start({ id: 'a', trace_id: 't1', thread_id: 'talk' })
    await project.start({ id: 'b', trace_id: 't2' })
    await project.start({ id: 'c', trace_id: 't2', thread_id: 'talk' })
    await project.end({ id: 'b' })
    await project.end({ id: 'c' })
    expect(await trace.take(4)).toEqual(['start b', 'start c', 'end b', 'end c'])
    expect(await thread.take(3)).toEqual(['start a', 'start c', 'end c'])
    expect(await both.take(2)).toEqual(['start c', 'end c'])
    await Promise.all([trace, thread, both].map((listener) => listener.close()))
  })

  test('resumes without a gap', async () => {
    const project = freshProject(server)
    const first = await LiveListener.connect(project)
    await project.start({ id: 'a' })
    const seen = await first.next()
    await first.close()
    await project.start({ id: 'b' })
    await project.end({ id: 'a' })
    const second = await LiveListener.connect(project, { lastEventId: seen!.id })
    expect(await second.take(2)).toEqual(['start b', 'end a'])
    await project.end({ id: 'b' })
    expect(await second.take(1)).toEqual(['end b'])
    await second.close()
  })

  test('sends an end that arrived before its start when the start arrives', async () => {
    const project = freshProject(server)
    const listener = await LiveListener.connect(project)
    await project.end({ id: 'a' })
    await project.start({ id: 'b' })
    const [other] = [await listener.next()]
    expect(other!.data['id']).toBe('b')
    await project.start({ id: 'a' })
    const start = await listener.next()
    expect(start).toMatchObject({ event: 'start', data: { id: 'a', ended_at: null } })
    expect(await listener.take(1)).toEqual(['end a'])
    // Both before anybody has read either.
    await project.end({ id: 'c' })
    await project.start({ id: 'c' })
    await project.end({ id: 'b' })
    expect(await listener.take(3)).toEqual(['start c', 'end c', 'end b'])
    await listener.close()
    // A client that disconnected in between is sent the end.
    const again = await LiveListener.connect(project, { lastEventId: start!.id })
    expect(await again.take(2)).toEqual(['start a', 'end a'])
    await again.close()
  })

  test('requires a key for the project', async () => {
    const project = freshProject(server)
    const strange = project.withKey('no-such-key')
    expect((await requestLive(strange)).status).toBe(401)
    expect((await server.get(`/calls/live?project_id=${project.id}`, { key: null })).status).toBe(401)
  })

  test('rejects invalid parameters', async () => {
    const project = freshProject(server)
    expect((await server.get('/calls/live')).status).toBe(422)
    expect((await requestLive(project, { trace_roots_only: 'maybe' })).status).toBe(422)
    expect((await requestLive(project, {}, 'strange')).status).toBe(400)
  })

  test('is in the OpenAPI document', async () => {
    const { json } = await server.get<{ paths: Record<string, { get?: unknown }> }>('/openapi.json')
    expect(json.paths['/calls/live']?.get).toMatchObject({ operationId: 'calls.live' })
  })
})

describe('calls/live on a dedicated server', () => {
  test('resumes after the server was stopped or killed', async () => {
    const data = await makeTempFolder()
    let running = await startServer({ data })
    const adminKey = running.adminKey
    const name = crypto.randomUUID()
    const projectNow = () => new Project(running.client, 'live', name)
    const listener = await LiveListener.connect(projectNow())
    await projectNow().start({ id: 'a' })
    const seen = await listener.next()
    await projectNow().start({ id: 'b' })
    expect(await listener.take(1)).toEqual(['start b'])
    await projectNow().start({ id: 'c' })
    expect(await listener.take(1)).toEqual(['start c'])
    const stopped = running.stop()
    expect(await listener.next()).toMatchObject({ event: 'shutdown' })
    expect(await listener.next()).toBeUndefined()
    expect(await stopped).toBe(0)

    for (const end of ['stop', 'kill'] as const) {
      running = await startServer({ data, adminKey })
      const again = await LiveListener.connect(projectNow(), { lastEventId: seen!.id })
      const told = new Set<string>()
      while (!told.has('c')) told.add(String((await again.next())!.data['id']))
      expect(told.has('b')).toBe(true)
      await projectNow().start({ id: `after-${end}` })
      for (;;) if (String((await again.next())!.data['id']) === `after-${end}`) break
      await again.close()
      await running[end]()
    }
    await removeFolder(data)
  }, 120_000)

  // Deno would wait for the same heartbeat once more.
  test.skipIf(process.env['TRACELAKE_TEST_RUNTIME'] === 'deno')(
    'ends when the key is revoked',
    async () => {
      const server = await ownServer()
      const project = freshProject(server.client)
      const key = await server.createKey({ name: 'guest', role: 'read', scope: project.id })
      const listener = await LiveListener.connect(project.withKey(key))
      await project.start({ id: 'a' })
      expect(await listener.take(1)).toEqual(['start a'])
      await server.revokeKeys('guest')
      // The key is looked at again with the next heartbeat, which may take a while.
      expect(await listener.next()).toMatchObject({ event: 'dropped', data: { reason: expect.any(String) } })
      expect(await listener.next()).toBeUndefined()
      expect((await requestLive(project.withKey(key))).status).toBe(401)
    },
    120_000,
  )

  test('rejects clients over the limit, and accepts one when another leaves', async () => {
    const { client } = await ownServer({ env: { TRACELAKE_LIVE_CLIENTS: '2', TRACELAKE_LIVE_PER_KEY: '2' } })
    const project = freshProject(client)
    const [first] = [await LiveListener.connect(project), await LiveListener.connect(project)]
    const refused = await requestLive(project)
    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).toBeString()
    await refused.body?.cancel()
    await first!.close()
    await untilAccepted(project)
  }, 120_000)

  test('limits the share of one key', async () => {
    const own = await ownServer({ env: { TRACELAKE_LIVE_CLIENTS: '4', TRACELAKE_LIVE_PER_KEY: '3' } })
    const project = freshProject(own.client)
    const greedy = await Promise.all(Array.from({ length: 3 }, () => LiveListener.connect(project)))
    const refused = await requestLive(project)
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBeString()
    expect(await refused.json()).toMatchObject({ error_type: 'TooManyRequests', reason: expect.stringContaining('3') })
    const key = await own.createKey({ name: 'other', role: 'read', scope: project.id })
    const other = await LiveListener.connect(project.withKey(key))
    expect((await requestLive(project.withKey(key))).status).toBe(503)
    await greedy[0]!.close()
    await untilAccepted(project)
    await Promise.all([...greedy.slice(1), other].map((listener) => listener.close()))
  }, 120_000)

  test('limits one key to a quarter of the tails by default', async () => {
    const { client } = await ownServer({ env: { TRACELAKE_LIVE_CLIENTS: '5' } })
    const project = freshProject(client)
    const listeners = [await LiveListener.connect(project), await LiveListener.connect(project)]
    expect((await requestLive(project)).status).toBe(429)
    await Promise.all(listeners.map((listener) => listener.close()))
  }, 120_000)

  test('reports skipped events', async () => {
    const { client } = await ownServer({ env: { TRACELAKE_LIVE_EVENTS: '10' } })
    const project = freshProject(client)
    const listener = await LiveListener.connect(project)
    await project.start({ id: 'first' })
    const first = await listener.next()
    // More at once than the server remembers, which is not the client's fault.
    await project.complete(...Array.from({ length: 50 }, (_, index) => ({ id: `many-${index}` })))
    expect((await listener.next())?.event).toBe('gap')
    await project.start({ id: 'last' })
    for (;;) if ((await listener.next())?.data['id'] === 'last') break
    await listener.close()

    const unknown = first!.id!.replace(/^[0-9a-f]{8}/, 'abcdef01')
    const resumed = await LiveListener.connect(project, { lastEventId: unknown })
    expect((await resumed.next())?.event).toBe('reset')
    await project.end({ id: 'last' })
    expect(await resumed.take(1)).toEqual(['end last'])
    await resumed.close()
  }, 120_000)

  test('disconnects a client that does not read, with a reason, and keeps accepting writes', async () => {
    const { client } = await ownServer({ env: { TRACELAKE_LIVE_CLIENTS: '1', TRACELAKE_LIVE_EVENTS: '500' } })
    const project = freshProject(client)
    const slow = await connectAndPause(project)
    // Long texts fill the buffers between server and client sooner.
    const texts = { exception: 'x'.repeat(1_000), display_name: 'y'.repeat(1_000) }
    let count = 0
    for (;;) {
      const calls = Array.from({ length: 100 }, () => ({ id: `${count++}`, ...texts }))
      await project.complete(...calls)
      const { status, body } = await requestLive(project)
      await body?.cancel()
      if (status === 200) break
    }
    const text = await slow.readToEnd()
    expect(text).toContain('event: dropped')
    expect(text).toContain('too slow')
    expect((await project.stats()).count).toBe(count)
  }, 120_000)
})

/**
 * Connects until the server takes the connection: it may take a moment until it notices that
 * another one has left.
 */
async function untilAccepted(project: Project): Promise<void> {
  for (;;) {
    const { status, body } = await requestLive(project)
    await body?.cancel()
    if (status === 200) return
    await Bun.sleep(20)
  }
}

/** A listener that reads the head of the response, and the rest only when told to. */
async function connectAndPause(project: Project): Promise<{ readToEnd(): Promise<string> }> {
  const { hostname, port } = new URL(project.client.address)
  const socket = connect(Number(port), hostname)
  let text = ''
  let hasBegun = false
  const ended = new Promise<void>((resolve) => {
    socket.on('close', () => resolve())
    socket.on('end', () => resolve())
    socket.on('error', () => resolve())
  })
  await new Promise<void>((resolve) => {
    socket.on('data', (piece) => {
      text += piece.toString()
      if (hasBegun || !text.includes(': live')) return
      hasBegun = true
      socket.pause()
      resolve()
    })
    const path = `/calls/live?project_id=${encodeURIComponent(project.id)}`
    socket.write(
      `GET ${path} HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: ${basic('api', project.client.key)}\r\nconnection: close\r\n\r\n`,
    )
  })
  return {
    async readToEnd() {
      socket.resume()
      await ended
      socket.destroy()
      return text
    },
  }
}
