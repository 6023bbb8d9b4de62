import { describe, expect, test } from 'bun:test'
import { sharedServer } from './target.ts'

const server = await sharedServer()

interface Operation {
  operationId?: string
  security?: Record<string, string[]>[]
}

interface Description {
  openapi: string
  info: { title: string; version: string }
  paths: Record<string, Record<string, Operation>>
  security?: Record<string, string[]>[]
  components: { securitySchemes: Record<string, { type: string; scheme?: string }> }
}

const { json: description } = await server.get<Description>('/openapi.json')

const routes: [string, string][] = [
  ['post', '/call/start'],
  ['post', '/call/end'],
  ['post', '/call/upsert_batch'],
  ['post', '/v2/{entity}/{project}/call/start'],
  ['post', '/v2/{entity}/{project}/call/end'],
  ['post', '/v2/{entity}/{project}/calls/complete'],
  ['post', '/call/update'],
  ['post', '/calls/delete'],
  ['post', '/call/read'],
  ['post', '/calls/stream_query'],
  ['post', '/calls/query_stats'],
  ['get', '/health'],
  ['get', '/version'],
  ['get', '/server_info'],
  ['post', '/service/projects_info'],
  ['get', '/geolocate'],
]

describe('openapi.json', () => {
  test('is OpenAPI 3.1 of this version of the server', async () => {
    expect(description.openapi).toMatch(/^3\.1\.\d+$/)
    const { json } = await server.get<{ version: string }>('/version')
    expect(description.info.version).toBe(json.version)
  })

  test.each(routes)('describes %s %s with an id', (method, path) => {
    expect(description.paths[path]?.[method]?.operationId).toBeString()
  })

  test('gives every operation an id of its own', () => {
    const ids = Object.values(description.paths).flatMap((methods) =>
      Object.values(methods).flatMap(({ operationId }) => operationId ?? []),
    )
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('names Basic among the ways to show a key', () => {
    const schemes = Object.values(description.components.securitySchemes)
    expect(schemes.map(({ scheme }) => scheme?.toLowerCase())).toContain('basic')
  })

  test.each(routes)('says whether %s %s needs a key', (method, path) => {
    const security = description.paths[path]?.[method]?.security ?? description.security ?? []
    const isOpen = path === '/health' || path === '/version'
    expect(security.some((way) => Object.keys(way).length > 0)).toBe(!isOpen)
  })
})

describe('docs', () => {
  test('is a page that loads nothing from elsewhere', async () => {
    const { status, headers, text } = await server.get('/docs')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toStartWith('text/html')
    const loads =
      /(?:\bsrc|\bhref|\baction|spec-url)\s*=\s*["']?\s*(?:https?:)?\/\/|@import|url\(\s*["']?(?:https?:)?\/\//i
    expect(loads.exec(text)?.[0]).toBeUndefined()
  })
})
