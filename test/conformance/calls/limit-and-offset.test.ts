import { beforeAll, describe, expect, test } from 'bun:test'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const project = freshProject(await sharedServer())

beforeAll(async () => {
  await project.add({ id: 'a' }, { id: 'b' }, { id: 'c' }, { id: 'd' })
})

const cases: [string, Record<string, unknown>, string[]][] = [
  ['neither: everything', {}, ['a', 'b', 'c', 'd']],
  ['null: everything', { limit: null, offset: null }, ['a', 'b', 'c', 'd']],
  ['limit', { limit: 2 }, ['a', 'b']],
  ['limit beyond the end', { limit: 100 }, ['a', 'b', 'c', 'd']],
  ['limit 0: nothing', { limit: 0 }, []],
  ['offset', { offset: 3 }, ['d']],
  ['offset beyond the end', { offset: 100 }, []],
  ['both', { limit: 2, offset: 1 }, ['b', 'c']],
  ['both with a filter', { limit: 1, offset: 1, filter: { call_ids: ['b', 'd'] } }, ['d']],
]

describe('limit and offset', () => {
  test.each(cases)('%s', async (_rule, request, ids) => {
    expect(await project.idsOf(request)).toEqual(ids)
  })

  test.each(['limit', 'offset'])('rejects a negative %s', async (member) => {
    expectRefusal(await project.ask({ [member]: -1 }), 400, member)
  })

  test.each(['limit', 'offset'])('rejects a fractional %s', async (member) => {
    expectInvalid(await project.ask({ [member]: 1.5 }), ['body', member])
    expectInvalid(await project.ask({ [member]: 'ten' }), ['body', member])
  })
})
