import { describe, expect, test } from 'bun:test'
import { ProjectObjects } from '../support/objects.ts'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { sharedServer } from '../support/target.ts'

const server = await sharedServer()

test('aliases with `from_digest` move only from there', async () => {
  const objects = new ProjectObjects(server)
  const [first, second, third] = (await objects.createAll('a', 1, 2, 3)) as [string, string, string]
  const move = (digest: string, from_digest: string) =>
    objects.client.put('/objs/a/aliases', {
      project_id: objects.projectId,
      digest,
      aliases: ['production'],
      from_digest,
    })
  expectRefusal(await move(second, first), 409, 'points to no version')
  expect((await move(first, '')).status).toBe(200)
  expect((await move(second, first)).status).toBe(200)
  expectRefusal(await move(third, first), 409, second)
  expectRefusal(await move(third, ''), 409, second)
  expect((await objects.read('a', 'production')).digest).toBe(second)
})

describe('tags', () => {
  test('are added to and removed from a version', async () => {
    const objects = new ProjectObjects(server)
    const [first, second] = (await objects.createAll('a', 1, 2)) as [string, string]
    const answer = await objects.askAddTags('a', first, ['b', 'a', 'b', 'two words', 'größe-1', 'latest', 'v0'])
    expect([answer.status, answer.text]).toEqual([200, '{}'])
    await objects.addTags('a', first, 'a')
    await objects.addTags('a', second, 'b')
    expect(await objects.labels('a')).toEqual([
      [['a', 'b', 'größe-1', 'latest', 'two words', 'v0'], []],
      [['b'], ['latest']],
    ])
    expect(await objects.tags()).toEqual(['a', 'b', 'größe-1', 'latest', 'two words', 'v0'])
    expect((await objects.askRemoveTags('a', first, ['a', 'b', 'v0', 'not there', 'x/y', ''])).text).toBe('{}')
    expect(await objects.labels('a')).toEqual([
      [['größe-1', 'latest', 'two words'], []],
      [['b'], ['latest']],
    ])
  })

  test('filter versions by any of several', async () => {
    const objects = new ProjectObjects(server)
    const [first, , third] = (await objects.createAll('a', 1, 2, 3)) as [string, string, string]
    await objects.addTags('a', first, 'x', 'y')
    await objects.addTags('a', third, 'z')
    expect(await objects.shown({ tags: ['y', 'z'] })).toEqual(['a:v0', 'a:v2*'])
    expect(await objects.shown({ tags: ['x'], latest_only: true })).toEqual([])
  })

  test.each(['', ' ', ' a', 'a ', 'a  b', 'a/b', 'a:b', 'a.b', 'a\tb', '😀', 'x'.repeat(257)])(
    'rejects the tag %j',
    async (tag) => {
      const objects = new ProjectObjects(server)
      const digest = await objects.create('a', 1)
      expectRefusal(await objects.askAddTags('a', digest, ['fine', tag]), 400, 'tag')
      expect(await objects.tags()).toEqual([])
    },
  )

  test('require the digest of a version that is not deleted', async () => {
    const objects = new ProjectObjects(server)
    const [first] = (await objects.createAll('a', 1, 2)) as [string]
    for (const [name, digest] of [
      ['a', 'latest'],
      ['a', 'v0'],
      ['b', first],
      ['a', 'x'.repeat(43)],
    ] as const) {
      expectRefusal(await objects.askAddTags(name, digest, ['t']), 404)
      expectRefusal(await objects.askAddTags(name, digest, []), 404)
      expect((await objects.askRemoveTags(name, digest, ['t'])).status).toBe(200)
    }
    await objects.delete('a', first)
    expectRefusal(await objects.askAddTags('a', first, ['t']), 404)
    expect((await objects.askAddTags('a', await objects.create('a', 3), [])).status).toBe(200)
  })

  test('a name or digest with path characters affects nothing else', async () => {
    const objects = new ProjectObjects(server)
    const digest = await objects.create('a', 1)
    await objects.addTags('a', digest, 't')
    for (const [name, version] of [
      [`a/${digest}`, 't'],
      ['a', `${digest}/t`],
      ['tag/a', digest],
      ['a%2F', digest],
    ] as const) {
      expect((await objects.askRemoveTags(name, version, ['t', `${digest}/t`])).status).toBe(200)
    }
    expect(await objects.tags()).toEqual(['t'])
  })

  test('must be strings, at most a thousand per request', async () => {
    const objects = new ProjectObjects(server)
    const digest = await objects.create('a', 1)
    expectInvalid(await objects.askAddTags('a', digest, 'text'), ['body', 'tags'])
    expectInvalid(await objects.askAddTags('a', digest, [1]), ['body', 'tags', '0'])
    const tags = Array.from({ length: 1001 }, (_, n) => `t${n}`)
    expectRefusal(await objects.askAddTags('a', digest, tags), 400, '1000')
    await objects.addTags('a', digest, ...tags.slice(1))
    expect(await objects.tags()).toHaveLength(1000)
  })
})

describe('aliases', () => {
  test('point at a version and can be moved', async () => {
    const objects = new ProjectObjects(server)
    const [first, second] = (await objects.createAll('a', 1, 2)) as [string, string]
    await objects.create('b', 1)
    await objects.setAliases('a', first, 'prod', 'any.thing (1)', 'prod')
    await objects.setAliases('b', first, 'prod')
    expect(await objects.labels('a')).toEqual([
      [[], ['any.thing (1)', 'prod']],
      [[], ['latest']],
    ])
    expect((await objects.read('a', 'prod')).digest).toBe(first)
    await objects.setAliases('a', second, 'prod')
    expect((await objects.read('a', 'prod')).digest).toBe(second)
    expect((await objects.read('b', 'prod')).digest).toBe(first)
    expect(await objects.labels('a')).toEqual([
      [[], ['any.thing (1)']],
      [[], ['latest', 'prod']],
    ])
    expect(await objects.shown({ aliases: ['prod', 'other'] })).toEqual(['a:v1*', 'b:v0*'])
    expect(await objects.shown({ aliases: ['any.thing (1)', 'latest'] })).toEqual(['a:v0', 'a:v1*', 'b:v0*'])
    expect(await objects.aliases()).toEqual(['any.thing (1)', 'latest', 'prod'])
    expect((await objects.askRemoveAliases('a', ['prod', 'not there'])).text).toBe('{}')
    expectRefusal(await objects.askRead('a', 'prod'), 404, 'not found')
    expect(await objects.aliases()).toEqual(['any.thing (1)', 'latest', 'prod'])
  })

  test.each(['', '  ', '\t', 'a/b', 'a:b', 'latest', 'v0', 'v12', 'x'.repeat(129)])(
    'rejects the alias %j',
    async (alias) => {
      const objects = new ProjectObjects(server)
      const digest = await objects.create('a', 1)
      expectRefusal(await objects.askSetAliases('a', digest, ['fine', alias]), 400, 'alias')
      expectRefusal(await objects.askRemoveAliases('a', [alias]), 400, 'alias')
      expect(await objects.aliases()).toEqual(['latest'])
    },
  )

  test.each(['.', '..', '%2e', 'v', 'v0a', 'Latest', '名前', 'a b', "'; --", '<a>'])(
    'accepts the alias %j',
    async (alias) => {
      const objects = new ProjectObjects(server)
      const digest = await objects.create('a', 1)
      await objects.setAliases('a', digest, alias)
      expect((await objects.read('a', alias)).digest).toBe(digest)
    },
  )

  test('a text that reads as a digest or a version number is rejected as an alias', async () => {
    const objects = new ProjectObjects(server)
    const digest = await objects.create('a', 1)
    for (const alias of ['x'.repeat(43), '0'.repeat(64), digest, 'v+1', 'v-0', 'v007']) {
      expectRefusal(await objects.askSetAliases('a', digest, ['fine', alias]), 400, 'alias')
    }
    expect(await objects.aliases()).toEqual(['latest'])
    expect((await objects.askRemoveAliases('a', ['x'.repeat(43)])).status).toBe(200)
    for (const alias of ['x'.repeat(42), 'x'.repeat(44), 'g'.repeat(64), 'v+', 'v1_0']) {
      await objects.setAliases('a', digest, alias)
      expect((await objects.read('a', alias)).digest).toBe(digest)
    }
  })

  test('require the digest of a version that is not deleted', async () => {
    const objects = new ProjectObjects(server)
    const digest = await objects.create('a', 1)
    await objects.setAliases('a', digest, 'prod')
    for (const [name, version] of [
      ['a', 'latest'],
      ['a', 'v0'],
      ['a', 'prod'],
      ['b', digest],
    ] as const) {
      expectRefusal(await objects.askSetAliases(name, version, ['x']), 404)
      expectRefusal(await objects.askSetAliases(name, version, []), 404)
    }
    expect((await objects.askRemoveAliases('b', ['prod'])).status).toBe(200)
    expect((await objects.askRemoveAliases('b', [])).status).toBe(200)
    expect(await objects.aliases()).toEqual(['latest', 'prod'])
  })

  test('are not resolved when versions are deleted', async () => {
    const objects = new ProjectObjects(server)
    const digest = await objects.create('a', 1)
    await objects.setAliases('a', digest, 'prod')
    expectRefusal(await objects.askDelete('a', ['prod']), 404)
  })
})

test('labels are deleted with their version and not restored with it', async () => {
  const objects = new ProjectObjects(server)
  const [first, second] = (await objects.createAll('a', 1, 2)) as [string, string]
  await objects.addTags('a', first, 'only', 'both')
  await objects.addTags('a', second, 'both')
  await objects.setAliases('a', first, 'old')
  await objects.setAliases('a', second, 'new')
  await objects.delete('a', first)
  expect([await objects.tags(), await objects.aliases()]).toEqual([['both'], ['latest', 'new']])
  expectRefusal(await objects.askRead('a', 'old'), 404, 'not found')
  await objects.create('a', 1)
  expect(await objects.labels('a')).toEqual([
    [['both'], ['new']],
    [[], ['latest']],
  ])
  await objects.delete('a')
  expect([await objects.tags(), await objects.aliases()]).toEqual([[], []])
})

test('labels of another project are not visible', async () => {
  const [one, other] = [new ProjectObjects(server), new ProjectObjects(server)]
  const digest = await one.create('a', 1)
  await other.create('a', 1)
  await one.addTags('a', digest, 't')
  await one.setAliases('a', digest, 'x')
  expect([await other.tags(), await other.aliases()]).toEqual([[], ['latest']])
  expect(await other.labels('a')).toEqual([[[], ['latest']]])
  expectRefusal(await other.askRead('a', 'x'), 404)
})

test('listing labels requires a project', async () => {
  for (const path of ['/tags', '/aliases']) {
    expectInvalid(await server.get(path), ['query', 'project_id'])
    expectInvalid(await server.get(`${path}?project_id=one`), ['query', 'project_id'])
    expect((await server.get(`${path}?project_id=a/b`, { key: null })).status).toBe(401)
  }
})
