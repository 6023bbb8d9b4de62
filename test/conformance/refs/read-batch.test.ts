import { describe, expect, test } from 'bun:test'
import { ProjectObjects } from '../support/objects.ts'
import { Project } from '../support/project.ts'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { Tables } from '../support/tables.ts'
import { freshProject, ownServer } from '../support/target.ts'

const server = await ownServer()
const vendor = await ownServer({ env: { TRACELAKE_DIALECT: 'weave' } })

const read = (refs: string[], client = server.client) => client.post<{ vals: unknown[] }>('/refs/read_batch', { refs })

async function valuesOf(...refs: string[]): Promise<unknown[]> {
  const answer = await read(refs)
  if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`)
  return answer.json.vals
}

const objects = new ProjectObjects(server.client)
const other = new ProjectObjects(server.client)
const refTo = (digest: string, tail = '', name = 'a', of = objects) =>
  `ext:///${of.projectId}/object/${name}:${digest}${tail}`

const odd = { '100% %GG': { '%': 'percent' }, '?q=1&r=2#f+': 'query', größe: 'umlaut' }
const content = { a: { 'b/c': [1, { d: 'x' }, null] }, n: null, t: 'text', '1': 2, ...odd }
const digest = await objects.create('a', content)

describe('refs/read_batch', () => {
  test('returns each ref in order, including repetitions', async () => {
    const [whole, part] = [refTo(digest), refTo(digest, '/attr/t')]
    expect(await valuesOf(part, whole, part)).toEqual(['text', content, 'text'])
    expect(await valuesOf()).toEqual([])
    expect((await read([whole])).text).toBe(`{"vals":[${JSON.stringify(content)}]}`)
  })

  test.each([
    ['/attr/a/key/b%2Fc/index/1/attr/d', 'x'],
    ['/key/a/attr/b%2Fc/index/0', 1],
    ['/key/1', 2],
    ['/attr/a/key/b%2Fc/index/2', null],
    ['/attr/a/key/b%2Fc/index/3', null],
    ['/attr/a/key/b%2Fc/index/-1', null],
    ['/attr/a/key/b%2Fc/index/-2/attr/d', 'x'],
    ['/attr/a/key/b%2Fc/index/-3', 1],
    ['/attr/a/key/b%2Fc/index/-4', null],
    // As Python's clients read them: what is no escape stands for itself.
    ['/key/100% %GG/key/%', 'percent'],
    ['/key/100%25%20%25GG/key/%25', 'percent'],
    ['/key/?q=1&r=2#f+', 'query'],
    ['/key/%3Fq%3D1%26r%3D2%23f%2B', 'query'],
    ['/key/größe', 'umlaut'],
    ['/key/gr%C3%B6%C3%9Fe', 'umlaut'],
    ['/attr/missing', null],
    ['/attr/missing/attr/x', null],
    ['/attr/n/attr/x', null],
    ['/attr/t/attr/length', null],
    ['/attr/t/index/0', null],
    ['/attr/__proto__', null],
    ['/attr/constructor/key/name', null],
    ['/attr/a/id/x', null],
  ])('the edges %s lead to %j', async (edges, value) => {
    expect(await valuesOf(refTo(digest, edges))).toEqual([value])
  })

  test('all spellings of a ref are equivalent', async () => {
    const internal = btoa(objects.projectId).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
    const tail = `object/a:${digest}/attr/t`
    const texts = [
      `weave:///${objects.projectId}/${tail}`,
      `ext-internal:///${internal}/${tail}`,
      `weave-trace-internal:///${internal}/${tail}`,
      `ext:///${objects.projectId}/op/a:${digest}/attr/t`,
    ]
    expect(await valuesOf(...texts)).toEqual(texts.map(() => 'text'))
  })

  test('refs along the path are followed, the last one is not', async () => {
    const inner = refTo(digest)
    const outer = await objects.create('outer', {
      model: `${inner}/attr/a`,
      away: refTo('x'.repeat(43), '', 'a', other),
    })
    const next = await objects.create('next', { outer: refTo(outer, '', 'outer'), latest: refTo('latest') })
    expect(await valuesOf(refTo(outer, '/attr/model', 'outer'))).toEqual([`${inner}/attr/a`])
    expect(await valuesOf(refTo(outer, '/attr/model/key/b%2Fc/index/0', 'outer'))).toEqual([1])
    expect(await valuesOf(refTo(next, '/attr/outer/attr/model/key/b%2Fc/index/0', 'next'))).toEqual([1])
    expect(await valuesOf(refTo(next, '/attr/latest/attr/t', 'next'))).toEqual(['text'])
    expect(await valuesOf(refTo(outer, '/attr/away/attr/t', 'outer'))).toEqual([null])
  })

  test('a cycle of refs terminates', async () => {
    const [b, c] = ['b', 'c'].map((name) => `ext:///${objects.projectId}/object/${name}:latest/attr/x`)
    const first = await objects.create('b', { x: c })
    await objects.create('c', { x: b })
    expect(await valuesOf(refTo(first, '/attr/x/attr/y', 'b'))).toEqual([null])
  })

  test('deleted objects are null, unknown ones reject the whole batch', async () => {
    const gone = await objects.create('gone', { x: 1 })
    await objects.delete('gone')
    expect(await valuesOf(refTo(gone, '', 'gone'), refTo(gone, '/attr/x', 'gone'), refTo(digest, '/attr/t'))).toEqual([
      null,
      null,
      'text',
    ])
    const [x, y] = ['x'.repeat(43), 'y'.repeat(43)]
    const answer = await read([refTo(y!), refTo(digest), refTo(x!), refTo(y!)])
    expectRefusal(answer, 404)
    expect((answer.json as unknown as Record<string, unknown>)['missing_object_digests']).toEqual([x, y])
    // Content of another name is not this object's.
    expectRefusal(await read([refTo(digest, '', 'b')]), 404)
  })

  test.each(['v0', 'prod', '*'])('the version %s is not a digest', async (version) => {
    await objects.setAliases('a', digest, 'prod')
    expectRefusal(await read([refTo(version)]), 404)
  })

  test.each([
    'text',
    '',
    'ext:///',
    'ext:///e/p/object/a',
    'ext:///e/p/object/a:b/attr',
    'ext:///e/p/object/a:b/other/x',
    'ext:///e/p/object/a%2Fb:c',
    'ext:///e/p/object/../a:b',
    'ext:///e/p/table/abc',
    'ext:///e/p/call/abc',
    'ext:///e/p/object/a:latest',
    'wandb-artifact:///e/p/a',
  ])('rejects %j, and the batch with it', async (ref) => {
    expectRefusal(await read([refTo(digest), ref]), 400)
  })

  test('accepts a thousand refs', async () => {
    const refs = Array.from({ length: 1001 }, () => refTo(digest, '/attr/t'))
    expect(await valuesOf(...refs.slice(1))).toEqual(Array.from({ length: 1000 }, () => 'text'))
    expectRefusal(await read(refs), 400, '1000')
    expectInvalid(await server.client.post('/refs/read_batch', { refs: [1] }), ['body', 'refs', '0'])
    expectInvalid(await server.client.post('/refs/read_batch', {}), ['body', 'refs'])
  })

  test('rejects a request whose response would repeat a large value too often', async () => {
    const large = await objects.create('large', { text: 'x'.repeat(1024 * 1024) })
    const refs = Array.from({ length: 300 }, () => refTo(large, '', 'large'))
    expectRefusal(await read(refs), 400, 'fewer')
    expect((await read(refs.slice(0, 3))).status).toBe(200)
  })

  test('reads several projects within the scope of the key', async () => {
    const away = await other.create('a', { t: 'away' })
    const refs = [refTo(away, '/attr/t', 'a', other), refTo(digest, '/attr/t')]
    expect(await valuesOf(...refs)).toEqual(['away', 'text'])
    const key = await server.createKey({ name: 'one', role: 'read', scope: objects.projectId })
    const narrow = server.client.withKey(key)
    expect((await read(refs.slice(1), narrow)).json.vals).toEqual(['text'])
    expectRefusal(await read(refs, narrow), 403)
    expectRefusal(await read([`ext:///no/such/object/a:b`], narrow), 403)
  })

  test('reads rows of tables by their digest', async () => {
    const [entity, name] = objects.projectId.split('/') as [string, string]
    const tables = new Tables(new Project(server.client, entity, name))
    const table = await tables.create([{ n: 1, m: 1.5 }, { n: 2 }])
    const dataset = await objects.create('dataset', { rows: `ext:///${objects.projectId}/table/${table.digest}`, n: 1 })
    const row = (rowDigest: string, tail = '') => refTo(dataset, `/attr/rows/id/${rowDigest}${tail}`, 'dataset')
    const [first, second] = table.row_digests as [string, string]
    expect(await valuesOf(row(second), row(first, '/key/m'), row(first, '/key/x'))).toEqual([{ n: 2 }, 1.5, null])
    expectRefusal(await read([row(first), row('x'.repeat(43))]), 404, 'row')
    expectRefusal(await read([refTo(dataset, '/attr/rows/index/0', 'dataset')]), 400, 'table')
    const elsewhere = await tables.create([{ n: 3 }])
    expectRefusal(await read([row(elsewhere.row_digests[0]!)]), 404)
  })
})

test('the weave dialect reads refs of either scheme', async () => {
  const there = new ProjectObjects(vendor.client, freshProject(vendor.client).id)
  const made = await there.create('a', { x: 1, wb_user_id: 'mine', ext_ref: 'mine' })
  for (const scheme of ['ext', 'weave']) {
    const ref = `${scheme}:///${there.projectId}/object/a:${made}`
    expect((await read([ref], vendor.client)).json.vals).toEqual([{ x: 1, wb_user_id: 'mine', ext_ref: 'mine' }])
  }
  const { obj } = (await there.askRead('a', 'v0')).json
  expect(Object.keys(obj)).toContain('wb_user_id')
  expect(obj.val).toEqual({ x: 1, wb_user_id: 'mine', ext_ref: 'mine' })
})
