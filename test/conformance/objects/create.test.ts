import { describe, expect, test } from 'bun:test'
import vectors from '../../../src/runtime/python-json.vectors.json'
import { ProjectObjects } from '../support/objects.ts'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const server = await sharedServer()

describe('obj/create with `expected_latest_digest`', () => {
  test('stores a version only if no other one came first', async () => {
    const objects = new ProjectObjects(server)
    const made = await objects.askCreate('thing', { n: 0 }, { expected_latest_digest: '' })
    expect(made.status).toBe(200)
    const first = made.json.digest
    const second = await objects.create('thing', { n: 1 }, { expected_latest_digest: first })
    const late = await objects.askCreate('thing', { n: 2 }, { expected_latest_digest: first })
    expect(late.status).toBe(409)
    expect(late.json).toMatchObject({
      error_type: 'VersionConflict',
      latest_digest: second,
      latest_version_index: 1,
    })
    expect((await objects.askCreate('thing', { n: 2 }, { expected_latest_digest: '' })).status).toBe(409)
    expect((await objects.askCreate('other', { n: 2 }, { expected_latest_digest: first })).status).toBe(409)
    expect(await objects.shown()).toEqual(['thing:v0', 'thing:v1*'])
  })

  test('lets one of two writers win', async () => {
    const objects = new ProjectObjects(server)
    const first = await objects.create('thing', { n: 0 })
    const answers = await Promise.all(
      [1, 2, 3].map((n) => objects.askCreate('thing', { n }, { expected_latest_digest: first })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  })

  test('accepts a request that is repeated', async () => {
    const objects = new ProjectObjects(server)
    const first = await objects.create('thing', { n: 0 })
    for (let time = 0; time < 2; time++)
      expect((await objects.askCreate('thing', { n: 1 }, { expected_latest_digest: first })).status).toBe(200)
    expect(await objects.shown()).toEqual(['thing:v0', 'thing:v1*'])
  })
})

describe('obj/create', () => {
  test.each([
    ['{"a":1}', 'XdhgKMbg1k4iUYb5astpM4ssWXZN95FiEH9cS7NNExA'],
    ['{"b":1,"a":2}', 'IVAduvcYUiOTTSIoPwHKY0EyvB3kqVUMHtDfYrOXoyM'],
    ['{"a":1.0}', 'dCYJsgfwkAqOLf866DrEeUGvXCm7brXylYTKfdY9g1Q'],
    ['{"é":"😀"}', 'JgXS6NYIYgFiDJib0b6rtl8qPb6q4S1A8Z7hRk6YJB4'],
    ['null', 'dCNOmKYnSYX12vHzasLXiswzlGT5UHA7jAGYkvmCuQs'],
  ])('returns the digest that Python computes for %s', async (text, digest) => {
    const objects = new ProjectObjects(server)
    expect(await objects.createText('thing', text)).toBe(digest)
  })

  test.each(vectors.filter(({ text }) => !text.includes('e400')))('and for %j', async ({ text, digest }) => {
    const objects = new ProjectObjects(server)
    expect(await objects.createText('thing', text)).toBe(digest)
    expect((await objects.read('thing', digest)).digest).toBe(digest)
  })

  test('member order at any depth does not create a version; the last order sent is returned', async () => {
    const objects = new ProjectObjects(server)
    const digest = await objects.createText('thing', '{"b":[{"d":1,"c":2}],"a":{"10":1,"9":2}}')
    const turned = '{"a":{"9":2,"10":1},"b":[{"c":2,"d":1}]}'
    expect(await objects.createText('thing', turned)).toBe(digest)
    expect(await objects.shown()).toEqual(['thing:v0*'])
    expect((await objects.askRead('thing', digest)).text).toContain(`"val":${turned}`)
    const expected = { expected_digest: digest }
    expect(await objects.create('thing', { b: [{ d: 1, c: 2 }], a: { 9: 2, 10: 1 } }, expected)).toBe(digest)
  })

  test('lone surrogates are digested as they are stored', async () => {
    const objects = new ProjectObjects(server)
    const digest = await objects.createText('thing', '{"\\ud800":1,"\\ud83d\\ude00":2}')
    expect(digest).toBe(await objects.createText('thing', '{"\ud83d\ude00":2,"\ufffd":1}'))
  })

  test('stores content verbatim: numbers, member order, any text', async () => {
    const objects = new ProjectObjects(server)
    const text = '{"b":1.0,"2":[12345678901234567890,{"10":1e-7,"9":-0.0}],"1":"\\u0000 ü 😀","__proto__":{"a":null}}'
    await objects.createText('thing', text)
    expect((await objects.askRead('thing', 'latest')).text).toContain(`"val":${text}`)
    expect((await objects.askQuery()).text).toContain(`"val":${text}`)
  })

  test('the digest depends on the content alone', async () => {
    const [one, other] = [new ProjectObjects(server), new ProjectObjects(server)]
    expect(await one.create('a', { x: 1 })).toBe(await other.create('b', { x: 1 }))
  })

  test('refs to this and other projects are digested with the internal project id', async () => {
    const objects = new ProjectObjects(server)
    const [entity, project] = objects.projectId.split('/')
    const internal = btoa(objects.projectId).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
    const digest = await objects.create('a', { at: `ext:///${entity}/${project}/object/x:y` })
    expect(await objects.create('b', { at: `ext-internal:///${internal}/object/x:y` })).toBe(digest)
    const hash = new Bun.CryptoHasher('sha256').update(`{"at": "ext-internal:///${internal}/object/x:y"}`)
    expect(digest).toBe(hash.digest('base64url').replaceAll('-', 'X').replaceAll('_', 'Y'))
    for (const name of ['a', 'b']) {
      expect((await objects.read(name)).val).toEqual({ at: `ext:///${objects.projectId}/object/x:y` })
    }
  })

  test.each(['ext:///', 'ext:///only', 'weave:///e/p', 'ext:///e/p/', 'ext-internal:///!!/object/a:b'])(
    'rejects content with the broken ref %s',
    async (ref) => {
      const objects = new ProjectObjects(server)
      expectRefusal(await objects.askCreate('a', { deep: [{ ref }] }), 400, ref)
      expectRefusal(await objects.askRead('a', 'latest'), 404)
    },
  )

  test('rejects a digest other than the expected one, and stores nothing', async () => {
    const objects = new ProjectObjects(server)
    expectRefusal(await objects.askCreate('a', { x: 1 }, { expected_digest: 'other' }), 409, 'other')
    expect(await objects.query()).toEqual([])
    const digest = await objects.create('a', { x: 1 })
    expect(await objects.create('a', { x: 1 }, { expected_digest: digest })).toBe(digest)
  })

  test.each(['größe', 'a.b-c_d', '名前', '..', '.', 'a'.repeat(128), '0'])('accepts the name %s', async (name) => {
    const objects = new ProjectObjects(server)
    await objects.create(name, 1)
    expect((await objects.read(name)).object_id).toBe(name)
  })

  test.each(['', 'a/b', 'a:b', '../a', 'a b', 'a%2Fb', 'a\n', '😀', '*'])('rejects the name %j', async (name) => {
    expectRefusal(await new ProjectObjects(server).askCreate(name, 1), 422, 'name')
  })

  test('rejects a name of 129 characters', async () => {
    expectRefusal(await new ProjectObjects(server).askCreate('a'.repeat(129), 1), 400, '128')
  })

  test('requires a project, a name and content', async () => {
    expectInvalid(await server.post('/obj/create', { obj: {} }), ['body', 'obj', 'project_id'], ['body', 'obj', 'val'])
    expectInvalid(await server.post('/obj/create', {}), ['body', 'obj'])
  })

  test('sets the creator of the version, whatever the client sends', async () => {
    const objects = new ProjectObjects(server)
    await objects.create('a', 1, { ext_user_id: 'somebody', unknown_member: 1 })
    expect((await objects.read('a')).ext_user_id).not.toBe('somebody')
  })

  test.each([
    [{ _type: 'Op' }, 'op'],
    [{ _type: 'CustomExtType', ext_type: { type: 'Op' }, files: {} }, 'op'],
    [{ _type: 'CustomWeaveType', weave_type: { type: 'Op' } }, 'op'],
    [{ _type: 'Op', weave_type: { type: 'PIL.Image' } }, 'object'],
    [{ _type: 'Dataset' }, 'object'],
    [{ weave_type: { type: 'Op' } }, 'object'],
    ['Op', 'object'],
    [[{ _type: 'Op' }], 'object'],
  ])('%j has the kind %s', async (val, kind) => {
    const objects = new ProjectObjects(server)
    await objects.create('a', val)
    expect((await objects.read('a')).kind).toBe(kind)
  })

  test('versions of a name and kind share their base class', async () => {
    const objects = new ProjectObjects(server)
    const model = { _class_name: 'MyModel', _bases: ['Model', 'Object', 'BaseModel'] }
    const digest = await objects.create('a', model)
    const answer = await objects.askCreate('a', { plain: 1 })
    expectRefusal(answer, 400, 'Model')
    expect(answer.json).toMatchObject({
      error_type: 'ObjectNameTypeCollision',
      object_id: 'a',
      kind: 'object',
      new_base_object_class: null,
      existing_base_object_classes: ['Model'],
    })
    expect(await objects.shown()).toEqual(['a:v0*'])
    await objects.create('a', { ...model, _class_name: 'Other' })
    await objects.create('a', { _type: 'Op' })
    await objects.delete('a', digest, 'v1')
    await objects.create('a', { plain: 1 })
  })

  test('twenty concurrent versions get twenty numbers', async () => {
    const objects = new ProjectObjects(server)
    const digests = await Promise.all(Array.from({ length: 20 }, (_, n) => objects.create('a', { n: n % 10, m: n })))
    const objs = await objects.query()
    expect(objs.map((obj) => obj.version_index).sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, n) => n))
    expect(new Set(objs.map((obj) => obj.digest))).toEqual(new Set(digests))
    expect(objs.filter((obj) => obj.is_latest === 1)).toHaveLength(1)
  })

  test('the same content sent concurrently is one version', async () => {
    const objects = new ProjectObjects(server)
    await Promise.all(Array.from({ length: 10 }, () => objects.create('a', { x: 1 })))
    expect(await objects.shown()).toEqual(['a:v0*'])
  })

  test('requires write access to the project', async () => {
    const { id } = freshProject(server)
    const body = { obj: { project_id: id, object_id: 'a', val: 1 } }
    expect((await server.post('/obj/create', body, { key: null })).status).toBe(401)
  })
})
