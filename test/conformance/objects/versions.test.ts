import { describe, expect, test } from 'bun:test'
import { ProjectObjects } from '../support/objects.ts'
import { expectRefusal } from '../support/refusals.ts'
import { sharedServer } from '../support/target.ts'

const server = await sharedServer()

describe('versions', () => {
  test('are numbered from 0, and the newest is the latest', async () => {
    const objects = new ProjectObjects(server)
    await objects.createAll('a', 1, 2, 3)
    await objects.createAll('b', 1)
    expect(await objects.shown()).toEqual(['a:v0', 'a:v1', 'a:v2*', 'b:v0*'])
  })

  test('repeated content is the same version and becomes the latest', async () => {
    const objects = new ProjectObjects(server)
    const [first] = await objects.createAll('a', 1, 2, 3, 1)
    expect(await objects.shown()).toEqual(['a:v0*', 'a:v1', 'a:v2'])
    expect((await objects.read('a')).digest).toBe(first!)
  })

  test('deleted ones keep their number', async () => {
    const objects = new ProjectObjects(server)
    await objects.createAll('a', 1, 2, 3)
    expect(await objects.delete('a', 'v1')).toBe(1)
    expect(await objects.shown()).toEqual(['a:v0', 'a:v2*'])
    await objects.create('a', 4)
    expect(await objects.shown()).toEqual(['a:v0', 'a:v2', 'a:v3*'])
  })

  test('recreated content keeps its number and becomes the latest', async () => {
    const objects = new ProjectObjects(server)
    await objects.createAll('a', 1, 2, 3)
    await objects.delete('a', 'v0')
    await objects.create('a', 1)
    expect(await objects.shown()).toEqual(['a:v1', 'a:v2', 'a:v0*'])
    expect((await objects.read('a', 'v0')).val).toBe(1)
  })

  test('recreated content has the creation time of the second request', async () => {
    const objects = new ProjectObjects(server)
    await objects.create('a', 1)
    const { created_at: first } = await objects.read('a')
    await objects.create('a', 1)
    expect((await objects.read('a')).created_at).toBe(first)
    await objects.delete('a')
    await objects.create('a', 1)
    expect(Date.parse((await objects.read('a')).created_at)).toBeGreaterThanOrEqual(Date.parse(first))
    expect((await objects.read('a')).created_at).not.toBe(first)
  })

  test('after deleting the latest, the newest remaining version is the latest', async () => {
    const objects = new ProjectObjects(server)
    await objects.createAll('a', 1, 2, 3, 1, 2)
    await objects.delete('a', 'latest')
    expect(await objects.shown()).toEqual(['a:v0', 'a:v2*'])
    await objects.create('a', 4)
    await objects.delete('a', 'latest')
    expect(await objects.shown()).toEqual(['a:v0', 'a:v2*'])
  })

  test('recreated content is newer than what was created before, whatever its number', async () => {
    const objects = new ProjectObjects(server)
    await objects.createAll('a', 1, 2)
    await objects.delete('a', 'v0')
    await objects.createAll('a', 1, 3)
    await objects.delete('a', 'latest')
    expect(await objects.shown()).toEqual(['a:v1', 'a:v0*'])
  })

  test('an op and an object with the same name are numbered separately', async () => {
    const objects = new ProjectObjects(server)
    await objects.createAll('a', { _type: 'Op', n: 1 }, { n: 1 }, { _type: 'Op', n: 2 })
    expect(await objects.shown({ is_op: true })).toEqual(['a:v0', 'a:v1*'])
    expect(await objects.shown({ is_op: false })).toEqual(['a:v0*'])
    // By name alone the one that was used last is meant.
    expect((await objects.read('a')).val).toEqual({ _type: 'Op', n: 2 })
    expect((await objects.read('a', 'v0')).val).toEqual({ n: 1 })
  })
})

describe('obj/read', () => {
  test('finds a version by digest, number and latest', async () => {
    const objects = new ProjectObjects(server)
    const [first, second] = await objects.createAll('a', { x: 1 }, { x: 2 })
    for (const digest of [first!, 'v0', 'v00', 'v+0']) expect((await objects.read('a', digest)).digest).toBe(first!)
    for (const digest of [second!, 'v1', 'latest']) expect((await objects.read('a', digest)).digest).toBe(second!)
    expect(await objects.read('a', 'v0')).toMatchObject({
      project_id: objects.projectId,
      object_id: 'a',
      deleted_at: null,
      version_index: 0,
      is_latest: 0,
      kind: 'object',
      base_object_class: null,
      leaf_object_class: null,
      val: { x: 1 },
      size_bytes: null,
      tags: null,
      aliases: null,
    })
  })

  test.each([
    'v2',
    'v-1',
    'v99999999999999999999999',
    'v',
    'V0',
    'Latest',
    '',
    '../a',
    '%00',
    "'; --",
    'b',
    'x'.repeat(43),
    '0'.repeat(64),
  ])('returns 404 for the version %j', async (digest) => {
    const objects = new ProjectObjects(server)
    await objects.createAll('a', 1, 2)
    expectRefusal(await objects.askRead('a', digest), 404, 'not found')
  })

  test.each(['b', '', '../a', 'a/', 'a:v0', '%61'])('returns 404 for the name %j', async (name) => {
    const objects = new ProjectObjects(server)
    await objects.create('a', 1)
    expectRefusal(await objects.askRead(name, 'latest'), 404, 'not found')
  })

  test('returns 404 with the deletion time for a deleted version', async () => {
    const objects = new ProjectObjects(server)
    const [, second] = await objects.createAll('a', 1, 2)
    await objects.delete('a', second!)
    for (const digest of [second!, 'v1']) {
      const answer = await objects.askRead('a', digest)
      expectRefusal(answer, 404, 'a:v1', 'deleted')
      const { deleted_at } = answer.json as unknown as { deleted_at: string }
      expect(Date.parse(deleted_at)).toBeGreaterThan(0)
      expect(answer.text).toContain(deleted_at)
    }
    await objects.delete('a')
    expectRefusal(await objects.askRead('a', 'latest'), 404, 'not found')
  })

  test('omits the content in a metadata-only read', async () => {
    const objects = new ProjectObjects(server)
    await objects.create('a', [1])
    expect((await objects.read('a', 'v0', { metadata_only: true })).val).toEqual({})
    expect((await objects.query({}, { metadata_only: true }))[0]!.val).toEqual({})
  })

  test('does not return versions of another project', async () => {
    const [one, other] = [new ProjectObjects(server), new ProjectObjects(server)]
    const digest = await one.create('a', 1)
    expectRefusal(await other.askRead('a', digest), 404)
    expect(await other.query()).toEqual([])
    expectRefusal(await other.askDelete('a'), 404)
    expect(await one.shown()).toEqual(['a:v0*'])
  })
})

describe('obj/delete', () => {
  test('deletes every version, or the given ones', async () => {
    const objects = new ProjectObjects(server)
    const [first, second] = await objects.createAll('a', 1, 2, 3, 4)
    const answer = await objects.askDelete('a', [first!, 'v1', 'v1', 'latest'])
    expect(answer.json.num_deleted).toBe(3)
    expect(answer.json.deleted_versions.slice(0, 2)).toEqual([
      { digest: first!, base_object_class: null, leaf_object_class: null },
      { digest: second!, base_object_class: null, leaf_object_class: null },
    ] as never)
    expect(await objects.delete('a')).toBe(1)
    expect(await objects.query()).toEqual([])
  })

  test('counts a version once if two digests name it', async () => {
    const objects = new ProjectObjects(server)
    const [, second] = await objects.createAll('a', 1, 2)
    expect(await objects.delete('a', 'latest', second!, 'v1')).toBe(1)
  })

  test('reports missing versions and the maximum number of digests', async () => {
    const objects = new ProjectObjects(server)
    const [first, second] = await objects.createAll('a', 1, 2)
    const words = "Delete request contains 3 digests, but found 2 objects to delete. Diff digests: {'nothing'}"
    expectRefusal(await objects.askDelete('a', [first!, 'nothing', second!]), 404, 'Obj a:nothing not found', words)
    const many = Array.from({ length: 101 }, (_, index) => `v${index}`)
    expectRefusal(await objects.askDelete('a', many), 400, '101', 'Please delete 100 or fewer objects at a time')
  })

  test('deletes nothing if one of the versions is missing', async () => {
    const objects = new ProjectObjects(server)
    await objects.createAll('a', 1, 2)
    for (const digests of [['v0', 'v7'], ['v0', 'nothing'], ['x'.repeat(43)]]) {
      expectRefusal(await objects.askDelete('a', digests), 404)
    }
    expect(await objects.shown()).toEqual(['a:v0', 'a:v1*'])
    expectRefusal(await objects.askDelete('b'), 404)
    await objects.delete('a', 'v0')
    expectRefusal(await objects.askDelete('a', ['v0']), 404)
    expect(await objects.delete('a', ...[])).toBe(1)
    expectRefusal(await objects.askDelete('a'), 404)
  })

  test('accepts up to 100 digests', async () => {
    const objects = new ProjectObjects(server)
    const names = Array.from({ length: 101 }, (_, n) => `v${n}`)
    expectRefusal(await objects.askDelete('a', names), 400, '100')
    expectRefusal(await objects.askDelete('a', names.slice(1)), 404)
  })
})

test('hundreds of versions of one object', async () => {
  const objects = new ProjectObjects(server)
  for (let from = 0; from < 300; from += 100) {
    await Promise.all(
      Array.from({ length: 100 }, (_, n) => objects.create('a', { n: from + n, text: 'x'.repeat(200) })),
    )
  }
  const all = await objects.query()
  expect(all.map((obj) => obj.version_index)).toEqual(Array.from({ length: 300 }, (_, n) => n))
  expect(await objects.shown({ latest_only: true })).toEqual(['a:v299*'])
  expect((await objects.read('a', 'v250')).digest).toBe(all[250]!.digest)
  expect(await objects.delete('a')).toBe(300)
}, 300_000)

describe('an op and an object with the same name', () => {
  const op = (n: number) => ({ _type: 'CustomExtType', ext_type: { type: 'Op' }, files: { n } })

  test('are numbered separately; deleting a version number deletes the later written one', async () => {
    for (const name of ['latest', 'v0']) {
      const objects = new ProjectObjects(server)
      await objects.createAll('shared', { n: 1 }, op(1))
      expect((await objects.shown()).sort()).toEqual(['shared:v0*', 'shared:v0*'])
      expect(await objects.delete('shared', name)).toBe(1)
      expect((await objects.query()).map(({ kind }) => kind)).toEqual(['object'])
      expect(await objects.delete('shared', name)).toBe(1)
      expect(await objects.query()).toEqual([])
    }
  })

  test('are both deleted without a digest, and individually by digest', async () => {
    const objects = new ProjectObjects(server)
    const [object] = await objects.createAll('shared', { n: 1 }, op(1), op(2), { n: 2 })
    expect(await objects.delete('shared', object!, 'v1', 'latest')).toBe(2)
    expect((await objects.query()).map(({ kind, version_index }) => [kind, version_index])).toEqual([
      ['op', 0],
      ['op', 1],
    ])
    expect(await objects.delete('shared')).toBe(2)
  })
})
