import { expect, test } from 'bun:test'
import type { Answer } from '../support/client.ts'
import { serverWithStub } from '../support/completions.ts'
import { download } from '../support/files.ts'
import type { Project } from '../support/project.ts'
import { expectInvalid } from '../support/refusals.ts'
import { freshProject } from '../support/target.ts'

const { server, stub } = await serverWithStub()
const fresh = () => freshProject(server.client)

interface ImageAnswer {
  response: { error?: string; data?: { b64_json: Content | string }[]; usage?: object }
  ext_call_id: string | null
}
interface Content {
  _type: string
  ext_type: { type: string }
  files: { content: string; 'metadata.json': string }
}

const draw = (
  project: Project,
  inputs: Record<string, unknown> = {},
  members: Record<string, unknown> = {},
): Promise<Answer<ImageAnswer>> =>
  project.client.post('/image/create', {
    project_id: project.id,
    inputs: { model: 'gpt-image-1', prompt: 'A red square', ...inputs },
    ...members,
  })

test('images become files of the project, and the generation a call', async () => {
  const project = fresh()
  const { status, json } = await draw(project, { n: 2 })
  expect(status).toBe(200)
  const [first, second] = json.response.data!.map(({ b64_json }) => b64_json as Content)
  expect(first).toMatchObject({
    _type: 'CustomExtType',
    ext_type: { type: 'ext.type_wrappers.Content.content.Content' },
  })
  expect(first!.files.content).toBe(second!.files.content)
  const bytes = (await download(project, first!.files.content)).bytes
  expect(Buffer.from(bytes).subarray(1, 4).toString()).toBe('PNG')
  const metadata = (await download(project, first!.files['metadata.json'])).json as unknown
  expect(metadata).toMatchObject({ mimetype: 'image/png', filename: 'image-1.png', size: bytes.byteLength })
  expect(await project.readExisting(json.ext_call_id!)).toMatchObject({
    op_name: 'ext.image_generation_create',
    inputs: { model: 'gpt-image-1', prompt: 'A red square', n: 2 },
    output: json.response,
    summary: { usage: { 'gpt-image-1': { requests: 1, input_tokens: 3, output_tokens: 2 } } },
  })
  expect(stub.requests.at(-1)!.body).toEqual({ model: 'gpt-image-1', prompt: 'A red square', n: 2, size: '1024x1024' })
})

test('older models such as dall-e-3 are asked for inline image data', async () => {
  await draw(fresh(), { model: 'dall-e-3', n: 3 })
  expect(stub.requests.at(-1)!.body).toMatchObject({ model: 'dall-e-3', n: 1, response_format: 'b64_json' })
})

test('without tracking, the response of the provider is returned unchanged', async () => {
  const project = fresh()
  const { json } = await draw(project, {}, { track_llm_call: false })
  expect(json.ext_call_id).toBeNull()
  expect(json.response.data![0]!.b64_json).toStartWith('iVBOR')
  expect(await project.query()).toEqual([])
})

test('failures are in the response; provider failures also in the call', async () => {
  const project = fresh()
  expect((await draw(project, { model: 'grok-2-image' })).json).toEqual({
    response: { error: expect.stringContaining('XAI_API_KEY') },
    ext_call_id: null,
  })
  const { json } = await draw(project, { model: 'stub-forbidden' })
  expect(json.response.error).toContain('openai responded with status 401')
  expect((await project.readExisting(json.ext_call_id!)).exception).toBe(json.response.error!)
})

test('says what is wrong with a request', async () => {
  const project = fresh()
  expectInvalid(await draw(project, { prompt: undefined }), ['body', 'inputs', 'prompt'])
  expectInvalid(await draw(project, { n: 0 }), ['body', 'inputs', 'n'])
  const reading = await server.createKey({ name: 'r', role: 'read', scope: '*' })
  expect((await draw(project.withKey(reading))).status).toBe(403)
})

test('an API key that a provider echoes in an error is redacted', async () => {
  const project = freshProject(server.client)
  const inputs = { model: 'openai/stub-blabber', prompt: 'a lake' }
  const { json } = await project.client.post<ImageAnswer>('/image/create', { project_id: project.id, inputs })
  expect(json.response.error).toBe('The stub was given Bearer …')
  expect((await project.readExisting(json.ext_call_id!)).exception).toBe(json.response.error!)
})
