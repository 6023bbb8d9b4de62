import { describe, expect, test } from 'bun:test'
import type { Answer } from '../support/client.ts'
import { freshProject, ownServer, sharedServer } from '../support/target.ts'

const neutral = await sharedServer()
const vendor = (await ownServer({ env: { TRACELAKE_DIALECT: 'weave' } })).client

describe.each([
  ['ext', neutral],
  ['weave', vendor],
] as const)('in the dialect %s', (_dialect, server) => {
  test('payloads keep the order of members with numeric names', async () => {
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

  test('so do objects to which the server adds members', async () => {
    const project = freshProject(server)
    const inside = '"b":1.10,"2":{"z":1e3,"10":0},"1":3'
    const call = `"project_id":"${project.id}","id":"a","trace_id":"t"`
    const started = '"op_name":"op","started_at":"2026-01-02T03:04:05Z","inputs":{},"attributes":{}'
    const own = '"ext":{"status":"x"},"weave":{"status":"x"}'
    await succeed(server.postRaw('/call/start', `{"start":{${call},${started}}}`))
    await succeed(
      server.postRaw('/call/end', `{"end":{${call},"ended_at":"2026-01-02T03:04:06Z","summary":{${own},${inside}}}}`),
    )
    expect((await server.post('/call/read', { project_id: project.id, id: 'a' })).text).toContain(`,${inside}}`)

    const creating = { evaluation: 'e', model: 'm' }
    const run = await server.post<{ evaluation_run_id: string }>(project.v2('evaluation_runs'), creating)
    const path = project.v2(`evaluation_runs/${run.json.evaluation_run_id}`)
    await succeed(server.postRaw(`${path}/finish`, `{"summary":{${inside}}}`))
    expect((await server.get(path)).text).toMatch(
      new RegExp(`"summary":\\{"[a-z]+":\\{[^}]*\\},${inside.replace(/[{}.]/g, '\\$&')}\\}`),
    )

    const model = `{"name":"m","source_code":"x","attributes":{${inside}}}`
    await succeed(server.postRaw(project.v2('models'), model))
    expect((await server.get(project.v2('models/m/versions/latest'))).text).toContain(`"attributes":{${inside}}`)
    const evaluation = `{"name":"e","dataset":"d","eval_attributes":{${inside}}}`
    await succeed(server.postRaw(project.v2('evaluations'), evaluation))
    for (const object_id of ['m', 'e']) {
      const stored = await server.post('/obj/read', { project_id: project.id, object_id, digest: 'latest' })
      expect(stored.text).toContain('"val":{"_type":')
      expect(stored.text).toContain(`,${inside}}`)
    }
  })
})

async function succeed(answer: Promise<Answer<unknown>>): Promise<void> {
  const { status, text } = await answer
  if (status !== 200) throw new Error(`${status}: ${text}`)
}
