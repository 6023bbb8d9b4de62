import { expect, test } from 'bun:test'
import { serverWithStub } from '../support/completions.ts'
import { expectInvalid } from '../support/refusals.ts'
import { freshProject } from '../support/target.ts'

const { server, stub } = await serverWithStub()

test('completions/check says which models cannot be called, and why, without sending anything', async () => {
  const project = freshProject(server.client)
  const models = ['gpt-4o', 'claude-haiku-4-5', 'bedrock/any', 'custom::nobody::any', 'ollama/llama3']
  const { status, json } = await server.client.post<{ models: { model: string; error: string | null }[] }>(
    '/completions/check',
    { project_id: project.id, models },
  )
  expect(status).toBe(200)
  expect(json.models.map(({ model }) => model)).toEqual(models)
  const [known, keyless, unsupported, unknown] = json.models.map(({ error }) => error)
  expect(known).toBeNull()
  expect(keyless).toContain('No API key for provider "anthropic"')
  expect(unsupported).toContain('"bedrock" is not supported')
  expect(unknown).toContain('nobody')
  expect(stub.requests).toHaveLength(0)
})

test('completions/check limits how many models it looks at', async () => {
  const models = Array.from({ length: 65 }, (_, at) => `gpt-${at}`)
  const { id } = freshProject(server.client)
  expectInvalid(await server.client.post('/completions/check', { project_id: id, models }), ['body', 'models'])
})
