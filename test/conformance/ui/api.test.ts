import { beforeAll, describe, expect, test } from 'bun:test'
import { basic } from '../support/client.ts'
import type { Project } from '../support/project.ts'
import { freshProject, ownServer } from '../support/target.ts'
import { Browser } from './browser.ts'

const server = await ownServer()
const { client, adminKey } = server

let project: Project
let page: Browser
beforeAll(async () => {
  project = freshProject(client)
  await project.add({ id: 'a' }, { id: 'b' })
  page = await new Browser(client.address).logIn(adminKey)
})

const readA = () => ({ project_id: project.id, id: 'a' })

describe('the API of the UI', () => {
  test('serves the operations by cookie', async () => {
    const response = await page.post('/ui/api/call/read', readA())
    expect([response.status, await response.json()]).toMatchObject([200, { call: { id: 'a' } }])
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    const filter = { call_ids: ['a', 'b'] }
    const lines = await page.post('/ui/api/calls/stream_query', { project_id: project.id, filter })
    expect((await lines.text()).trim().split('\n')).toHaveLength(2)
  })

  test('writes as the owner of the key', async () => {
    const key = await server.createKey({ name: 'annotator', role: 'write', scope: project.id })
    const writer = await new Browser(client.address).logIn(key)
    const body = { project_id: project.id, call_id: 'a', display_name: 'renamed' }
    expect((await writer.post('/ui/api/call/update', body)).status).toBe(200)
    expect(await project.readExisting('a')).toMatchObject({ display_name: 'renamed' })
  })

  test('holds the role and the scope of the key', async () => {
    const key = await server.createKey({ name: 'reader', role: 'read', scope: project.id })
    const reader = await new Browser(client.address).logIn(key)
    expect((await reader.post('/ui/api/call/read', readA())).status).toBe(200)
    const update = { project_id: project.id, call_id: 'a', display_name: 'no' }
    expect((await reader.post('/ui/api/call/update', update)).status).toBe(403)
    expect((await reader.post('/ui/api/call/read', { project_id: 'other/one', id: 'a' })).status).toBe(403)
  })

  test.each([
    ['no credentials', {}],
    ['a key', { authorization: basic('api', adminKey) }],
    ['a key in a header of its own', { 'ext-api-key': adminKey }],
  ])('refuses requests with %s instead of a cookie', async (_, headers: Record<string, string>) => {
    const response = await new Browser(client.address).post('/ui/api/call/read', readA(), headers)
    expect(response.status).toBe(401)
    expect(response.headers.has('www-authenticate')).toBe(false)
  })

  test('pays no attention to a key beside the cookie', async () => {
    const key = await server.createKey({ name: 'other', role: 'read', scope: 'nothing' })
    const response = await page.post('/ui/api/call/read', readA(), { authorization: basic('api', key) })
    expect(response.status).toBe(200)
    const wrong = await page.post('/ui/api/call/read', readA(), { authorization: 'Bearer wrong' })
    expect(wrong.status).toBe(200)
  })

  test('answers 404 to unknown paths, and the pages are not below it', async () => {
    expect((await page.post('/ui/api/none', {})).status).toBe(404)
    expect((await page.get('/ui/api/ui/session')).status).toBe(404)
    expect((await page.get('/ui/api/')).status).toBe(404)
  })

  test('streams live calls', async () => {
    const response = await page.get(`/ui/api/calls/live?project_id=${encodeURIComponent(project.id)}`)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
    const reader = response.body!.getReader()
    await project.add({ id: `live-${crypto.randomUUID()}` })
    let text = ''
    while (!text.includes('event: start')) text += new TextDecoder().decode((await reader.read()).value)
    await reader.cancel()
  })

  test('uploads files', async () => {
    const form = new FormData()
    form.append('project_id', project.id)
    form.append('file', new File(['hello'], 'hello.txt', { type: 'text/plain' }))
    const response = await fetch(`${client.address}/ui/api/file/create`, {
      method: 'POST',
      headers: { cookie: page.cookie!, 'sec-fetch-site': 'same-origin' },
      body: form,
    })
    expect(response.status).toBe(200)
  })
})

describe('the public API', () => {
  test.each(['/call/read', '/calls/stream_query'])('never accepts cookies: %s', async (path) => {
    const response = await page.post(path, readA())
    expect(response.status).toBe(401)
  })
})

describe('requests from elsewhere are refused', () => {
  test.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another server of the same site', { 'sec-fetch-site': 'same-site' }],
    ['the address bar', { 'sec-fetch-site': 'none' }],
    ['an old browser on another site', { 'sec-fetch-site': '', origin: 'http://evil.example' }],
    ['an old browser on another port', { 'sec-fetch-site': '', origin: 'http://127.0.0.1:1' }],
    ['an opaque origin', { 'sec-fetch-site': '', origin: 'null' }],
    ['a program that says nothing', { 'sec-fetch-site': '' }],
  ])('from %s', async (_, { 'sec-fetch-site': site, ...others }: Record<string, string>) => {
    for (const [path, body] of [
      ['/ui/api/call/read', readA()],
      ['/ui/session', { key: adminKey }],
    ] as const) {
      const response = await fetch(client.address + path, {
        method: 'POST',
        headers: {
          ...others,
          ...(site !== '' && { 'sec-fetch-site': site! }),
          'content-type': 'application/json',
          cookie: page.cookie!,
        },
        body: JSON.stringify(body),
      })
      expect([path, response.status]).toEqual([path, 403])
    }
  })

  test('but not from an old browser on this server', async () => {
    const response = await fetch(`${client.address}/ui/api/call/read`, {
      method: 'POST',
      headers: { origin: client.address, 'content-type': 'application/json', cookie: page.cookie! },
      body: JSON.stringify(readA()),
    })
    expect(response.status).toBe(200)
  })

  test('also if they only read', async () => {
    const path = `/ui/api/calls/live?project_id=${encodeURIComponent(project.id)}`
    for (const site of ['cross-site', 'same-site']) {
      expect((await page.get(path, { 'sec-fetch-site': site })).status).toBe(403)
    }
    expect((await page.get('/ui/session', { 'sec-fetch-site': 'none' })).status).toBe(200)
  })

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', ''])(
    'and forms have no right type: %p',
    async (type) => {
      for (const path of ['/ui/api/call/read', '/ui/session']) {
        const response = await fetch(client.address + path, {
          method: 'POST',
          headers: { 'content-type': type, cookie: page.cookie!, 'sec-fetch-site': 'same-origin' },
          body: JSON.stringify(readA()),
        })
        expect([path, response.status]).toEqual([path, 415])
      }
    },
  )
})
