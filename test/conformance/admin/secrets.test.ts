import { expect, test } from 'bun:test'
import { ask, serverWithStub } from '../support/completions.ts'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { freshProject } from '../support/target.ts'

const { server, stub } = await serverWithStub({ OPENAI_API_KEY: '' })
const { client } = server
const value = 'sk-over-http-0123456789'

const list = async () => {
  const answer = await client.post<{ secrets: Record<string, unknown>[] }>('/secrets/query', {})
  expect(answer.text).not.toContain(value)
  return answer.json.secrets
}

test('sets a secret that completions use, lists its name and removes it', async () => {
  const project = freshProject(client)
  const set = await client.post('/secrets/set', { name: 'OPENAI_API_KEY', scope: project.id, value })
  expect(set.status).toBe(200)
  expect(set.text).not.toContain(value)
  expect(await list()).toEqual([
    { name: 'OPENAI_API_KEY', scope: project.id, hosts: [], updated_at: expect.any(String) },
  ])
  expect((await ask(project)).json.response.error).toBeUndefined()
  expect(JSON.stringify(stub.requests.at(-1)?.headers)).toContain(value)
  expect((await client.post('/secrets/remove', { name: 'OPENAI_API_KEY', scope: project.id })).json).toEqual({})
  expect(await list()).toEqual([])
})

test('replaces the secret of the same name and scope', async () => {
  const one = { name: 'HOUSE_KEY', hosts: ['LLM.example.com:8443'] }
  await client.post('/secrets/set', { ...one, value: 'old' })
  await client.post('/secrets/set', { ...one, value })
  expect(await list()).toMatchObject([{ name: 'HOUSE_KEY', scope: '*', hosts: ['llm.example.com:8443'] }])
  await client.post('/secrets/remove', { name: 'HOUSE_KEY' })
})

test('rejects invalid secrets without repeating their value', async () => {
  const set = (body: object) => client.post('/secrets/set', { name: 'X', value, ...body })
  const refused = [await set({ name: 'no-dash' }), await set({ scope: 'a/b/c' }), await set({ hosts: ['a b'] })]
  for (const answer of refused) {
    expectRefusal(answer, 400)
    expect(answer.text).not.toContain(value)
  }
  expectRefusal(await set({ value: `${value}\n` }), 400, 'printable')
  expectInvalid(await set({ value: null }), ['body', 'value'])
  expectRefusal(await client.post('/secrets/remove', { name: 'NEVER_SET' }), 404, 'NEVER_SET')
})
