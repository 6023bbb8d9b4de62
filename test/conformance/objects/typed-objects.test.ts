import { describe, expect, test } from 'bun:test'
import type { Project } from '../support/project.ts'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { freshProject, ownServer, sharedServer } from '../support/target.ts'

const server = await sharedServer()

type Members = Record<string, unknown>

interface Receipt extends Members {
  digest: string
  object_id: string
  version_index: number
}

async function create(project: Project, family: string, body: Members): Promise<Receipt> {
  const answer = await project.client.post<Receipt>(project.v2(family), body)
  if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`)
  return answer.json
}

const send = (project: Project, family: string, tail: string) =>
  project.client.get<Members>(project.v2(`${family}/${tail}`))

async function read(project: Project, family: string, name: string, digest = 'latest'): Promise<Members> {
  const answer = await send(project, family, `${name}/versions/${digest}`)
  if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`)
  return answer.json
}

async function list(project: Project, family: string, query = ''): Promise<Members[]> {
  const answer = await project.client.get(project.v2(`${family}${query}`))
  expect(answer.headers.get('content-type')).toBe('application/jsonl')
  const lines = answer.text.split('\n').filter((line) => line !== '')
  return lines.map((line) => JSON.parse(line) as Members)
}

const remove = (project: Project, family: string, tail: string) =>
  project.client.delete<{ num_deleted: number }>(project.v2(`${family}/${tail}`))

/** The object as any client reads it. */
async function object(project: Project, name: string, digest = 'latest'): Promise<Members> {
  const body = { project_id: project.id, object_id: name, digest }
  const answer = await project.client.post<{ obj: { val: Members } }>('/obj/read', body)
  if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`)
  return answer.json.obj.val
}

const store = (project: Project, object_id: string, val: Members) =>
  project.client.post<{ digest: string }>('/obj/create', { obj: { project_id: project.id, object_id, val } })

const minimal: readonly (readonly [string, Members])[] = [
  ['ops', { source_code: 'def f(): pass' }],
  ['datasets', { rows: [{ a: 1 }] }],
  ['scorers', { op_source_code: 'def score(): pass' }],
  ['models', { source_code: 'class M: pass' }],
  ['evaluations', { dataset: 'ext:///e/p/object/d:1' }],
]

describe('typed objects', () => {
  test.each(minimal)('%s: versions, pages, deletion', async (family, body) => {
    const project = freshProject(server)
    const key = family === 'ops' ? 'source_code' : 'description'
    const first = await create(project, family, { ...body, name: 'My Thing/x<y>' })
    expect(first).toMatchObject({ object_id: 'my_thing_xy', version_index: 0 })
    expect(await create(project, family, { ...body, name: 'My Thing/x<y>' })).toEqual(first)
    const second = await create(project, family, { ...body, name: 'my_thing_xy', [key]: 'changed' })
    expect(second).toMatchObject({ object_id: 'my_thing_xy', version_index: 1 })
    for (const name of ['latest', 'v1', second.digest]) {
      expect(await read(project, family, 'my_thing_xy', name)).toMatchObject({
        digest: second.digest,
        version_index: 1,
      })
    }
    expect((await read(project, family, 'my_thing_xy'))['created_at']).toBeString()

    const digests = (await list(project, family))
      .filter((one) => one['object_id'] === 'my_thing_xy')
      .map((one) => one['digest'])
    expect(digests).toEqual(family === 'ops' ? [second.digest] : [first.digest, second.digest])
    const all = await list(project, family)
    expect(await list(project, family, '?limit=1&offset=1')).toEqual(all.slice(1, 2))
    expect(await list(project, family, '?limit=0')).toEqual([])

    expect((await remove(project, family, `my_thing_xy?digests=${first.digest}&digests=v0`)).json).toEqual({
      num_deleted: 1,
    })
    const deleted = await send(project, family, `my_thing_xy/versions/${first.digest}`)
    expectRefusal(deleted, 404)
    expect(deleted.json['deleted_at']).toBeString()
    expectRefusal(await remove(project, family, 'my_thing_xy?digests=latest&digests=v7'), 404)
    expect((await remove(project, family, 'my_thing_xy')).json).toEqual({ num_deleted: 1 })
    expectRefusal(await remove(project, family, 'my_thing_xy'), 404)
    expectRefusal(await send(project, family, 'my_thing_xy/versions/latest'), 404)
    expectRefusal(await send(project, family, 'unknown/versions/latest'), 404)
  })

  test.each(minimal)('%s: objects of another type are not found', async (family, body) => {
    const project = freshProject(server)
    await create(project, family, { ...body, name: 'thing' })
    for (const [other] of minimal) {
      if (other === family) continue
      expectRefusal(await send(project, other, 'thing/versions/latest'), 404, 'thing')
      expectRefusal(await remove(project, other, 'thing'), 404, 'thing')
      expectRefusal(await remove(project, other, 'thing?digests=latest'), 404, 'thing')
      expect((await list(project, other)).map((one) => one['object_id'])).not.toContain('thing')
    }
    expect(await read(project, family, 'thing')).toMatchObject({ object_id: 'thing' })
  })

  test('invalid object names are rejected', async () => {
    const project = freshProject(server)
    for (const [family, body] of minimal) {
      expectRefusal(await server.post(project.v2(family), { ...body, name: 'a:b' }), 422, '"a:b"')
      expectRefusal(await server.post(project.v2(family), { ...body, name: 'n'.repeat(129) }), 400, 'n…')
    }
    // Nor is anything of them stored.
    const { json } = await server.post('/files/query_stats', { project_id: project.id })
    expect(json).toEqual({ total_size_bytes: 0 })
    expectInvalid(await server.post(project.v2('datasets'), { rows: [1] }), ['body', 'rows', '0'])
    expectInvalid(await server.post(project.v2('scorers'), { op_source_code: '' }), ['body', 'name'])
    expectInvalid(await server.post(project.v2('models'), { name: 'm' }), ['body', 'source_code'])
    expectInvalid(await server.get(project.v2('scorers?limit=x')), ['query', 'limit'])
  })
})

test.each(minimal)('%s: names may be as long as those of any object', async (family, body) => {
  const project = freshProject(server)
  const name = '名'.repeat(128)
  const made = await create(project, family, { ...body, name })
  expect(await read(project, family, encodeURIComponent(name))).toMatchObject({ object_id: name, digest: made.digest })
})

describe('ops', () => {
  test('are readable by the client packages', async () => {
    const project = freshProject(server)
    const { digest } = await create(project, 'ops', { name: 'answer', source_code: 'def answer(): "é"' })
    const val = await object(project, 'answer', digest)
    expect(val).toEqual({ _type: 'CustomExtType', ext_type: { type: 'Op' }, files: { 'obj.py': expect.any(String) } })
    const file = (val['files'] as Members)['obj.py']
    const content = await server.post('/file/content', { project_id: project.id, digest: file })
    expect(content.text).toBe('def answer(): "é"')
    expect(await read(project, 'ops', 'answer')).toMatchObject({ code: 'def answer(): "é"' })
    expect((await send(project, 'ops', 'answer/versions/latest?eager=true')).status).toBe(200)
  })

  test('get a placeholder without name or source, and no code without a file', async () => {
    const project = freshProject(server)
    expect(await create(project, 'ops', {})).toMatchObject({ object_id: 'Op' })
    expect((await read(project, 'ops', 'Op'))['code']).toContain('def ')
    await store(project, 'bare', { _type: 'CustomExtType', ext_type: { type: 'Op' } })
    expect((await read(project, 'ops', 'bare'))['code']).toBe('')
  })
})

describe('datasets', () => {
  test('are interchangeable with the objects of the client packages', async () => {
    const project = freshProject(server)
    await create(project, 'datasets', { description: 'two rows', rows: [{ a: 1 }, { a: 2 }] })
    const table = '1c95cdc46a75d6e7e971986a80adfcd676dd22f2222a3405c7743f3db8df6785'
    const members = { name: 'Dataset', description: 'two rows', rows: `ext:///${project.id}/table/${table}` }
    expect(await object(project, 'Dataset')).toEqual({
      _type: 'Dataset',
      _class_name: 'Dataset',
      _bases: ['Object', 'BaseModel'],
      ...members,
    })
    expect(await read(project, 'datasets', 'Dataset')).toMatchObject(members)
    const rows = await server.post<{ rows: unknown[] }>('/table/query', { project_id: project.id, digest: table })
    expect(rows.json.rows).toHaveLength(2)
    const { name: _name, ...unnamed } = members
    await store(project, 'Traced', { _class_name: 'Sub', _bases: ['Dataset', 'Object', 'BaseModel'], ...unnamed })
    expect(await list(project, 'datasets')).toMatchObject([
      { object_id: 'Dataset' },
      { object_id: 'Traced', name: 'Traced' },
    ])
  })
})

describe('scorers', () => {
  test('refer to ops, which name the calls of their scores', async () => {
    const project = freshProject(server)
    const source = 'def score(): return 1'
    const { scorer, digest } = await create(project, 'scorers', { name: 'Exact', op_source_code: source })
    expect(scorer).toBe(`ext:///${project.id}/object/exact:${digest}`)
    const val = await object(project, 'exact')
    expect(val).toMatchObject({ _class_name: 'Scorer', name: 'Exact', description: null, column_map: null })
    expect(await read(project, 'scorers', 'exact')).toMatchObject({ name: 'Exact', score_op: val['score'] })
    expect(await read(project, 'ops', 'exact.score')).toMatchObject({ code: source })
    const body = { prediction_id: 'p', scorer, value: 1 }
    const { score_id } = (await server.post<{ score_id: string }>(project.v2('scores'), body)).json
    expect((await project.readExisting(score_id)).op_name).toBe(val['score'] as string)
  })
})

test('a deletion with a misspelt parameter deletes nothing', async () => {
  const project = freshProject(server)
  const { digest } = await create(project, 'ops', { name: 'f', source_code: 'def f(): pass' })
  expectInvalid(await remove(project, 'ops', `f?digest=${digest}`), ['query', 'digest'])
  expect(await read(project, 'ops', 'f')).toMatchObject({ digest })
})

test('an alias identifies a version in reads but not in deletions', async () => {
  const project = freshProject(server)
  const { digest } = await create(project, 'ops', { name: 'f', source_code: 'def f(): pass' })
  const body = { project_id: project.id, digest, aliases: ['prod'] }
  expect((await server.put('/objs/f/aliases', body)).status).toBe(200)
  expect(await read(project, 'ops', 'f', 'prod')).toMatchObject({ digest })
  expectRefusal(await remove(project, 'ops', 'f?digests=prod'), 404, 'prod')
  expect(await read(project, 'ops', 'f', 'prod')).toMatchObject({ digest })
})

describe('models', () => {
  test('keep their source and attributes', async () => {
    const project = freshProject(server)
    const attributes = { temperature: 0.5, tags: ['a'] }
    const made = await create(project, 'models', { name: 'Guesser', source_code: 'class Guesser: pass', attributes })
    expect(made['model_ref']).toBe(`ext:///${project.id}/object/guesser:${made.digest}`)
    expect(await object(project, 'guesser')).toMatchObject({ _class_name: 'Model', temperature: 0.5 })
    expect(await read(project, 'models', 'guesser')).toMatchObject({
      name: 'Guesser',
      source_code: 'class Guesser: pass',
      attributes,
    })
    await create(project, 'models', { name: 'plain', source_code: 'x' })
    expect((await read(project, 'models', 'plain'))['attributes']).toBeNull()
  })

  test('attributes must not collide with members', async () => {
    const project = freshProject(server)
    for (const name of ['name', '_type', 'files']) {
      const body = { name: 'm', source_code: 'x', attributes: { [name]: 1 } }
      expectRefusal(await server.post(project.v2('models'), body), 400, name)
    }
    const stats = await server.post('/files/query_stats', { project_id: project.id })
    expect(stats.json).toEqual({ total_size_bytes: 0 })
  })

  test('are listed with the right sources by concurrent requests', async () => {
    const project = freshProject(server)
    const numbers = Array.from({ length: 100 }, (_, index) => index)
    await Promise.all(numbers.map((at) => create(project, 'models', { name: `m${at}`, source_code: `# ${at % 7}` })))
    const lists = await Promise.all(numbers.slice(0, 6).map(() => list(project, 'models')))
    for (const models of lists) {
      expect(models).toHaveLength(100)
      const sources = models.map((model) => [model['object_id'], model['source_code']])
      expect(new Map(sources as [string, string][]).get('m50')).toBe('# 1')
    }
  })

  test('created by client packages return the source of their predict op', async () => {
    const project = freshProject(server)
    const { digest } = await create(project, 'ops', { name: 'M.predict', source_code: 'def predict(): pass' })
    const predict = `ext:///${project.id}/op/m.predict:${digest}`
    await store(project, 'M', { _class_name: 'M', _bases: ['Model', 'Object', 'BaseModel'], name: 'M', predict })
    expect(await read(project, 'models', 'M')).toMatchObject({
      source_code: 'def predict(): pass',
      attributes: { predict },
    })
  })
})

describe('evaluations', () => {
  test('are the objects that client packages read', async () => {
    const project = freshProject(server)
    const dataset = `ext:///${project.id}/object/d:1`
    const scorers = [`ext:///${project.id}/object/s:1`]
    const body = { name: 'Quiz', dataset, scorers, trials: 2, evaluation_name: 'run', eval_attributes: { team: 'x' } }
    const made = await create(project, 'evaluations', body)
    expect(made['evaluation_ref']).toBe(`ext:///${project.id}/object/quiz:${made.digest}`)
    const val = await object(project, 'quiz')
    expect(val).toMatchObject({ _class_name: 'Evaluation', dataset, scorers, trials: 2, team: 'x', metadata: null })
    expect(await read(project, 'evaluations', 'quiz')).toMatchObject({
      name: 'Quiz',
      description: null,
      dataset,
      scorers,
      trials: 2,
      evaluation_name: 'run',
      evaluate_op: val['evaluate'],
      predict_and_score_op: val['predict_and_score'],
      summarize_op: val['summarize'],
    })
    expect(val['predict_and_score']).toStartWith(`ext:///${project.id}/op/Evaluation.predict_and_score:`)
  })

  test('created by other clients may write numbers in any form', async () => {
    const project = freshProject(server)
    const content = `{"_type":"Evaluation","_class_name":"Evaluation","_bases":["Object","BaseModel"],"dataset":"d","scorers":[],"trials":3.0}`
    const body = `{"obj":{"project_id":"${project.id}","object_id":"e","val":${content}}}`
    expect((await server.postRaw('/obj/create', body)).status).toBe(200)
    expect(await read(project, 'evaluations', 'e')).toMatchObject({ trials: 3 })
  })

  test('reuse existing ops', async () => {
    const project = freshProject(server)
    const op = { _type: 'CustomExtType', ext_type: { type: 'Op' }, files: {} }
    const { digest } = (await store(project, 'Evaluation.evaluate', op)).json
    await create(project, 'evaluations', { name: 'quiz', dataset: 'd' })
    const { evaluate_op } = await read(project, 'evaluations', 'quiz')
    expect(evaluate_op).toBe(`ext:///${project.id}/op/Evaluation.evaluate:${digest}`)
  })
})

test('in the weave dialect refs and ops use its names', async () => {
  const { client } = await ownServer({ env: { TRACELAKE_DIALECT: 'weave' } })
  const project = freshProject(client)
  await create(project, 'ops', { name: 'f', source_code: 'x' })
  expect(await object(project, 'f')).toMatchObject({ _type: 'CustomWeaveType', weave_type: { type: 'Op' } })
  await create(project, 'datasets', { rows: [] })
  expect((await read(project, 'datasets', 'Dataset'))['rows']).toStartWith('weave:///')
  const { scorer } = await create(project, 'scorers', { name: 's', op_source_code: 'x' })
  expect(scorer).toStartWith('weave:///')
  expect((await read(project, 'scorers', 's'))['score_op']).toStartWith('weave:///')
})
