import { expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { pino } from 'pino'
import { toErrorResponse } from '../../domains/requests/error-responses.ts'
import { parseExactly } from '../wire/exact-json.ts'
import { dialectCodec } from './codec.ts'

const body = Type.Object({ ext_user_id: Type.String(), inputs: Type.Unknown() })
const routes = new Elysia({ normalize: false })
  .post('/echo/:id', ({ body }) => body, { body, response: { 200: body } })
  .post('/made', ({ status }) => status(201, { ext_ref: 'a' }), {
    response: { 201: Type.Object({ ext_ref: Type.String() }) },
  })
  .post('/raw', () => Response.json({ ext_ref: 'a' }, { status: 202 }), { body })
  .get('/query', ({ query }) => query, { query: Type.Object({ ext_run_id: Type.Integer() }) })
  .get('/list', () => [{ ext_ref: 'a' }], { response: Type.Array(Type.Object({ ext_ref: Type.String() })) })
  .get('/broken', () => ({ ext_ref: 1 }) as never, { response: Type.Object({ ext_ref: Type.String() }) })

async function send(dialect: 'ext' | 'weave', path: string, text?: string): Promise<[number, string]> {
  const app = new Elysia({ normalize: false })
    .onParse(async ({ request }) => parseExactly(await request.text()))
    .onError(({ error }) => toErrorResponse(error, pino({ level: 'silent' })))
    .use(dialectCodec(dialect, routes.routes))
    .use(routes)
  const init = text === undefined ? {} : { method: 'POST', body: text, headers: { 'content-type': 'application/json' } }
  const response = await app.fetch(new Request(`http://localhost${path}`, init))
  return [response.status, await response.text()]
}

test('ext passes through unchanged', async () => {
  const text = '{"ext_user_id":"u","inputs":{"n":1.0}}'
  expect(await send('ext', '/echo/1', text)).toEqual([200, text])
})

test('weave is renamed at the edge, and free-form JSON keeps its numbers verbatim', async () => {
  const text = '{"wb_user_id":"u","inputs":{"wb_user_id":1.0,"ext_user_id":2}}'
  expect(await send('weave', '/echo/1', text)).toEqual([200, text])
})

test('renames responses with other statuses, with and without schemas per status', async () => {
  expect(await send('weave', '/made', '{}')).toEqual([201, '{"weave_ref":"a"}'])
  expect(await send('weave', '/list')).toEqual([200, '[{"weave_ref":"a"}]'])
})

test('a Response object is passed through unchanged', async () => {
  expect(await send('weave', '/raw', '{"wb_user_id":"u","inputs":1}')).toEqual([202, '{"ext_ref":"a"}'])
})

test('the query string is renamed before it is validated', async () => {
  const [status, text] = await send('weave', '/query?wb_run_id=x')
  expect([status, JSON.parse(text).detail[0].loc]).toEqual([422, ['query', 'wb_run_id']])
})

test('a violation is reported under the name that the client used', async () => {
  const [status, text] = await send('weave', '/echo/1', '{"wb_user_id":3,"inputs":1}')
  expect([status, JSON.parse(text).detail]).toMatchObject([422, [{ loc: ['body', 'wb_user_id'] }]])
  const [, neutral] = await send('ext', '/echo/1', '{"ext_user_id":3,"inputs":1}')
  expect(JSON.parse(neutral).detail).toMatchObject([{ loc: ['body', 'ext_user_id'] }])
})

test('other errors pass through', async () => {
  expect(await send('weave', '/nowhere')).toEqual([404, '{"detail":"Not Found"}'])
  expect((await send('weave', '/broken'))[0]).toBe(500)
})
