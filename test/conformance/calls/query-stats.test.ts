import { beforeAll, describe, expect, test } from 'bun:test'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const server = await sharedServer()
const project = freshProject(server)

beforeAll(async () => {
  await project.add(
    { id: 'a', trace_id: 't', op_name: 'one' },
    { id: 'b', trace_id: 't', op_name: 'two', parent_id: 'a' },
    { id: 'c', trace_id: 'u', op_name: 'one' },
  )
})

const cases: [string, Record<string, unknown>, number, boolean][] = [
  ['without a filter', {}, 3, false],
  ['with a filter', { filter: { op_names: ['one'] } }, 2, false],
  ['with a filter that matches nothing', { filter: { call_ids: ['nobody'] } }, 0, false],
  ['with an empty list in the filter', { filter: { trace_ids: [] } }, 3, false],
  ['with no thread in the filter', { filter: { thread_ids: [] } }, 0, false],
  ['with a limit below the count', { limit: 2 }, 2, true],
  ['with a limit equal to the count', { limit: 3 }, 3, true],
  ['with a limit above the count', { limit: 4 }, 3, false],
  ['with a limit and a filter', { limit: 1, filter: { op_names: ['one'] } }, 1, true],
]

describe('calls/query_stats', () => {
  test.each(cases)('counts %s', async (_kind, request, count, has_more) => {
    expect(await project.stats(request)).toEqual({ count, has_more, total_storage_size_bytes: null })
  })

  test('counts nothing in an unknown project', async () => {
    expect(await freshProject(server).stats()).toEqual({ count: 0, has_more: false, total_storage_size_bytes: null })
  })

  test.each([
    ['without limit', {}],
    ['with limit 1', { limit: 1 }],
    ['with limit 1 and an empty filter', { limit: 1, filter: {} }],
  ])('counts neither deleted calls nor ends without a start, %s', async (_kind, request) => {
    const other = freshProject(server)
    await other.add({ id: 'deleted' })
    await other.delete('deleted')
    await other.end({ id: 'never-started' })
    expect(await other.stats(request)).toMatchObject({ count: 0, has_more: false })
  })

  test('sums the storage of the traces on request', async () => {
    const roots = await project.query({ include_total_storage_size: true, filter: { trace_roots_only: true } })
    const total = roots.reduce((sum, root) => sum + root.total_storage_size_bytes!, 0)
    expect((await project.stats({ include_total_storage_size: true })).total_storage_size_bytes).toBe(total)
  })

  test('excludes deleted calls from the sum', async () => {
    const other = freshProject(server)
    await other.add({ id: 'a', trace_id: 't' }, { id: 'b', trace_id: 'u', output: 'x'.repeat(1000) })
    const [a] = await other.query({ include_storage_size: true, filter: { call_ids: ['a'] } })
    await other.delete('b')
    const { total_storage_size_bytes } = await other.stats({ include_total_storage_size: true })
    expect(total_storage_size_bytes).toBe(a!.storage_size_bytes)
  })

  test.each([0, -1])('rejects limit %p', async (limit) => {
    expectRefusal(await server.post('/calls/query_stats', { project_id: project.id, limit }), 400, 'limit')
  })

  test('requires project_id', async () => {
    expectInvalid(await server.post('/calls/query_stats', {}), ['body', 'project_id'])
  })
})
