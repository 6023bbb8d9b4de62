import { beforeAll, describe, expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { dialects } from '../../formats/dialect/dialect.ts'
import { serviceApi } from '../service/index.ts'
import type { Services } from '../services.ts'
import { descriptionApi, descriptionPaths } from './index.ts'

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document is read at many depths here
type Tree = any

const Node = Type.Recursive((This) => Type.Object({ ext_ref: Type.String(), next: Type.Union([This, Type.Null()]) }), {
  $id: 'Node',
})
const more = new Elysia({ normalize: false })
  .post('/v2/:entity/nodes', ({ body }) => body, {
    params: Type.Object({ entity: Type.String({ description: 'Owner' }) }),
    query: Type.Object({ ext_run_id: Type.Optional(Type.String()) }),
    body: Node,
    response: { 200: Node, 409: Type.Object({ reason: Type.String() }, { description: 'Taken' }) },
    detail: { operationId: 'nodes.create', tags: ['Nodes'] },
  })
  .post('/stream', () => new Response(), {
    body: Type.Object({ order: Type.Union([Type.Literal('asc'), Type.Literal('desc')]) }),
    detail: { responses: { 200: { description: 'Rows', content: { 'application/jsonl': {} } } } },
  })

const appIn = (dialect: 'ext' | 'weave') => {
  const app = new Elysia({ normalize: false }).use(serviceApi({} as Services, { metricsOpen: false })).use(more)
  return app.use(descriptionApi(dialects[dialect], () => app.routes))
}

const fetchFrom = (dialect: 'ext' | 'weave', path: string) =>
  appIn(dialect).fetch(new Request(`http://localhost${path}`))
const describeIn = async (dialect: 'ext' | 'weave'): Promise<Tree> =>
  await (await fetchFrom(dialect, '/openapi.json')).json()

describe('openapi.json', () => {
  let document: Tree
  beforeAll(async () => {
    document = await describeIn('ext')
  })

  test('lists every route except its own', () => {
    expect(document.openapi).toBe('3.1.0')
    expect(Object.keys(document.paths).sort()).toEqual([
      '/flush',
      '/geolocate',
      '/health',
      '/metrics',
      '/server_info',
      '/service/projects_info',
      '/skill.md',
      '/stream',
      '/v2/{entity}/nodes',
      '/version',
    ])
    expect(document.tags).toEqual([{ name: 'Service' }, { name: 'Nodes' }, { name: 'stream' }])
  })

  test('describes parameters, bodies and responses', () => {
    const { post } = document.paths['/v2/{entity}/nodes']
    expect(post.operationId).toBe('nodes.create')
    expect(post.parameters).toEqual([
      { name: 'entity', in: 'path', required: true, description: 'Owner', schema: { type: 'string' } },
      { name: 'ext_run_id', in: 'query', required: false, schema: { type: 'string' } },
    ])
    const content = { 'application/json': { schema: { $ref: '#/components/schemas/Node' } } }
    expect(post.requestBody).toEqual({ required: true, content })
    expect(post.responses['200']).toEqual({ description: 'Success', content })
    expect(post.responses['409'].description).toBe('Taken')
    expect(Object.keys(post.responses)).toEqual(
      '200 400 401 403 404 409 413 415 422 429 499 500 501 502 503 504 507'.split(' '),
    )
  })

  test('defines a named schema once, even a recursive one', () => {
    expect(document.components.schemas.Node).toEqual({
      type: 'object',
      required: ['ext_ref', 'next'],
      properties: {
        ext_ref: { type: 'string' },
        next: { anyOf: [{ $ref: '#/components/schemas/Node' }, { type: 'null' }] },
      },
    })
  })

  test('marks operations that need no API key', () => {
    expect(document.paths['/health'].get.security).toEqual([])
    expect(document.paths['/health'].get.responses['401']).toBeUndefined()
    expect(document.security).toEqual([{ basic: [] }, { bearer: [] }])
  })

  test("a route's own description takes precedence; constants become an enumeration", () => {
    const { post } = document.paths['/stream']
    expect(post.operationId).toBe('post_stream')
    expect(post.responses['200']).toEqual({ description: 'Rows', content: { 'application/jsonl': {} } })
    const { schema } = post.requestBody.content['application/json']
    expect(schema.properties.order).toEqual({ type: 'string', enum: ['asc', 'desc'] })
  })

  test('every $ref resolves', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) => path!)
    expect(references.length).toBeGreaterThan(10)
    for (const reference of references) {
      const target = reference.split('/').reduce((node: Tree, step) => node?.[step], document)
      expect([reference, typeof target]).toEqual([reference, 'object'])
    }
  })

  test('uses the active dialect', async () => {
    const vendor = await describeIn('weave')
    expect(vendor.components.schemas.Node.required).toEqual(['weave_ref', 'next'])
    expect(vendor.paths['/v2/{entity}/nodes'].post.parameters[1].name).toBe('wb_run_id')
    expect(JSON.stringify(vendor)).not.toMatch(/"\w*ext_\w+"/)
  })
})

test('the docs page and its assets are served locally', async () => {
  const page = await fetchFrom('ext', '/docs')
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  const html = await page.text()
  expect(html).not.toContain('//')
  const [, script] = /src="([^"]+)"/.exec(html)!
  const { pathname } = new URL(script!, 'http://localhost/docs')
  expect(descriptionPaths).toContain(pathname)
  const answer = await fetchFrom('ext', pathname)
  expect(answer.headers.get('content-type')).toBe('text/javascript')
  expect((await answer.text()).length).toBeGreaterThan(100_000)
})
