import { expect, test } from 'bun:test'
import { Elysia } from 'elysia'
import { pino } from 'pino'
import { Caller } from '../../domains/access/caller.ts'
import { toErrorResponse } from '../../domains/requests/error-responses.ts'
import { dialectCodec } from '../../formats/dialect/codec.ts'
import { operationLimits } from '../../lib/limits/operations.ts'
import { version } from '../../lib/version.ts'
import { Geolocation } from '../../runtime/geolocation/geolocation.ts'
import { Health, type StoreState } from '../health.ts'
import type { Services } from '../services.ts'
import { serviceApi } from './index.ts'

interface Setup {
  scope?: string
  store?: StoreState
  clientIp?: string
  dialect?: 'ext' | 'weave'
}

async function send(path: string, body?: unknown, setup: Setup = {}): Promise<[number, unknown]> {
  const { scope = '*', store = { ok: true }, clientIp, dialect = 'ext' } = setup
  const services = { geolocation: new Geolocation(), health: new Health({ storeState: () => store }) } as Services
  const caller = new Caller({ userId: 'u', userName: 'U', role: 'read', scope })
  const group = serviceApi(services, { metricsOpen: false })
  const app = new Elysia({ normalize: false })
    .derive(() => ({ caller, client: { ip: () => clientIp, holdOpen: () => () => {} } }))
    .onError(({ error }) => toErrorResponse(error, pino({ level: 'silent' })))
    .use(dialectCodec(dialect, group.routes))
    .use(group)
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
  const headers = { 'content-type': 'application/json' }
  const response = await app.fetch(new Request(`http://localhost${path}`, { ...init, headers }))
  return [response.status, await response.json()]
}

test('/health reflects the state of the store', async () => {
  expect(await send('/health')).toEqual([200, { status: 'ok' }])
  const full: Setup = { store: { ok: false, reason: 'The disk is full' } }
  expect(await send('/health', undefined, full)).toEqual([
    503,
    { reason: 'The disk is full', error_type: 'StoreUnavailable' },
  ])
})

test('version and server_info', async () => {
  expect(await send('/version')).toEqual([200, { version }])
  expect(await send('/server_info')).toEqual([
    200,
    { min_required_ext_python_version: '0.51.0', trace_server_version: version },
  ])
  expect(await send('/server_info', undefined, { dialect: 'weave' })).toEqual([
    200,
    { min_required_weave_python_version: '0.51.0', trace_server_version: version },
  ])
})

test('projects_info maps ids in order', async () => {
  expect(await send('/service/projects_info', { project_ids: ['acme/bot', 'b/o'] })).toEqual([
    200,
    [
      { external_project_id: 'acme/bot', internal_project_id: 'YWNtZS9ib3Q' },
      { external_project_id: 'b/o', internal_project_id: 'Yi9v' },
    ],
  ])
  expect(await send('/service/projects_info', { project_ids: [] })).toEqual([200, []])
})

test('projects_info rejects projects outside the scope of the key and invalid ids', async () => {
  const outside = await send('/service/projects_info', { project_ids: ['acme/bot', 'other/bot'] }, { scope: 'acme' })
  expect(outside[0]).toBe(403)
  expect((await send('/service/projects_info', { project_ids: ['acme'] }))[0]).toBe(422)
  const tooMany = Array.from({ length: operationLimits.projectsInfoMax + 1 }, (_, at) => `acme/p${at}`)
  expect((await send('/service/projects_info', { project_ids: tooMany }))[0]).toBe(422)
})

test('geolocate resolves the given address, by default the one of the caller', async () => {
  const [status, found] = await send('/geolocate?ip=193.0.6.139')
  expect(status).toBe(200)
  expect(found).toMatchObject({ ip: '193.0.6.139', location: { country_code: 'NL' }, allowed: false })
  expect((await send('/geolocate?ip=2001:67c:2e8:22::1'))[0]).toBe(200)
  const own = await send('/geolocate', undefined, { clientIp: '127.0.0.1' })
  expect(own).toEqual([200, { ip: '127.0.0.1', location: null, allowed: false }])
  expect((await send('/geolocate?ip=nowhere'))[0]).toBe(400)
  expect((await send('/geolocate'))[0]).toBe(400)
})
