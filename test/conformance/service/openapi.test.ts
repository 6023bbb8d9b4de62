import { describe, expect, test } from 'bun:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { checkDeclared } from '../support/declared-statuses.ts'
import { Tables } from '../support/tables.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const server = await sharedServer()

type Content = Record<string, { schema?: unknown } | undefined>

interface Operation {
  operationId?: string
  requestBody?: { required?: boolean; content?: Content }
  security?: Record<string, string[]>[]
}

interface Description {
  openapi: string
  info: { title: string; version: string }
  paths: Record<string, Record<string, Operation>>
  security?: Record<string, string[]>[]
  components: {
    securitySchemes: Record<string, { type: string; scheme?: string }>
    responses: Record<string, { content: Record<string, { schema: unknown }> }>
  }
}

const { json: description } = await server.get<Description>('/openapi.json')
const { components } = description

/** Every schema anywhere in a description. */
function schemasIn(node: unknown): object[] {
  if (typeof node !== 'object' || node === null) return []
  const own = Object.entries(node).flatMap(([name, child]) => {
    if (name === 'schema') return [child as object]
    return name === 'schemas' ? Object.values(child as Record<string, object>) : schemasIn(child)
  })
  return own
}

const jsonHeaders = { headers: { 'content-type': 'application/json' } }

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

  test('is valid OpenAPI', async () => {
    const { valid, errors } = await new Validator().validate(
      structuredClone(description) as unknown as Record<string, unknown>,
    )
    expect({ valid, errors }).toMatchObject({ valid: true })
  })

  test('has only valid JSON Schema 2020-12 schemas', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    const schemas = schemasIn(description)
    expect(schemas.length).toBeGreaterThan(200)
    for (const schema of schemas) {
      ajv.validateSchema(schema)
      expect([schema, ajv.errors ?? null]).toEqual([schema, null])
    }
  })

  test('describes either shape of a 422', async () => {
    const { schema } = components.responses['UnprocessableRequest']!.content['application/json']!
    const ajv = new Ajv2020({ strict: false, validateFormats: false, schemas: [{ $id: 'all', components }] })
    const check = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"all#/')))
    const project_id = 'acme/nowhere'
    const query = { $expr: { $eq: [{ $getField: 'nothing' }, { $literal: 1 }] } }
    for (const body of [{}, { project_id, query }, { project_id, filter: { nothing: 1 } }]) {
      const { status, json } = await server.post('/calls/stream_query', body)
      expect([status, check(json), check.errors ?? null]).toEqual([422, true, null])
    }
    expect(check({ else: 1 })).toBe(false)
  })

  test('is checked against every request of these tests', async () => {
    await checkDeclared(server.address, 'POST', '/calls/query?x=1', 504)
    expect(checkDeclared(server.address, 'POST', '/calls/query', 418)).rejects.toThrow('POST /calls/query answered 418')
    expect(checkDeclared(server.address, 'PUT', '/annotation_queues/x', 418)).rejects.toThrow('418')
    await checkDeclared(server.address, 'POST', '/nowhere', 418)
  })

  test('requires a body only if an empty one is rejected', async () => {
    for (const [path, methods] of Object.entries(description.paths)) {
      for (const [method, { requestBody }] of Object.entries(methods)) {
        if (requestBody?.content?.['application/json'] === undefined || !requestBody.required) continue
        const options = path.startsWith('/ui/')
          ? { headers: { ...jsonHeaders.headers, 'sec-fetch-site': 'same-origin' } }
          : jsonHeaders
        const { status } = await server.send(method.toUpperCase(), path.replaceAll(/\{\w+\}/g, 'x'), '{}', options)
        expect([method, path, status]).toEqual([method, path, 422])
      }
    }
  })

  test.each(routes)('describes %s %s with an id', (method, path) => {
    expect(description.paths[path]?.[method]?.operationId).toBeString()
  })

  test('gives every operation a unique id', () => {
    const ids = Object.values(description.paths).flatMap((methods) =>
      Object.values(methods).flatMap(({ operationId }) => operationId ?? []),
    )
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('lists Basic authentication', () => {
    const schemes = Object.values(description.components.securitySchemes)
    expect(schemes.map(({ scheme }) => scheme?.toLowerCase())).toContain('basic')
  })

  test.each(routes)('declares whether %s %s requires a key', (method, path) => {
    const security = description.paths[path]?.[method]?.security ?? description.security ?? []
    const isOpen = path === '/health' || path === '/version'
    expect(security.some((way) => Object.keys(way).length > 0)).toBe(!isOpen)
  })
})

describe('docs', () => {
  test('is a page without external resources', async () => {
    const { status, headers, text } = await server.get('/docs')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toStartWith('text/html')
    const loads =
      /(?:\bsrc|\bhref|\baction|spec-url)\s*=\s*["']?\s*(?:https?:)?\/\/|@import|url\(\s*["']?(?:https?:)?\/\//i
    expect(loads.exec(text)?.[0]).toBeUndefined()
  })
})

test('every response with a body has a schema', () => {
  const untyped = Object.entries(description.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) => {
      const { responses } = operation as unknown as { responses: Record<string, { content?: Content }> }
      return Object.entries(responses).flatMap(([status, { content = {} }]) =>
        Object.entries(content).flatMap(([type, media]) =>
          media?.schema === undefined ? [`${method} ${path} ${status} ${type}`] : [],
        ),
      )
    }),
  )
  expect(untyped).toEqual([])
})

test('lines of streams match their schemas', async () => {
  const project = freshProject(server)
  await project.complete({ id: 'a', thread_id: 't', turn_id: 'a' })
  await new Tables(project).create([{ n: 1 }])
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema(description, 'api')
  const linesOf = async (path: string, body: object, type = 'application/jsonl'): Promise<number> => {
    const answer = await server.post(path, { project_id: project.id, ...body }, { headers: { accept: type } })
    expect(answer.status).toBe(200)
    const pointer = `/paths/${path.replaceAll('/', '~1')}/post/responses/200/content/${type.replaceAll('/', '~1')}/schema`
    const validate = ajv.compile({ $ref: `api#${pointer}` })
    const lines = answer.text.split('\n').filter((line) => line !== '')
    for (const line of lines) {
      const isValid = validate(JSON.parse(line))
      expect(validate.errors ?? []).toEqual([])
      expect(isValid).toBe(true)
    }
    return lines.length
  }
  expect(await linesOf('/calls/stream_query', {})).toBe(1)
  expect(await linesOf('/calls/stream_query', { omit_null: true, preview_chars: 10 })).toBe(1)
  expect(await linesOf('/calls/stream_query', {}, 'application/json')).toBe(1)
  expect(await linesOf('/threads/stream_query', {})).toBe(1)
  expect(await linesOf('/threads/stream_query', { include_details: true })).toBe(1)
})
