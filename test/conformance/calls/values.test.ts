import { beforeAll, describe, expect, test } from 'bun:test'
import { is } from '../support/query-expression.ts'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { freshProject, ownServer, sharedServer } from '../support/target.ts'

interface Values {
  values: { value: unknown; count: number }[]
  missing: number
  other: number
  histogram?: { from: number; to: number; count: number }[]
  calls_read: number
  is_sample: boolean
  is_partial: boolean
}

const server = await sharedServer()
const project = freshProject(server)

async function textOf(path: string, request: object = {}): Promise<string> {
  const answer = await server.post('/calls/values', { project_id: project.id, path, ...request })
  expect(`${answer.status} ${answer.text}`).toStartWith('200 ')
  return answer.text
}
const valuesOf = async (path: string, request: object = {}) => JSON.parse(await textOf(path, request)) as Values

const stored = [
  '1',
  '1.0',
  '1',
  '2.5',
  '"a"',
  '"A b"',
  '"a"',
  'true',
  'null',
  '{"x":1}',
  '[1]',
  '12345678901234567890123',
]

beforeAll(async () => {
  for (const [index, value] of stored.entries()) {
    const start = {
      project_id: project.id,
      id: `c${index}`,
      op_name: `op${index % 2}`,
      trace_id: 't',
      started_at: `2024-05-01T10:00:${10 + index}Z`,
      thread_id: index % 3 === 0 ? 'thread' : null,
      attributes: {},
      inputs: {},
    }
    const inputs = `{"v":${value},"n":${index}}`
    const body = JSON.stringify({ start }).replace('"inputs":{}', `"inputs":${inputs}`)
    expect((await server.postRaw('/call/start', body)).status).toBe(200)
    if (index === 5) await server.post('/flush', {})
  }
  await project.complete({ id: 'long', inputs: { v: 'x'.repeat(2000) } })
  await project.end({ id: 'c0', ended_at: '2024-05-01T10:00:20Z' })
})

describe('calls/values', () => {
  test('counts every call once', async () => {
    const found = await valuesOf('inputs.v')
    expect(found.values).toEqual([
      { value: 1, count: 3 },
      { value: 'a', count: 2 },
      { value: 'A b', count: 1 },
      { value: 1.2345678901234568e22, count: 1 },
      { value: 2.5, count: 1 },
      { value: true, count: 1 },
    ])
    expect(found).toMatchObject({ missing: 1, other: 3, calls_read: 13, is_sample: false, is_partial: false })
    expect(await textOf('inputs.v')).toContain('"value":12345678901234567890123')
  })

  test('counts columns, computed ones too', async () => {
    const ops = [
      { value: 'op0', count: 6 },
      { value: 'op1', count: 6 },
      { value: 'answer', count: 1 },
    ]
    expect((await valuesOf('op_name')).values).toEqual(ops)
    expect(await valuesOf('thread_id')).toMatchObject({ values: [{ value: 'thread', count: 4 }], missing: 9, other: 0 })
    expect((await valuesOf('summary.ext.status')).values).toEqual([
      { value: 'running', count: 11 },
      { value: 'success', count: 2 },
    ])
    expect((await valuesOf('ended_at')).values[0]).toMatchObject({ count: 1 })
    expect(await valuesOf('exception')).toMatchObject({ values: [], missing: 13, other: 0 })
  })

  test('obeys filter, query, prefix and limit', async () => {
    expect(await valuesOf('inputs.v', { limit: 1 })).toMatchObject({ values: [{ value: 1, count: 3 }], other: 9 })
    const prefixed = await valuesOf('inputs.v', { prefix: 'A' })
    expect(prefixed.values.map(({ value }) => value)).toEqual(['a', 'A b'])
    expect(prefixed).toMatchObject({ missing: 1, other: 9, calls_read: 13 })
    const query = { $expr: is('inputs.n', '$gte', 3) }
    const filtered = await valuesOf('inputs.v', { query, filter: { op_names: ['op1'] } })
    expect(filtered).toMatchObject({ calls_read: 5, missing: 0 })
    expect(await valuesOf('inputs.none')).toMatchObject({ values: [], missing: 13, other: 0 })
  })

  test('says how numbers are distributed', async () => {
    const { histogram, values } = await valuesOf('inputs.n')
    expect(values).toHaveLength(12)
    expect(histogram).toHaveLength(20)
    expect(histogram!.reduce((sum, { count }) => sum + count, 0)).toBe(12)
    expect(histogram![0]).toEqual({ from: 0, to: 0.55, count: 1 })
    expect(histogram!.at(-1)).toMatchObject({ to: 11, count: 1 })
    expect((await valuesOf('summary.ext.latency_ms')).histogram!.at(-1)!.to).toBe(10_000)
    expect((await valuesOf('inputs.v')).histogram).toBeUndefined()
    expect((await valuesOf('op_name')).histogram).toBeUndefined()
    // All numbers are the same.
    expect((await valuesOf('inputs.n', { filter: { call_ids: ['c3'] } })).histogram).toBeUndefined()
  })

  test('refuses fields that it cannot count', async () => {
    const ask = (path: string, more = {}) => server.post('/calls/values', { project_id: project.id, path, ...more })
    expectRefusal(await ask('nothing'), 422, 'nothing')
    expectRefusal(await ask('feedback.[*].payload.x'), 400, 'feedback')
    expectRefusal(await ask('input_refs'), 400, 'input_refs')
    expectInvalid(await ask('op_name', { limit: 1001 }), ['body', 'limit'])
    const answer = await server.post('/calls/values', { project_id: project.id, path: 'op_name' }, { key: null })
    expectRefusal(answer, 401)
  })

  test('the weave dialect accepts either spelling', async () => {
    const weave = await ownServer({ env: { TRACELAKE_DIALECT: 'weave' } })
    const theirs = freshProject(weave.client)
    await theirs.complete({ id: 'a' })
    for (const path of ['summary.weave.status', 'summary.ext.status']) {
      const { json } = await weave.client.post<Values>('/calls/values', { project_id: theirs.id, path })
      expect(json.values).toEqual([{ value: 'success', count: 1 }])
    }
  })
})
