import { beforeAll, describe, expect, test } from 'bun:test'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const server = await sharedServer()
const project = freshProject(server)
const ops = `ext:///${project.id}/op`

beforeAll(async () => {
  await project.add(
    { id: 'a', trace_id: 't1', op_name: 'plain', thread_id: 'h1', turn_id: 'a', started_at: '2024-05-01T10:00:01Z' },
    { id: 'b', trace_id: 't1', op_name: `${ops}/a_b:v1`, parent_id: 'a', started_at: '2024-05-01T10:00:02Z' },
    { id: 'c', trace_id: 't1', op_name: `${ops}/a_b:v2`, parent_id: 'b', started_at: '2024-05-01T10:00:03Z' },
    {
      id: 'd',
      trace_id: 't2',
      op_name: `${ops}/axb:v1`,
      thread_id: 'h2',
      turn_id: 'd',
      started_at: '2024-05-01T10:00:04Z',
    },
    {
      id: 'e',
      trace_id: 't3',
      op_name: `${ops}/a_bc:v1`,
      ext_run_id: `${project.id}/r1`,
      started_at: '2024-05-01T10:00:05Z',
    },
    {
      id: 'f',
      trace_id: 't3',
      op_name: "50%'; --",
      ext_run_id: `${project.id}/r2`,
      started_at: '2024-05-01T10:00:06Z',
    },
  )
})

const all = ['a', 'b', 'c', 'd', 'e', 'f']

const cases: [string, Record<string, unknown>, string[]][] = [
  ['op_names: the exact name', { op_names: ['plain'] }, ['a']],
  ['op_names: the exact version', { op_names: [`${ops}/a_b:v2`] }, ['c']],
  ['op_names: every version, and no op whose name is only alike', { op_names: [`${ops}/a_b:*`] }, ['b', 'c']],
  ['op_names: any of several', { op_names: ['plain', `${ops}/axb:*`] }, ['a', 'd']],
  ['op_names: a prefix alone is no match', { op_names: ['pla', `${ops}/a_b`] }, []],
  ['op_names: signs that mean something to a database', { op_names: ["50%'; --"] }, ['f']],
  ['op_names: wildcards of a database mean nothing', { op_names: ['%', 'plai_', '*'] }, []],
  ['parent_ids', { parent_ids: ['a'] }, ['b']],
  ['parent_ids: any of several', { parent_ids: ['a', 'b', 'nobody'] }, ['b', 'c']],
  ['trace_ids', { trace_ids: ['t1'] }, ['a', 'b', 'c']],
  ['call_ids', { call_ids: ['f', 'b', 'nobody'] }, ['b', 'f']],
  ['call_ids: none of them there', { call_ids: ['nobody'] }, []],
  ['thread_ids', { thread_ids: ['h2'] }, ['d']],
  ['turn_ids', { turn_ids: ['a', 'd'] }, ['a', 'd']],
  ['trace_roots_only: true keeps calls without a parent', { trace_roots_only: true }, ['a', 'd', 'e', 'f']],
  ['trace_roots_only: false has no effect', { trace_roots_only: false }, all],
  ['ext_run_ids: the whole id', { ext_run_ids: [`${project.id}/r1`] }, ['e']],
  ['ext_run_ids: the bare run', { ext_run_ids: ['r2'] }, ['f']],
  ['ext_run_ids: both forms together', { ext_run_ids: ['r2', `${project.id}/r1`] }, ['e', 'f']],
  ['members are all to be met', { trace_ids: ['t1'], parent_ids: ['a'], op_names: [`${ops}/a_b:*`] }, ['b']],
  ['members that contradict each other match nothing', { trace_ids: ['t2'], call_ids: ['a'] }, []],
  ['an empty filter restricts nothing', {}, all],
]

const listMembers = [
  'op_names',
  'input_refs',
  'output_refs',
  'parent_ids',
  'trace_ids',
  'call_ids',
  'thread_ids',
  'turn_ids',
  'ext_user_ids',
  'ext_run_ids',
]

describe('filter of stream_query', () => {
  test.each(cases)('%s', async (_rule, filter, ids) => {
    expect(await project.idsOf({ filter })).toEqual(ids)
  })

  test.each(listMembers.filter((member) => member !== 'thread_ids'))(
    'an empty list in %s restricts nothing',
    async (member) => {
      expect(await project.idsOf({ filter: { [member]: [] } })).toEqual(all)
    },
  )

  test('an empty list of threads matches nothing, in every operation', async () => {
    const filter = { thread_ids: [] }
    expect(await project.idsOf({ filter })).toEqual([])
    expect(await project.stats({ filter })).toMatchObject({ count: 0 })
    const counted = { project_id: project.id, filter, limit: 1 }
    expect((await server.post('/calls/query_stats', counted)).json).toMatchObject({ count: 0 })
    expect(await project.idsOf({ filter: { ...filter, call_ids: ['a'] } })).toEqual([])
  })

  test('null restricts nothing', async () => {
    const members = [...listMembers, 'trace_roots_only'].map((member) => [member, null])
    expect(await project.idsOf({ filter: Object.fromEntries(members) })).toEqual(all)
    expect(await project.idsOf({ filter: null })).toEqual(all)
  })

  test('accepts 1000 values', async () => {
    const values = Array.from({ length: 999 }, (_, index) => `nobody-${index}`)
    expect(await project.idsOf({ filter: { call_ids: [...values, 'c'] } })).toEqual(['c'])
  })

  test.each(listMembers.filter((member) => member !== 'ext_user_ids'))(
    'rejects more than 1000 values in %s and names the limit',
    async (member) => {
      const values = Array.from({ length: 1001 }, (_, index) => `v-${index}`)
      expectRefusal(await project.ask({ filter: { [member]: values } }), 400, member, '1000', '1001')
    },
  )

  test('accepts 10,000 users and rejects 10,001', async () => {
    const me = (await project.readExisting('a')).ext_user_id
    const users = Array.from({ length: 10_000 }, (_, index) => `user-${index}`)
    expect(await project.idsOf({ filter: { ext_user_ids: users } })).toEqual([])
    expect(await project.idsOf({ filter: { ext_user_ids: [...users.slice(1), me] } })).toEqual(all)
    const answer = await project.ask({ filter: { ext_user_ids: [...users, me] } })
    expectRefusal(answer, 400, 'ext_user_ids', '10000', '10001')
  })

  test('rejects a list of anything but strings', async () => {
    expectInvalid(await project.ask({ filter: { call_ids: [1] } }), ['body', 'filter', 'call_ids', '0'])
  })

  test('rejects a string instead of a list', async () => {
    expectInvalid(await project.ask({ filter: { op_names: 'plain' } }), ['body', 'filter', 'op_names'])
  })

  test('rejects an unknown member and suggests the nearest, so that a typo does not return everything', async () => {
    const answer = await project.ask({ filter: { op_name: ['plain'] } })
    expect(answer.status).toBe(422)
    expect(answer.text).toContain('op_names')
  })
})
