import { describe, expect, test } from 'bun:test'
import process from 'node:process'
import { ProjectObjects } from '../support/objects.ts'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { sharedServer } from '../support/target.ts'

const server = await sharedServer()
const objects = new ProjectObjects(server)
const of = (leaf: string, base: string, n: number) => ({
  _type: leaf,
  n,
  _class_name: leaf,
  _bases: leaf === base ? ['Object', 'BaseModel'] : [base, 'Object', 'BaseModel'],
})
await objects.createAll('model', of('Fast', 'Model', 1), of('Slow', 'Model', 2))
await objects.createAll('data', of('Dataset', 'Dataset', 1))
await objects.createAll('answer', { _type: 'Op' })
await objects.createAll('plain', { größe: 'ß' })

describe('objs/query', () => {
  test.each([
    [{}, 'model:v0 model:v1* data:v0* answer:v0* plain:v0*'],
    [{ object_ids: [] }, 'model:v0 model:v1* data:v0* answer:v0* plain:v0*'],
    [{ object_ids: ['plain', 'model', 'nothing'] }, 'model:v0 model:v1* plain:v0*'],
    [{ latest_only: true }, 'model:v1* data:v0* answer:v0* plain:v0*'],
    [{ latest_only: false, is_op: null }, 'model:v0 model:v1* data:v0* answer:v0* plain:v0*'],
    [{ is_op: true }, 'answer:v0*'],
    [{ is_op: false, latest_only: true }, 'model:v1* data:v0* plain:v0*'],
    [{ base_object_classes: ['Model'] }, 'model:v0 model:v1*'],
    [{ base_object_classes: ['Model', 'Dataset'], latest_only: true }, 'model:v1* data:v0*'],
    [{ leaf_object_classes: ['Fast', 'Dataset'] }, 'model:v0 data:v0*'],
    [{ leaf_object_classes: ['Model'] }, ''],
    [{ exclude_base_object_classes: ['Model'] }, 'data:v0* answer:v0* plain:v0*'],
    [{ tags: ['none'] }, ''],
    [{ aliases: ['latest'] }, 'model:v1* data:v0* answer:v0* plain:v0*'],
    [{ object_ids: ["'; DROP TABLE objects; --"] }, ''],
    [{ unknown: 1 }, 'model:v0 model:v1* data:v0* answer:v0* plain:v0*'],
  ])('by %j', async (filter, shown) => {
    expect((await objects.shown(filter)).join(' ')).toBe(shown)
  })

  test.each([
    [{ sort_by: [{ field: 'object_id', direction: 'desc' }] }, 'plain:v0* model:v0 model:v1* data:v0* answer:v0*'],
    [{ sort_by: [{ field: 'created_at', direction: 'desc' }] }, 'plain:v0* answer:v0* data:v0* model:v1* model:v0'],
    [
      {
        sort_by: [
          { field: 'object_id', direction: 'asc' },
          { field: 'created_at', direction: 'desc' },
        ],
      },
      'answer:v0* data:v0* model:v1* model:v0 plain:v0*',
    ],
    [{ limit: 2 }, 'model:v0 model:v1*'],
    [{ limit: 2, offset: 1 }, 'model:v1* data:v0*'],
    [{ offset: 4 }, 'plain:v0*'],
    [{ limit: 0 }, ''],
    [{ limit: null, offset: null, sort_by: null }, 'model:v0 model:v1* data:v0* answer:v0* plain:v0*'],
  ])('sorts and pages by %j', async (more, shown) => {
    expect((await objects.shown({}, more)).join(' ')).toBe(shown)
  })

  test('returns classes, and sizes and labels only on request', async () => {
    const [first] = await objects.query({ object_ids: ['model'] })
    expect(first).toMatchObject({
      base_object_class: 'Model',
      leaf_object_class: 'Fast',
      size_bytes: null,
      tags: null,
      aliases: null,
    })
    const [plain] = await objects.query(
      { object_ids: ['plain'] },
      { include_storage_size: true, include_tags_and_aliases: true },
    )
    expect(plain).toMatchObject({ size_bytes: Buffer.byteLength('{"größe":"ß"}'), tags: [], aliases: ['latest'] })
  })

  test('rejects invalid requests', async () => {
    expectRefusal(await objects.askQuery({ limit: -1 }), 400, 'limit')
    expectRefusal(await objects.askQuery({ offset: -1 }), 400, 'offset')
    expectRefusal(await objects.askQuery({ sort_by: [{ field: 'created', direction: 'asc' }] }), 422, 'created_at')
    expectInvalid(await objects.askQuery({ sort_by: [{ field: 'object_id', direction: 'up' }] }), [
      'body',
      'sort_by',
      '0',
      'direction',
    ])
    expectInvalid(await objects.askQuery({ filter: { object_ids: 'a' } }), ['body', 'filter', 'object_ids'])
    expectRefusal(
      await objects.askQuery({ filter: { object_ids: Array.from({ length: 1001 }, (_, n) => `o${n}`) } }),
      400,
      '1000',
    )
  })
})

// It takes long to store, and what it shows is a matter of SQL, which is the same on Deno.
test.skipIf(process.env['TRACELAKE_TEST_RUNTIME'] === 'deno')(
  'a large response has every version once and in order',
  async () => {
    const many = new ProjectObjects(server)
    const names = Array.from({ length: 1030 }, (_, n) => `n${String(n).padStart(4, '0')}`)
    for (let from = 0; from < names.length; from += 100) {
      await Promise.all(names.slice(from, from + 100).map((name) => many.create(name, { name })))
    }
    const sort_by = [{ field: 'object_id', direction: 'desc' }]
    const downwards = names.toReversed()
    const seen = async (more: Record<string, unknown>) =>
      (await many.query({}, { sort_by, ...more })).map((obj) => obj.val)
    expect(await seen({})).toEqual(downwards.map((name) => ({ name })))
    expect(await seen({ limit: 1010, offset: 10 })).toEqual(downwards.slice(10, 1020).map((name) => ({ name })))
    expect(await seen({ metadata_only: true, offset: 5 })).toEqual(downwards.slice(5).map(() => ({})))
  },
  300_000,
)
