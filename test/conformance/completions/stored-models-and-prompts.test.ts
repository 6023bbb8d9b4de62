import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import process from 'node:process'
import { documentLimits } from '../../../src/lib/limits/objects.ts'
import { ask, serverWithStub, stream } from '../support/completions.ts'
import { isInLake, placeOf } from '../support/lake-place.ts'
import { programFile } from '../support/program-file.ts'
import type { Project } from '../support/project.ts'
import type { ServerProcess } from '../support/server-process.ts'
import { freshProject } from '../support/target.ts'

const { server, stub } = await serverWithStub({ TRACELAKE_PRIVATE_HOSTS: 'localhost, 127.0.0.1' })
const fresh = () => freshProject(server.client)

async function store(
  project: Project,
  object_id: string,
  val: unknown,
  builtin_object_class?: string,
): Promise<string> {
  const obj = { project_id: project.id, object_id, val, builtin_object_class }
  const answer = await project.client.post<{ digest: string }>('/obj/create', { obj })
  if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`)
  return answer.json.digest
}

/** A provider "house" with a model "tiny/llm" at `base_url`. */
async function offer(project: Project, base_url: string, more: Record<string, unknown> = {}): Promise<void> {
  const provider = await store(project, 'house', { base_url, api_key_name: '', ...more }, 'Provider')
  await store(project, 'house-tiny_llm', { name: 'tiny/llm', provider, max_tokens: 100 }, 'ProviderModel')
}

/** As the Python SDK stores them: with their own classes, so that the content is not validated. */
const unchecked = (project: Project, name: string, val: Record<string, unknown>, className: string) =>
  store(project, name, { ...val, _class_name: className, _bases: ['BaseObject', 'BaseModel'] })

async function setSecret(to: ServerProcess, name: string, value: string, ...words: string[]): Promise<void> {
  const child = Bun.spawn([process.execPath, programFile, 'secrets', 'set', name, ...placeOf(to.data), ...words], {
    cwd: join(import.meta.dir, '../../..'),
    stdin: new TextEncoder().encode(value),
  })
  if ((await child.exited) !== 0) throw new Error('Set a secret: it was refused')
  if (isInLake) await Bun.sleep(documentLimits.knownForMs)
}

describe('models of custom providers', () => {
  test.each(['custom::house::tiny/llm', 'custom::house-tiny_llm'])('can be called as %s', async (model) => {
    const project = fresh()
    await offer(project, `${stub.url}/`, { extra_headers: { 'X-House': 'mine' } })
    const before = stub.requests.length
    const { json } = await ask(project, { model })
    expect(json.response.choices?.[0]?.message['content']).toBe('You said: Hello there')
    const { body, headers } = stub.requests[before]!
    expect(body['model']).toBe('tiny/llm')
    expect(headers.get('x-house')).toBe('mine')
    expect(headers.get('authorization')).toBeNull()
    const call = await project.readExisting(json.ext_call_id!)
    expect(call.summary['usage']).toHaveProperty([model])
    expect(await stream(project, { model })).toHaveLength(8)
  })

  test('use the provider version they were created with', async () => {
    const project = fresh()
    await offer(project, stub.url)
    await store(project, 'house', { base_url: 'https://elsewhere.example/v1', api_key_name: '' }, 'Provider')
    expect((await ask(project, { model: 'custom::house::tiny/llm' })).json.response.error).toBeUndefined()
  })

  test('send a secret only to the host it was set for', async () => {
    const project = fresh()
    await offer(project, stub.url, { api_key_name: 'HOUSE_KEY' })
    const inputs = { model: 'custom::house::tiny/llm' }
    expect((await ask(project, inputs)).json.response.error).toContain('The secret HOUSE_KEY is not set')
    await setSecret(server, 'HOUSE_KEY', 'sk-house', '--scope', project.id, '--host', 'llm.example.com')
    expect((await ask(project, inputs)).json.response.error).toContain(
      'The secret HOUSE_KEY may not be sent to "127.0.0.1:',
    )
    await setSecret(server, 'HOUSE_KEY', 'sk-house', '--scope', project.id, '--host', new URL(stub.url).host)
    const before = stub.requests.length
    const { json } = await ask(project, inputs)
    expect(json.response.error).toBeUndefined()
    expect(stub.requests[before]!.headers.get('authorization')).toBe('Bearer sk-house')
    expect(JSON.stringify(await project.readExisting(json.ext_call_id!))).not.toContain('sk-house')
    const other = fresh()
    await offer(other, stub.url, { api_key_name: 'HOUSE_KEY' })
    expect((await ask(other, inputs)).json.response.error).toContain('The secret HOUSE_KEY is not set')
  }, 120_000)

  test('cannot use the keys of built-in providers or other variables of the server', async () => {
    const project = fresh()
    for (const api_key_name of ['OPENAI_API_KEY', 'TRACELAKE_ADMIN_KEY', 'PATH']) {
      await offer(project, stub.url, { api_key_name })
      const before = stub.requests.length
      const { json } = await ask(project, { model: 'custom::house::tiny/llm' })
      expect(json.response.error).toContain(`The secret ${api_key_name} is not set`)
      expect(stub.requests).toHaveLength(before)
    }
  })

  test.each([
    'http://10.0.0.1/v1',
    'http://169.254.169.254/latest',
    'http://[::1]:8000/v1',
    'http://2130706434/v1',
    'http://[::ffff:10.0.0.1]/v1',
    'file:///etc/passwd',
    'https://user:password@example.com/v1',
  ])('cannot be called at %s', async (base_url) => {
    const project = fresh()
    const provider = await unchecked(project, 'house', { base_url, api_key_name: '' }, 'Provider')
    await unchecked(project, 'house-tiny_llm', { name: 'tiny/llm', provider, max_tokens: 1 }, 'ProviderModel')
    const { status, json } = await ask(project, { model: 'custom::house::tiny/llm' })
    expect(status).toBe(200)
    expect(json.response.error).toMatch(/private address|must be http or https|must not contain credentials/)
    expect(json).toMatchObject({ ext_call_id: null, trace_id: null })
    expect(await project.query()).toEqual([])
  })

  test('do not follow redirects', async () => {
    const project = fresh()
    const provider = await store(project, 'house', { base_url: stub.url, api_key_name: '' }, 'Provider')
    await store(project, 'house-away', { name: 'stub-redirect', provider, max_tokens: 1 }, 'ProviderModel')
    const { json } = await ask(project, { model: 'custom::house-away' })
    expect(json.response.error).toContain('redirect (302); redirects are not followed')
  })

  test('must refer to objects of the right class', async () => {
    const project = fresh()
    await store(project, 'house-tiny_llm', { name: 'something else' })
    const { json } = await ask(project, { model: 'custom::house::tiny/llm' })
    expect(json.response.error).toBe('The object "house-tiny_llm" is not a ProviderModel')
  })
})

describe('prompts', () => {
  const promptOf = (...messages: object[]) => ({
    name: 'greeting',
    messages,
    _class_name: 'MessagesPrompt',
    _bases: ['Prompt', 'Object', 'BaseModel'],
  })

  test('are prepended to the messages, by name, version or ref', async () => {
    const project = fresh()
    const first = await store(project, 'greeting', promptOf({ role: 'system', content: 'Be {mood}' }))
    await store(project, 'greeting', promptOf({ role: 'system', content: 'Second' }))
    const sent = async (prompt: string) => {
      const before = stub.requests.length
      const { json } = await ask(project, { prompt, template_vars: { mood: 'kind' } })
      expect(json.response.error).toBeUndefined()
      return (stub.requests[before]!.body['messages'] as { content: string }[]).map(({ content }) => content)
    }
    expect(await sent('greeting')).toEqual(['Second', 'Hello there'])
    for (const prompt of [
      'greeting:v0',
      `greeting:${first}`,
      `ext:///${project.id}/object/greeting:${first}`,
      `weave:///${project.id}/object/greeting:${first}`,
    ]) {
      expect(await sent(prompt)).toEqual(['Be kind', 'Hello there'])
    }
  })

  test('name their variables {{like this}} if their template format is `mustache`', async () => {
    const project = fresh()
    const content = 'Be {{mood}}, {{ user.name }}; keep {mood} and {"a": {"b": 1}}'
    await store(project, 'mustache', { ...promptOf({ role: 'system', content }), template_format: 'mustache' })
    const before = stub.requests.length
    const messages = [{ role: 'user', content: 'I am {mood} {{mood}}' }]
    const { json } = await ask(project, {
      prompt: 'mustache',
      template_vars: { mood: 'kind', 'user.name': 'Ann' },
      messages,
    })
    expect(json.response.error).toBeUndefined()
    const sent = stub.requests[before]!.body['messages'] as { content: string }[]
    expect(sent.map((message) => message.content)).toEqual([
      'Be kind, Ann; keep {mood} and {"a": {"b": 1}}',
      'I am kind {mood}',
    ])
    const missing = await ask(project, { prompt: 'mustache', template_vars: { mood: 'kind' } })
    expect(missing.json.response.error).toContain('Missing template variable "user.name"')
  })

  test.each([
    ['other', 'The object "other" is not a prompt'],
    ['gone:v7', 'The prompt "gone:v7" does not exist'],
    ['ext:///some/where/object/greeting:v0', 'is not a ref to an object in the project'],
  ])('rejects %s', async (prompt, message) => {
    const project = fresh()
    await store(project, 'other', { messages: [] })
    expect((await ask(project, { prompt })).json.response.error).toContain(message)
  })
})
