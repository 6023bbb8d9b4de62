import { describe, expect, test } from 'bun:test'
import { endOf, startOf } from '../support/call-shapes.ts'
import { expectInvalid } from '../support/refusals.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const server = await sharedServer()

describe('an invalid request', () => {
  test('names a missing member of a single call', async () => {
    const { op_name: _left, ...start } = startOf(freshProject(server).id)
    expectInvalid(await server.post('/call/start', { start }), ['body', 'start', 'op_name'])
  })

  test('names a missing member of an item of a batch, with its index as text', async () => {
    const { id } = freshProject(server)
    const { op_name: _left, ...start } = startOf(id)
    const batch = [
      { mode: 'end', req: { end: endOf(id, { id: 'a' }) } },
      { mode: 'start', req: { start } },
    ]
    expectInvalid(await server.post('/call/upsert_batch', { batch }), ['body', 'batch', '1', 'req', 'start', 'op_name'])
  })

  test('reports every invalid location', async () => {
    const start = { ...startOf(freshProject(server).id), op_name: 5, inputs: null }
    expectInvalid(
      await server.post('/call/start', { start }),
      ['body', 'start', 'op_name'],
      ['body', 'start', 'inputs'],
    )
  })

  test('reports the whole body if its only required member is missing', async () => {
    expectInvalid(await server.post('/call/start', {}), ['body', 'start'])
    expectInvalid(await server.post('/call/upsert_batch', { batch: 5 }), ['body', 'batch'])
  })

  test.each([
    '',
    '{',
    '{"start":',
    'text',
    '{"a":1,}',
    "{'a':1}",
    '[1] [2]',
    '{"a":NaN}',
    '{"a":Infinity}',
    '{"a":-Infinity}',
    '{"a":01}',
  ])('is rejected if it is not JSON: %p', async (body) => {
    expectInvalid(await server.postRaw('/call/read', body))
  })

  test('lists the accepted forms of a member', async () => {
    const price = { prompt_token_cost: 1, completion_token_cost: 1, effective_date: 'soon' }
    const body = { project_id: freshProject(server).id, costs: { m: price } }
    const answer = await server.post<{ detail: { msg: string }[] }>('/cost/create', body)
    expectInvalid(answer, ['body', 'costs', 'm', 'effective_date'])
    expect(answer.json.detail.map(({ msg }) => msg)).toEqual(['Expected date-time or number or null'])
  })

  test.each([
    [0, 'Expected integer to be greater or equal to 1'],
    [5001, 'Expected integer to be less or equal to 5000'],
  ])('reports the violated bound of a nullable value: %d', async (sample_limit, said) => {
    const body = { project_id: freshProject(server).id, start: '2024-05-01', end: '2024-05-02', sample_limit }
    const answer = await server.post<{ detail: { msg: string }[] }>('/feedback/payload_schema', body)
    expectInvalid(answer, ['body', 'sample_limit'])
    expect(answer.json.detail.map(({ msg }) => msg)).toEqual([said])
  })

  test('is rejected if it has NaN deep inside a payload', async () => {
    const body = JSON.stringify({ start: startOf(freshProject(server).id, { inputs: { x: 'HERE' } }) })
    expectInvalid(await server.postRaw('/call/start', body.replace('"HERE"', 'NaN')))
  })

  test.each(['null', '[]', '5', '"text"'])('is rejected if it is JSON but not an object: %s', async (body) => {
    expectInvalid(await server.postRaw('/call/read', body))
  })

  test.each([
    'no-slash',
    'a/b/c',
    '/b',
    'a/',
    '/',
    '',
    ' a/b',
    'a/b ',
    'a/b?',
    'ä/b',
    'a/b\n',
    `${'a'.repeat(129)}/b`,
    `a/${'b'.repeat(129)}`,
  ])('is rejected if project_id is %p', async (project_id) => {
    expectInvalid(await server.post('/call/read', { project_id, id: 'a' }), ['body', 'project_id'])
    expectInvalid(await server.post('/call/start', { start: startOf(project_id) }), ['body', 'start', 'project_id'])
  })

  test.each(['a/b', 'A-1_x.y/B.2', 'my team/my first project', `${'a'.repeat(128)}/${'b'.repeat(128)}`])(
    'is accepted if project_id is %p',
    async (project_id) => {
      const answer = await server.post('/call/read', { project_id, id: crypto.randomUUID() })
      expect(answer.status).toBe(200)
    },
  )

  test('is rejected if the project in the path is invalid', async () => {
    const answer = await server.post(`/v2/${encodeURIComponent('a?b')}/c/calls/complete`, { batch: [] })
    expect(answer.status).toBe(422)
  })

  test('is accepted with unknown members', async () => {
    const body = { project_id: freshProject(server).id, id: 'a', from_the_future: [1] }
    expect((await server.post('/call/read', body)).status).toBe(200)
  })
})

describe('an unknown route', () => {
  test.each(['/nowhere', '/call/nowhere', '/v2/a/b/nowhere'])('%s is 404', async (path) => {
    const answer = await server.post(path, {})
    expect(answer.status).toBe(404)
    expect(answer.json).toEqual({ detail: 'Not Found' })
  })
})
