import { describe, expect, test } from 'bun:test'
import { exportOf, groupOf, newTraceId, send, spanOf } from '../support/otlp.ts'
import { Project } from '../support/project.ts'
import { freshProject, ownServer, sharedServer } from '../support/target.ts'

const client = await sharedServer()

async function store(project: Project, ...names: string[]): Promise<void> {
  const spans = names.map((name) => spanOf({ name }))
  const sent = await send(project.client, exportOf(groupOf(spans)), 'protobuf', { headers: { project_id: project.id } })
  expect(sent).toMatchObject({ status: 200, rejected: 0 })
}

interface Version {
  object_id: string
  digest: string
  kind: string
  version_index: number
  val: unknown
}

async function opsOf(project: Project): Promise<Version[]> {
  const body = { project_id: project.id, filter: { is_op: true }, sort_by: [{ field: 'object_id', direction: 'asc' }] }
  return (await project.client.post<{ objs: Version[] }>('/objs/query', body)).json.objs
}

const opNames = async (project: Project) => (await project.query()).map(({ op_name }) => op_name)

describe('the op of a span', () => {
  test('is created once per name and can be filtered by', async () => {
    const project = freshProject(client)
    await store(project, 'chat gpt-4o', 'chat gpt-4o', 'tool: weather / Oslo')
    await store(project, 'chat gpt-4o')
    const ops = await opsOf(project)
    expect(ops.map(({ object_id, kind, version_index }) => [object_id, kind, version_index])).toEqual([
      ['chat-gpt-4o', 'op', 0],
      ['tool-weather-Oslo', 'op', 0],
    ])
    const ref = `ext:///${project.id}/op/chat-gpt-4o:${ops[0]!.digest}`
    expect((await opNames(project)).filter((name) => name === ref)).toHaveLength(3)
    expect(await project.query({ filter: { op_names: [`ext:///${project.id}/op/chat-gpt-4o:*`] } })).toHaveLength(3)
    expect(await project.query({ filter: { op_names: [ref] } })).toHaveLength(3)
    expect((await client.post('/refs/read_batch', { refs: [ref] })).json).toMatchObject({
      vals: [{ _type: 'CustomExtType', ext_type: { type: 'Op' } }],
    })
  })

  test('has a name of its own where the name of the span cannot be that of an object', async () => {
    const project = freshProject(client)
    const traceId = newTraceId()
    const spans = ['chat gpt-4o', 'answer'].map((name) => spanOf({ name, traceId }))
    const sent = await send(client, exportOf(groupOf(spans)), 'protobuf', { headers: { project_id: project.id } })
    expect(sent.status).toBe(200)
    const names = (await project.query()).map(({ attributes }) => (attributes as { span_name?: string }).span_name)
    expect(new Set(names)).toEqual(new Set(['chat gpt-4o', undefined]))
    const trace = await client.post<{ ops: string[] }>('/trace/read', { project_id: project.id, trace_id: traceId })
    expect(trace.json.ops.toSorted()).toEqual(['answer', 'chat gpt-4o'])
  })

  test('is the latest version of an existing op with that name', async () => {
    const project = freshProject(client)
    const val = { _type: 'CustomExtType', ext_type: { type: 'Op' }, files: { 'obj.py': 'x' } }
    const obj = { project_id: project.id, object_id: 'answer', val }
    const { digest } = (await client.post<{ digest: string }>('/obj/create', { obj })).json
    await store(project, 'answer')
    expect(await opNames(project)).toEqual([`ext:///${project.id}/op/answer:${digest}`])
    expect(await opsOf(project)).toHaveLength(1)
  })

  test('is separate from an object with the same name', async () => {
    const project = freshProject(client)
    const obj = { project_id: project.id, object_id: 'answer', val: { a: 1 } }
    expect((await client.post('/obj/create', { obj })).status).toBe(200)
    await store(project, 'answer')
    expect(await opsOf(project)).toHaveLength(1)
  })

  test('may have a name in any script, truncated if too long', async () => {
    const project = freshProject(client)
    const long = `summarise ${'very '.repeat(40)}long`
    await store(project, 'Grüße an 東京', long, '///', '')
    const names = (await opsOf(project)).map(({ object_id }) => object_id)
    const traceNames = (await project.query()).map(({ summary }) => summary.ext['trace_name'])
    expect(traceNames).toContain('Grüße-an-東京')
    expect(names).toContain('Grüße-an-東京')
    expect(names).toContain('span')
    expect(names.find((name) => name.startsWith('summarise-very'))).toMatch(/^.{60,128}$/)
  })

  test('may be one of thousands', async () => {
    const project = freshProject(client)
    const names = Array.from({ length: 150 }, (_, index) => `GET /users/${index}`)
    await store(project, ...names)
    const refs = await opNames(project)
    expect(new Set(refs).size).toBe(150)
    for (const ref of refs) expect(ref).toStartWith(`ext:///${project.id}/op/GET-users-`)
    await store(project, ...names)
    await store(project, ...names)
    expect(await opsOf(project)).toHaveLength(150)
    expect(new Set(await opNames(project))).toEqual(new Set(refs))
  })

  test('may be in a project with spaces in its name', async () => {
    const project = new Project(client, `spaced ${crypto.randomUUID()}`, 'my project')
    await store(project, 'answer')
    const [name] = await opNames(project)
    expect(name).toStartWith(`ext:///${encodeURIComponent(project.entity)}/my%20project/op/answer:`)
  })
})

test('in the weave dialect op refs use its scheme', async () => {
  const server = await ownServer({ env: { TRACELAKE_DIALECT: 'weave' } })
  const project = freshProject(server.client)
  await store(project, 'answer')
  const [op] = await opsOf(project)
  expect(op?.val).toMatchObject({ _type: 'CustomWeaveType', weave_type: { type: 'Op' } })
  expect(await opNames(project)).toEqual([`weave:///${project.id}/op/answer:${op!.digest}`])
})
