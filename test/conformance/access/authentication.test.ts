import { describe, expect, test } from 'bun:test'
import { type Answer, basic } from '../support/client.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const server = await sharedServer()
const wrongKey = 'f'.repeat(40)

const read = (headers: Record<string, string>): Promise<Answer<unknown>> => {
  const body = { project_id: freshProject(server).id, id: 'a' }
  return server.post('/call/read', body, { key: null, headers })
}

function expectUnauthorized(answer: Answer<unknown>): void {
  expect(`${answer.status} ${answer.text}`).toStartWith('401 ')
  expect(answer.headers.get('www-authenticate')).toStartWith('Basic ')
  expect(answer.json).toMatchObject({ reason: expect.any(String), error_type: expect.any(String) })
}

const accepted: [string, Record<string, string>][] = [
  ['Basic with the customary user', { authorization: basic('api', server.key) }],
  ['Basic with any other user', { authorization: basic('somebody', server.key) }],
  ['Basic with no user', { authorization: basic('', server.key) }],
  ['Basic in lower case', { authorization: basic('api', server.key).replace('Basic', 'basic') }],
  ['Bearer', { authorization: `Bearer ${server.key}` }],
  ['the header wandb-api-key', { 'wandb-api-key': server.key }],
  ['the header ext-api-key', { 'ext-api-key': server.key }],
]

const refused: [string, Record<string, string>][] = [
  ['no credentials', {}],
  ['a wrong key', { authorization: basic('api', wrongKey) }],
  ['the key as the user', { authorization: basic(server.key, '') }],
  ['an empty key', { authorization: basic('api', '') }],
  ['the beginning of the key', { authorization: basic('api', server.key.slice(0, -1)) }],
  ['Basic without a colon', { authorization: `Basic ${btoa(server.key)}` }],
  ['Basic that is not base64', { authorization: 'Basic %%%' }],
  ['Basic with nothing after it', { authorization: 'Basic' }],
  ['another scheme', { authorization: `Digest ${server.key}` }],
  ['a wrong Bearer', { authorization: `Bearer ${wrongKey}` }],
  ['a wrong header key', { 'wandb-api-key': wrongKey }],
]

describe('authentication', () => {
  test.each(accepted)('accepts %s', async (_kind, headers) => {
    expect((await read(headers)).status).toBe(200)
  })

  test.each(refused)('rejects %s', async (_kind, headers) => {
    expectUnauthorized(await read(headers))
  })

  test.each([
    [
      'a script of a page',
      { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' },
      'Bearer',
    ],
    [
      'a frame of a page',
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
      'Bearer',
    ],
    ['a page from another machine over plain HTTP', { origin: 'http://10.0.0.7:8470' }, 'Bearer'],
    ['a page that says so itself', { 'x-requested-with': 'XMLHttpRequest' }, 'Bearer'],
    [
      'a person who opens the address',
      { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
      'Basic',
    ],
    ['the fetch of Node.js', { 'sec-fetch-mode': 'cors' }, 'Basic'],
    ['curl', { 'user-agent': 'curl/8.15.0', accept: '*/*' }, 'Basic'],
  ])('challenges %s such that no page is held up by a password dialog', async (_kind, headers, scheme) => {
    const answer = await read(headers as Record<string, string>)
    expect(answer.status).toBe(401)
    expect(answer.headers.get('www-authenticate')?.split(' ')[0]).toBe(scheme)
  })

  test('precedes validation of the request', async () => {
    expectUnauthorized(await server.post('/call/start', {}, { key: wrongKey }))
    expectUnauthorized(await server.postRaw('/call/start', 'no JSON', { key: null }))
    const headers = { 'content-type': 'text/plain' }
    expectUnauthorized(await server.postRaw('/call/start', 'text', { key: null, headers }))
  })

  test('is required for all but four operations, before anything about the request is revealed', async () => {
    type Paths = Record<string, Record<string, unknown>>
    const { paths } = (await server.get<{ paths: Paths }>('/openapi.json', { key: null })).json
    const open: string[] = []
    let asked = 0
    for (const [path, methods] of Object.entries(paths)) {
      // The login of the web UI knows cookies only.
      if (path.startsWith('/ui/')) continue
      for (const method of Object.keys(methods)) {
        const address = server.address + path.replaceAll(/\{\w+\}/g, 'x')
        for (const headers of [{}, { authorization: basic('api', wrongKey), 'content-type': 'text/plain' }]) {
          const { status } = await fetch(address, { method: method.toUpperCase(), headers })
          if (status !== 401) open.push(`${method} ${path} ${status}`)
          asked++
        }
      }
    }
    expect(new Set(open)).toEqual(
      new Set(['get /health 200', 'get /version 200', 'get /skill.md 200', 'get /server_info 200']),
    )
    expect(asked).toBeGreaterThan(200)
  })

  test('is required for every v2 path', async () => {
    const project = freshProject(server)
    expectUnauthorized(await server.post(project.v2('calls/complete'), { batch: [] }, { key: null }))
  })

  test.each(['/geolocate'])('is required for %s', async (path) => {
    expectUnauthorized(await server.get(path, { key: null }))
  })

  test.each(['/health', '/version', '/server_info'])('is not required for %s', async (path) => {
    expect((await server.get(path, { key: null })).status).toBe(200)
    expect((await server.get(path, { key: wrongKey })).status).toBe(200)
  })
})
