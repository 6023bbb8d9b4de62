import { beforeAll, describe, expect, test } from 'bun:test'
import type { CallRecord } from '../support/call-shapes.ts'
import type { Project } from '../support/project.ts'
import { is } from '../support/query-expression.ts'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { freshProject, sharedServer } from '../support/target.ts'

type SortBy = { field: string; direction: 'asc' | 'desc' }[]

const server = await sharedServer()
const project = freshProject(server)

/** Values that sort side by side in one order: numbers, texts, nested ones, and none. */
const values = [
  '1',
  '1.0',
  '1e0',
  '2',
  '-3.5',
  '0.1000000000000000055',
  '12345678901234567890123',
  '12345678901234567890124',
  '"1"',
  '"a"',
  '"é"',
  '"😀"',
  '"it\'s \\"quoted\\""',
  'true',
  'false',
  'null',
  '{"b": [1, 2.50], "a": null}',
  '[3]',
  '""',
]

beforeAll(async () => {
  const second = (at: number) => `2024-05-01T10:00:${String(at).padStart(2, '0')}`
  for (const half of [0, 1]) {
    for (const [index, value] of values.entries()) {
      if (index % 2 !== half) continue
      for (const twin of ['a', 'b']) {
        const id = `${twin}-${index}`
        const start = {
          project_id: project.id,
          id,
          op_name: `op${index % 4}`,
          trace_id: `t${index}`,
          started_at: `${second(index % 5)}.${index % 3 === 0 ? '000001' : '5'}Z`,
          thread_id: index % 3 === 0 ? null : `thread${index % 2}`,
          attributes: {},
          inputs: {},
        }
        const inputs = index === 7 ? '{}' : `{"v": ${value}, "n": ${index % 3}}`
        const body = JSON.stringify({ start }).replace('"inputs":{}', `"inputs":${inputs}`)
        expect((await server.postRaw('/call/start', body)).status).toBe(200)
        if (index % 4 !== 0) {
          const exception = index % 5 === 0 ? 'failed' : null
          await project.end({ id, ended_at: `${second(6 + (index % 6))}Z`, exception })
        }
      }
    }
    if (half === 0) await server.post('/flush', {})
  }
  await project.update('a-0', 'named')
  await project.delete('b-3')
})

function valueAt(call: CallRecord, field: string): unknown {
  let found: unknown = call
  for (const key of field.split('.')) found = (found as Record<string, unknown> | null)?.[key]
  return found ?? null
}

/** What a client sends to continue after a call. */
const cursorOf = (call: CallRecord, sort: SortBy): unknown[] => [
  ...(sort.length === 0 ? ['started_at'] : sort.map(({ field }) => field)).map((field) => valueAt(call, field)),
  call.id,
]

async function idsByPage(from: Project, sort: SortBy, request: object = {}, limit = 5): Promise<string[]> {
  const ids: string[] = []
  for (let after: unknown[] | undefined; ; ) {
    const page = await from.query({ sort_by: sort, limit, ...request, ...(after && { after }) })
    ids.push(...page.map(({ id }) => id))
    if (page.length < limit) return ids
    after = cursorOf(page.at(-1)!, sort)
  }
}

const directions = ['asc', 'desc'] as const
const fields = [
  'started_at',
  'ended_at',
  'op_name',
  'thread_id',
  'exception',
  'display_name',
  'summary.ext.latency_ms',
  'summary.ext.status',
  'inputs.v',
  'inputs.n',
  'inputs',
  'inputs.none',
  'id',
  'deleted_at',
]
const sorts: SortBy[] = [
  [],
  ...fields.flatMap((field) => directions.map((direction) => [{ field, direction }])),
  [
    { field: 'inputs.n', direction: 'desc' },
    { field: 'inputs.v', direction: 'asc' },
  ],
  [
    { field: 'thread_id', direction: 'desc' },
    { field: 'ended_at', direction: 'desc' },
    { field: 'started_at', direction: 'asc' },
  ],
]
const nameOf = (sort: SortBy) => sort.map(({ field, direction }) => `${field} ${direction}`).join(', ') || 'default'

describe('after', () => {
  test.each(sorts.map((sort) => [nameOf(sort), sort] as const))('pages by %s are the whole order', async (_, sort) => {
    const whole = await project.idsOf({ sort_by: sort })
    expect(whole).toHaveLength(2 * values.length - 1)
    expect(await idsByPage(project, sort)).toEqual(whole)
  })

  test('pages may have one row', async () => {
    const sort: SortBy = [{ field: 'inputs.v', direction: 'asc' }]
    expect(await idsByPage(project, sort, {}, 1)).toEqual(await project.idsOf({ sort_by: sort }))
  })

  test('pages obey the filter and keep the offset', async () => {
    const request = { query: { $expr: is('inputs.n', '$gt', 0) }, filter: { op_names: ['op1', 'op2'] } }
    const sort: SortBy = [{ field: 'inputs.v', direction: 'desc' }]
    const whole = await project.idsOf({ sort_by: sort, ...request })
    expect(whole.length).toBeGreaterThan(5)
    expect(await idsByPage(project, sort, request, 2)).toEqual(whole)
    const [first] = await project.query({ sort_by: sort, ...request, limit: 1 })
    const rest = await project.idsOf({ sort_by: sort, ...request, after: cursorOf(first!, sort), offset: 2 })
    expect(rest).toEqual(whole.slice(3))
  })

  test('every format and list takes it', async () => {
    const sort: SortBy = [{ field: 'started_at', direction: 'desc' }]
    const whole = await project.query({ sort_by: sort })
    const request = { sort_by: sort, after: cursorOf(whole[9]!, sort), columns: ['id'] }
    const expected = whole.slice(10).map(({ id }) => id)
    const csv = await project.ask(request, 'text/csv')
    expect(csv.text.trim().split('\r\n').slice(1)).toEqual(expected)
    const list = await server.post<{ calls: CallRecord[] }>('/calls/query', { project_id: project.id, ...request })
    expect(list.json.calls.map(({ id }) => id)).toEqual(expected)
  })

  test('calls that arrive meanwhile neither shift nor repeat anything', async () => {
    const busy = freshProject(server)
    const at = (index: number) => `2024-05-01T10:00:${String(index).padStart(2, '0')}Z`
    await busy.complete(...Array.from({ length: 9 }, (_, index) => ({ id: `c${index}`, started_at: at(index) })))
    const sort: SortBy = [{ field: 'started_at', direction: 'desc' }]
    const first = await busy.query({ sort_by: sort, limit: 4 })
    await busy.complete({ id: 'new', started_at: at(50) }, { id: 'late', started_at: at(2) })
    const next = await busy.idsOf({ sort_by: sort, limit: 4, after: cursorOf(first.at(-1)!, sort) })
    expect(next).toEqual(['c4', 'c3', 'late', 'c2'])
  })

  test('the place is kept if its call is deleted or changes', async () => {
    const busy = freshProject(server)
    await busy.add(
      { id: 'a', ended_at: '2024-05-01T10:00:04Z' },
      { id: 'b', ended_at: '2024-05-01T10:00:03Z', inputs: { v: 2 } },
      { id: 'c', ended_at: null, inputs: { v: 1.5 } },
      { id: 'd', ended_at: null, inputs: { v: 1 } },
    )
    const byEnd: SortBy = [{ field: 'ended_at', direction: 'desc' }]
    const byValue: SortBy = [{ field: 'inputs.v', direction: 'desc' }]
    const running = (await busy.query({ sort_by: byEnd, limit: 3 })).at(-1)!
    expect(running.id).toBe('d')
    const value = (await busy.query({ sort_by: byValue, limit: 1 })).at(-1)!
    await busy.end({ id: 'd', ended_at: '2024-05-01T10:00:05Z' })
    await busy.delete('b')
    expect(await busy.idsOf({ sort_by: byEnd, after: cursorOf(running, byEnd) })).toEqual(['c'])
    expect(value.id).toBe('b')
    expect(await busy.idsOf({ sort_by: byValue, after: cursorOf(value, byValue) })).toEqual(['c', 'd', 'a'])
  })

  test('an id from another project is no way into it', async () => {
    const other = freshProject(server)
    await other.complete({ id: 'a', inputs: { v: 1 } })
    const sort: SortBy = [{ field: 'inputs.v', direction: 'asc' }]
    expect(await other.idsOf({ sort_by: sort, after: [1, 'a-0'] })).toEqual(['a'])
  })

  test.each([
    ['too few values', ['x']],
    ['too many values', [null, null, 'x']],
    ['an id that is no string', [null, 7]],
    ['a time that is none', ['yesterday', 'x']],
  ])('refuses %s', async (_, after) => {
    expectRefusal(await project.ask({ sort_by: [{ field: 'ended_at', direction: 'asc' }], after }), 400, 'after')
  })

  test('refuses what is no list', async () => {
    expectInvalid(await project.ask({ after: 'x' }), ['body', 'after'])
  })
})
