import { describe, expect, test } from 'bun:test'
import { freshProject, ownServer, sharedServer } from './target.ts'

const neutral = await sharedServer()
const vendor = (await ownServer({ env: { TRACELAKE_DIALECT: 'weave' } })).client

describe.each([
  ['ext', neutral],
  ['weave', vendor],
] as const)('in the dialect %s', (_dialect, server) => {
  test('payloads keep the order of members whose names are numbers', async () => {
    const project = freshProject(server)
    const payload = '{"b":1.0,"2":{"z":[{"1":0,"0":"é"}],"10":12345678901234567890},"1":3}'
    const start = `{"project_id":"${project.id}","id":"a","op_name":"op","started_at":"2026-01-02T03:04:05Z","trace_id":"t"`
    const answer = await server.postRaw(
      '/call/upsert_batch',
      `{"batch":[{"mode":"start","req":{"start":${start},"inputs":${payload},"attributes":${payload}}}},
        {"mode":"end","req":{"end":{"project_id":"${project.id}","id":"a","ended_at":"2026-01-02T03:04:06Z","output":${payload},"summary":{}}}}]}`,
    )
    expect(answer.status).toBe(200)
    for (const text of [
      (await server.post('/call/read', { project_id: project.id, id: 'a' })).text,
      (await project.ask({})).text,
    ]) {
      for (const member of ['inputs', 'attributes', 'output']) expect(text).toContain(`"${member}":${payload}`)
    }
  })
})
