import { describe, expect, test } from 'bun:test'
import { ownServer, sharedServer } from '../support/target.ts'

const server = await ownServer({ env: { TRACELAKE_DIALECT: 'weave' } })

interface GraphqlResponse {
  readonly data?: Record<string, unknown> | null
  readonly errors?: readonly { message: string; extensions?: { code?: string } }[]
}

const ask = async (query: string, variables?: object, key?: string | null) =>
  await server.client.post<GraphqlResponse>('/graphql', { query, variables }, key === undefined ? {} : { key })

const projectQuestion =
  'query Project($name: String!, $entityName: String!) { project(name: $name, entityName: $entityName) { name } }'
const viewerQuestion = '{ viewer { username defaultEntity { name } } }'

describe('the GraphQL requests of the weave client packages', () => {
  test('a project in the scope of the key exists', async () => {
    const { status, json } = await ask(projectQuestion, { name: 'not made yet', entityName: 'acme' })
    expect({ status, json }).toEqual({ status: 200, json: { data: { project: { name: 'not made yet' } } } })
  })

  test('a project outside the scope is rejected with a status that clients do not retry', async () => {
    const key = await server.createKey({ name: 'other', role: 'write', scope: 'acme/one' })
    expect((await ask(projectQuestion, { name: 'one', entityName: 'acme' }, key)).json.errors).toBeUndefined()
    const { json } = await ask(projectQuestion, { name: 'two', entityName: 'acme' }, key)
    expect(json.data).toBeNull()
    expect(json.errors).toMatchObject([{ extensions: { code: 'PERMISSION_ERROR' } }])
  })

  test('the project upsert of older clients returns the same', async () => {
    const wish =
      'mutation UpsertModel($name: String!, $id: String, $entity: String!, $description: String, $repo: String) ' +
      '{ upsertModel(input: { id: $id, name: $name, entityName: $entity, description: $description, repo: $repo }) ' +
      '{ model { name description } } }'
    const key = await server.createKey({ name: 'older', role: 'write', scope: 'acme/one' })
    const { json } = await ask(wish, { name: 'one', entity: 'acme', description: null }, key)
    expect(json).toEqual({ data: { upsertModel: { model: { name: 'one', description: null } } } })
    const outside = await ask(wish, { name: 'two', entity: 'acme' }, key)
    expect(outside.json.data).toBeNull()
    expect(outside.json.errors).toMatchObject([{ extensions: { code: 'PERMISSION_ERROR' } }])
  })

  test('an invalid project name is rejected', async () => {
    for (const name of ['', 'a/b', 'x'.repeat(129), '../b', '\u0000']) {
      const { status, json } = await ask(projectQuestion, { name, entityName: 'acme' })
      expect({ name, status, code: json.errors?.[0]?.extensions?.code }).toEqual({
        name,
        status: 200,
        code: 'PERMISSION_ERROR',
      })
    }
  })

  test.each([
    { name: 'somebody', scope: '*', entity: 'somebody' },
    { name: 'some/body', scope: '*', entity: 'default' },
    { name: 'entity', scope: 'acme', entity: 'acme' },
    { name: 'project', scope: 'acme/hello', entity: 'acme' },
  ] as const)('the key $name for $scope names its projects in $entity', async ({ name, scope, entity }) => {
    const key = await server.createKey({ name, role: 'read', scope })
    const { json } = await ask(viewerQuestion, undefined, key)
    expect(json).toEqual({ data: { viewer: { username: name, defaultEntity: { name: entity } } } })
  })

  test('requires a key', async () => {
    expect((await ask(viewerQuestion, undefined, null)).status).toBe(401)
    expect((await ask(viewerQuestion, undefined, 'wrong')).status).toBe(401)
  })

  test.each([
    ['no GraphQL', 'query {'],
    ['an unknown field', '{ secrets }'],
    ['a change', 'mutation { viewer { username } }'],
    ['too much at once', `{ ${Array.from({ length: 200 }, (_, i) => `a${i}: viewer { username }`).join(' ')} }`],
    ['too deep', `{ ${'viewer { '.repeat(300)} username ${'} '.repeat(300)} }`],
  ])('%s is answered with errors and no data', async (_, query) => {
    const { status, json } = await ask(query)
    expect(status).toBe(200)
    expect(json.data ?? null).toBeNull()
    expect(json.errors!.length).toBeGreaterThan(0)
    expect(JSON.stringify(json)).not.toContain('.ts')
  })

  test('a body without a query or with a long one is rejected', async () => {
    expect((await server.client.post('/graphql', {})).status).toBe(422)
    expect((await ask(`{ viewer { username } } ${'#'.repeat(10_000)}`)).status).toBe(422)
  })

  test('is not served in the neutral dialect', async () => {
    expect((await (await sharedServer()).post('/graphql', { query: viewerQuestion })).status).toBe(404)
  })
})
