import { beforeAll, describe, expect, test } from 'bun:test'
import {
  and,
  contains,
  convert,
  eq,
  get,
  is,
  isIn,
  literal,
  not,
  type Operation,
  size,
} from '../support/query-expression.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const server = await sharedServer()
const project = freshProject(server)
const object = `ext:///${project.id}/object/model:v1`

beforeAll(async () => {
  await project.add(
    {
      id: 'a',
      trace_id: 't1',
      op_name: 'first',
      display_name: 'Shown',
      thread_id: 'h1',
      turn_id: 'a',
      started_at: '2024-05-01T10:00:01Z',
      ended_at: '2024-05-01T10:00:02.500Z',
      ext_run_id: 'run',
      ext_run_step: 3,
      inputs: { model: object },
      attributes: { env: 'prod' },
      output: { answer: 42 },
      summary: { usage: { m: { requests: 2 } } },
    },
    {
      id: 'b',
      trace_id: 't1',
      op_name: 'second',
      parent_id: 'a',
      started_at: '2024-05-01T10:00:02Z',
      exception: 'boom',
    },
    { id: 'c', trace_id: 't2', op_name: 'third', started_at: '2024-05-01T10:00:03.250Z', ended_at: null },
    {
      id: 'd',
      trace_id: 't3',
      op_name: object.replace('object', 'op'),
      started_at: '2024-05-01T10:00:04Z',
      otel_dump: { name: 'span' },
    },
  )
})

const started = (operator: string, value: unknown) => is('started_at', operator, value)
const cases: [string, Operation, string[]][] = [
  ['id', is('id', '$eq', 'b'), ['b']],
  ['project_id', is('project_id', '$eq', project.id), ['a', 'b', 'c', 'd']],
  ['trace_id', is('trace_id', '$eq', 't1'), ['a', 'b']],
  ['parent_id', is('parent_id', '$eq', 'a'), ['b']],
  ['parent_id null', is('parent_id', '$eq', null), ['a', 'c', 'd']],
  ['thread_id', isIn(get('thread_id'), 'h1', 'h2'), ['a']],
  ['turn_id', is('turn_id', '$eq', 'a'), ['a']],
  ['op_name', contains(get('op_name'), 'ir'), ['a', 'c']],
  [
    'op_name in either spelling of a ref',
    is('op_name', '$eq', object.replace('object', 'op').replace('ext:', 'weave:')),
    ['d'],
  ],
  ['not op_name', not(is('op_name', '$eq', 'first')), ['b', 'c', 'd']],
  ['display_name', is('display_name', '$eq', 'Shown'), ['a']],
  ['exception', not(is('exception', '$eq', null)), ['b']],
  ['ext_run_id', is('ext_run_id', '$eq', 'run'), ['a']],
  ['wb_run_id', is('wb_run_id', '$eq', 'run'), ['a']],
  ['ext_run_step', is('ext_run_step', '$gte', 3), ['a']],
  ['ext_run_step against a fraction', is('ext_run_step', '$gt', 2.5), ['a']],
  ['ext_run_step contains nothing', contains(get('ext_run_step'), '3'), []],
  ['started_at as unix seconds', started('$gt', 1714557602.5), ['c', 'd']],
  ['started_at as ISO text', started('$lte', '2024-05-01T12:00:02+02:00'), ['a', 'b']],
  ['started_at as a date', started('$gt', '2024-05-01'), ['a', 'b', 'c', 'd']],
  ['started_at equal', started('$eq', '2024-05-01T10:00:03.25Z'), ['c']],
  ['started_at on the right', { $lt: [literal(1714557603), get('started_at')] }, ['c', 'd']],
  ['started_at $in', isIn(get('started_at'), '2024-05-01T10:00:01Z', 1714557602), ['a', 'b']],
  ['ended_at null', is('ended_at', '$eq', null), ['c']],
  ['ended_at against started_at', { $gt: [get('ended_at'), get('started_at')] }, ['a']],
  ['deleted_at null', is('deleted_at', '$eq', null), ['a', 'b', 'c', 'd']],
  ['deleted_at of any time', is('deleted_at', '$gt', 0), []],
  ['input_refs', contains(get('input_refs'), object), ['a']],
  ['input_refs: whole refs only', contains(get('input_refs'), object.slice(0, -1)), []],
  ['$size of input_refs', eq(size(get('input_refs')), literal(1)), ['a']],
  ['attributes', is('attributes.env', '$eq', 'prod'), ['a']],
  ['output', is('output.answer', '$eq', 42), ['a']],
  ['summary', is('summary.usage.m.requests', '$eq', 2), ['a']],
  ['summary.ext.status', is('summary.ext.status', '$eq', 'error'), ['b']],
  ['summary.weave.status', isIn(get('summary.weave.status'), 'running', 'error'), ['b', 'c']],
  ['summary.ext.latency_ms', is('summary.ext.latency_ms', '$gte', 1500), ['a']],
  ['summary.ext.trace_name', is('summary.ext.trace_name', '$eq', 'Shown'), ['a']],
  ['otel_dump', is('otel_dump.name', '$eq', 'span'), ['d']],
  ['otel_dump as text', contains(get('otel_dump'), '"name"'), ['d']],
  ['$convert string of a time', contains(convert(get('started_at'), 'string'), '10:00:03.250000Z'), ['c']],
  ['$convert exists of a column', eq(convert(get('parent_id'), 'exists'), literal(true)), ['b']],
  ['$size of a text column', eq(size(get('op_name')), literal(5)), ['a', 'c']],
]

describe('query over fields of a call', () => {
  test.each(cases)('%s', async (_field, operation, ids) => {
    expect(await project.idsOf({ query: { $expr: operation } })).toEqual(ids)
  })

  test('is combined with the filter', async () => {
    const query = { $expr: is('started_at', '$gt', '2024-05-01T10:00:01Z') }
    expect(await project.idsOf({ query, filter: { trace_ids: ['t1'] } })).toEqual(['b'])
  })

  test('works in query_stats, with limit and sizes', async () => {
    const query = { $expr: is('trace_id', '$eq', 't1') }
    expect(await project.stats({ query })).toMatchObject({ count: 2, has_more: false })
    expect(await project.stats({ query, limit: 1 })).toMatchObject({ count: 1, has_more: true })
    const { total_storage_size_bytes } = await project.stats({ query, include_total_storage_size: true })
    expect(total_storage_size_bytes).toBeGreaterThan(0)
  })

  test('works in the older query', async () => {
    const body = { project_id: project.id, query: { $expr: is('id', '$eq', 'c') } }
    const answer = await server.post<{ calls: { id: string }[] }>('/calls/query', body)
    expect(answer.json.calls.map(({ id }) => id)).toEqual(['c'])
  })

  test('combines with sort, limit and offset', async () => {
    const query = { $expr: and(not(is('id', '$eq', 'b'))) }
    const sort_by = [{ field: 'started_at', direction: 'desc' }]
    expect(await project.idsOf({ query, sort_by, limit: 1, offset: 1 })).toEqual(['c'])
  })

  test.each(['text/csv', 'application/vnd.apache.parquet', 'application/vnd.apache.arrow.stream'])(
    'works with %s',
    async (accept) => {
      const answer = await project.ask({ query: { $expr: is('id', '$eq', 'nobody') }, columns: ['id'] }, accept)
      expect(answer.status).toBe(200)
    },
  )

  test('is limited to the project', async () => {
    const other = freshProject(server)
    await other.add({ id: 'theirs' })
    const query = { $expr: { $or: [eq(literal(1), literal(1)), is('project_id', '$eq', other.id)] } }
    expect(await project.idsOf({ query })).toEqual(['a', 'b', 'c', 'd'])
    expect(await project.idsOf({ query: { $expr: is('project_id', '$eq', other.id) } })).toEqual([])
  })
})
