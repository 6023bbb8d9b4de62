import { describe, expect, test } from 'bun:test'
import { expectInvalid } from '../support/refusals.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const server = await sharedServer()
const version = /^\d+\.\d+\.\d+/

describe('service', () => {
  test('health reports that the store accepts writes', async () => {
    const answer = await server.get('/health', { key: null })
    expect(answer.status).toBe(200)
    expect(answer.json).toEqual({ status: 'ok' })
  })

  test('version', async () => {
    const answer = await server.get('/version', { key: null })
    expect(answer.status).toBe(200)
    expect(answer.json).toEqual({ version: expect.stringMatching(version) })
  })

  test('server_info returns the server version and the minimum client version', async () => {
    const answer = await server.get('/server_info')
    expect(answer.status).toBe(200)
    const { json } = await server.get<{ version: string }>('/version')
    expect(answer.json).toMatchObject({
      trace_server_version: json.version,
      min_required_ext_python_version: expect.stringMatching(version),
    })
  })
})

describe('projects_info', () => {
  const ask = (project_ids: unknown) => server.post('/service/projects_info', { project_ids })

  test('returns the internal id of every project, in request order', async () => {
    const [one, other] = [freshProject(server), freshProject(server)]
    await one.start()
    await other.start()
    const ids = [other.id, one.id]
    const answer = await ask(ids)
    expect(answer.status).toBe(200)
    expect(answer.json).toEqual(
      ids.map((id) => ({ external_project_id: id, internal_project_id: Buffer.from(id).toString('base64url') })),
    )
  })

  test('returns an empty list for none', async () => {
    expect((await ask([])).json).toEqual([])
  })

  test('rejects an invalid id', async () => {
    expectInvalid(await ask(['acme/traces', 'no-slash']), ['body', 'project_ids', '1'])
  })
})
