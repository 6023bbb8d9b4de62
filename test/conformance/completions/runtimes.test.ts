import { expect, test } from 'bun:test'
import { ask, serverWithStub } from '../support/completions.ts'
import type { Project } from '../support/project.ts'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { freshProject } from '../support/target.ts'

const { server, stub } = await serverWithStub({ TRACELAKE_PRIVATE_HOSTS: '127.0.0.1' })
const fresh = () => freshProject(server.client)

const put = (project: Project, name: string, body: Record<string, unknown>) =>
  project.client.put(project.v2(`runtimes/${encodeURIComponent(name)}`), body)

const withModels = (...ids: string[]) => ({ base_url: stub.url, runtime_ids: ids.map((id) => ({ id })) })

async function objectIds(project: Project): Promise<string[]> {
  const body = { project_id: project.id, filter: { latest_only: true } }
  const { json } = await project.client.post<{ objs: { object_id: string }[] }>('/objs/query', body)
  return json.objs.map(({ object_id }) => object_id).sort()
}

test('a runtime is stored as objects, and its models can be called', async () => {
  const project = fresh()
  const runtime_ids = [{ id: 'tiny/llm', max_tokens: 100 }, { id: 'big' }]
  const { status, json } = await put(project, 'my.house', { base_url: stub.url, runtime_ids })
  expect(status).toBe(200)
  expect(json).toEqual({
    name: 'my.house',
    base_url: stub.url,
    api_key_secret: null,
    headers: {},
    runtime_ids: [
      { id: 'tiny/llm', max_tokens: 100, playground_id: 'custom::my.house::tiny/llm' },
      { id: 'big', max_tokens: 4096, playground_id: 'custom::my.house::big' },
    ],
  })
  expect(await objectIds(project)).toEqual(['my_house', 'my_house-big', 'my_house-tiny_llm'])
  const answer = await ask(project, { model: 'custom::my.house::tiny/llm' })
  expect(answer.json.response.error).toBeUndefined()
  expect(stub.requests.at(-1)!.body['model']).toBe('tiny/llm')
})

test('a repeated put changes nothing; unlisted models are deleted, also after the address changed', async () => {
  const project = fresh()
  await put(project, 'house', withModels('a', 'b'))
  await put(project, 'house', withModels('a', 'b'))
  const versions = async () => {
    const { json } = await project.client.post<{ objs: object[] }>('/objs/query', { project_id: project.id })
    return json.objs.length
  }
  expect(await versions()).toBe(3)
  await put(project, 'house', { ...withModels('b', 'c'), base_url: `${stub.url}/` })
  expect(await objectIds(project)).toEqual(['house', 'house-b', 'house-c'])
  await put(project, 'house', withModels())
  expect(await objectIds(project)).toEqual(['house'])
})

test('concurrent puts leave the runtime exactly as one of them describes', async () => {
  const project = fresh()
  await put(project, 'house', withModels('x', 'y'))
  const names = ['a', 'b', 'c', 'd', 'e', 'f']
  const answers = await Promise.all(names.map((name) => put(project, 'house', withModels(name, `${name}2`))))
  expect(answers.map(({ status }) => status)).toEqual(names.map(() => 200))
  const [provider, first, second, ...others] = await objectIds(project)
  expect([provider, second, others]).toEqual(['house', `${first}2`, []])
})

test('runtimes with a common name prefix do not affect each other', async () => {
  const project = fresh()
  await put(project, 'a-b', withModels('c'))
  await put(project, 'a', withModels('d'))
  await put(project, 'a', withModels())
  expect(await objectIds(project)).toEqual(['a', 'a-b', 'a-b-c'])
  expectRefusal(await put(project, 'a', withModels('b-c')), 400, 'a-b-c', 'another provider')
}, 120_000)

test('an invalid runtime is rejected, and nothing is created', async () => {
  const project = fresh()
  expectInvalid(await put(project, 'x', withModels('a', 'a')), ['body', 'runtime_ids', '1', 'id'])
  expectInvalid(await put(project, 'x', { runtime_ids: [] }), ['body', 'base_url'])
  expectInvalid(await put(project, 'x', { ...withModels(), runtime_ids: [{ id: 'a', max_tokens: 0 }] }), [
    'body',
    'runtime_ids',
    '0',
    'max_tokens',
  ])
  expectInvalid(await put(project, 'a b', withModels()), ['path', 'runtime_name'])
  expectInvalid(await put(project, 'a::b', withModels()), ['path', 'runtime_name'])
  expectRefusal(await put(project, 'x', withModels('a/b', 'a_b')), 400, 'a/b', 'a_b')
  expectRefusal(await put(project, 'x', withModels('m'.repeat(127))), 400, '128')
  expectRefusal(await put(project, 'x', { ...withModels('m'), base_url: 'http://10.0.0.1/v1' }), 400, 'base_url')
  for (const headers of [{ Host: 'elsewhere' }, { 'a\nb': 'c' }, { a: 'b\r\nc: d' }]) {
    expectRefusal(await put(project, 'x', { ...withModels('m'), headers }), 400, `"${Object.keys(headers)[0]}"`)
  }
  expect(await objectIds(project)).toEqual([])
  await put(project, 'a/b', withModels())
  expectRefusal(await put(project, 'a_b', withModels()), 400, 'a/b')
  const reading = await server.createKey({ name: 'r', role: 'read', scope: '*' })
  expect((await put(project.withKey(reading), 'x', withModels())).status).toBe(403)
}, 120_000)

const list = async (project: Project) => {
  const { status, json } = await project.client.get<{ runtimes: object[] }>(project.v2('runtimes'))
  expect(status).toBe(200)
  return json.runtimes
}
const remove = (project: Project, name: string) =>
  project.client.delete<{ num_deleted: number }>(project.v2(`runtimes/${encodeURIComponent(name)}`))

test('runtimes are listed by name, each as it was put', async () => {
  const project = fresh()
  expect(await list(project)).toEqual([])
  const put1 = await put(project, 'my.house', {
    base_url: stub.url,
    api_key_secret: 'HOUSE_KEY',
    headers: { 'x-team': 'one' },
    runtime_ids: [{ id: 'big' }, { id: 'tiny/llm', max_tokens: 100 }],
  })
  const put2 = await put(project, 'a', withModels())
  expect(await list(project)).toEqual([put2.json, put1.json] as object[])
  // A changed address keeps the models that are put again, and those alone.
  const put3 = await put(project, 'my.house', { ...withModels('big'), base_url: `${stub.url}/` })
  expect(await list(project)).toEqual([put2.json, put3.json] as object[])
  const reading = await server.createKey({ name: 'r', role: 'read', scope: project.id })
  expect(await list(project.withKey(reading))).toHaveLength(2)
  const elsewhere = await server.createKey({ name: 'e', role: 'admin', scope: 'else/where' })
  expect((await project.client.withKey(elsewhere).get(project.v2('runtimes'))).status).toBe(403)
})

test('endpoints that clients stored as objects are listed by a name that can be called', async () => {
  const project = fresh()
  const create = async (object_id: string, builtin_object_class: string, val: object) =>
    (
      await project.client.post<{ digest: string }>('/obj/create', {
        obj: { project_id: project.id, object_id, builtin_object_class, val },
      })
    ).json.digest
  const val = { name: 'My house', base_url: stub.url, api_key_name: '', extra_headers: {} }
  const provider = await create('house', 'Provider', val)
  await create('house-tiny', 'ProviderModel', { name: 'tiny', provider, max_tokens: 8 })
  await create('house-odd', 'ProviderModel', { name: 'another', provider, max_tokens: 8 })
  const [runtime, ...others] = await list(project)
  expect(others).toEqual([])
  expect(runtime).toMatchObject({
    name: 'house',
    runtime_ids: [
      { id: 'another', playground_id: 'custom::house-odd' },
      { id: 'tiny', playground_id: 'custom::house::tiny' },
    ],
  })
  const answer = await ask(project, { model: 'custom::house-odd' })
  expect(answer.json.response.error).toBeUndefined()
  expect((await remove(project, 'house')).json).toEqual({ num_deleted: 3 })
  expect(await objectIds(project)).toEqual([])
})

test('a deleted runtime is gone with its models, and can be put again', async () => {
  const project = fresh()
  await put(project, 'a-b', withModels('c'))
  const kept = await put(project, 'a', withModels('d'))
  await put(project, 'a-b', { ...withModels('c', 'e'), base_url: `${stub.url}/` })
  const reading = await server.createKey({ name: 'r', role: 'read', scope: '*' })
  expect((await remove(project.withKey(reading), 'a-b')).status).toBe(403)
  expect((await remove(project, 'a-b')).json).toEqual({ num_deleted: 5 })
  expect(await list(project)).toEqual([kept.json] as object[])
  expect(await objectIds(project)).toEqual(['a', 'a-d'])
  const refused = await ask(project, { model: 'custom::a-b::c' })
  expect(String(refused.json.response.error)).toContain('does not exist')
  expectRefusal(await remove(project, 'a-b'), 404, 'a-b')
  expectInvalid(await remove(project, 'a b'), ['path', 'runtime_name'])
  await put(project, 'a-b', withModels('c'))
  expect((await ask(project, { model: 'custom::a-b::c' })).json.response.error).toBeUndefined()
})
