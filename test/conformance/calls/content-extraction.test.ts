import { describe, expect, test } from 'bun:test'
import { download, filesSize, noise } from '../support/files.ts'
import { freshProject, ownServer, sharedServer } from '../support/target.ts'

const server = await sharedServer()

const dataUri = (bytes: Uint8Array, prefix = 'data:image/png;base64,') => prefix + Buffer.from(bytes).toString('base64')
const large = noise(10_000, 3)

interface Content {
  _type: string
  ext_type: { type: string }
  files: { content: string; 'metadata.json': string }
}

describe('a long data URI in a call', () => {
  test('becomes two files with its exact content', async () => {
    const project = freshProject(server)
    const text = dataUri(large, 'data:image/png;name=a.png;base64,')
    const { id } = await project.start({ inputs: { messages: [{ image: { url: text } }], text: 'x' } })
    await project.end({ id, output: text })
    const call = await project.readExisting(id)
    const { messages, text: other } = call.inputs as { messages: [{ image: { url: Content } }]; text: string }
    const content = messages[0].image.url
    expect(other).toBe('x')
    expect(content).toEqual({
      _type: 'CustomExtType',
      ext_type: { type: 'ext.type_wrappers.Content.content.Content' },
      files: { content: expect.stringMatching(/^\w{43}$/), 'metadata.json': expect.stringMatching(/^\w{43}$/) },
    })
    expect(call.output).toEqual(content)
    const bytes = (await download(project, content.files.content)).bytes
    expect(bytes).toEqual(large)
    const metadata = (await download(project, content.files['metadata.json'])).json as unknown as {
      mimetype: string
      size: number
      metadata: { data_uri_prefix: string }
    }
    expect(metadata).toMatchObject({
      mimetype: 'image/png',
      size: large.byteLength,
      filename: 'content.png',
      extension: '.png',
    })
    expect(metadata.metadata.data_uri_prefix + Buffer.from(bytes).toString('base64')).toBe(text)
  })

  test('becomes a file of its own project, also in batches across projects', async () => {
    const [one, two] = [freshProject(server), freshProject(server)]
    const text = dataUri(large)
    const item = (project_id: string, inputs: unknown) => ({
      mode: 'start',
      req: { start: { project_id, op_name: 'op', started_at: '2024-01-01', attributes: {}, inputs } },
    })
    const batch = [item(one.id, { a: text, b: text }), item(two.id, { c: [text] })]
    const answer = await server.post('/call/upsert_batch', { batch })
    expect(answer.status).toBe(200)
    const [first] = await one.query()
    const { content } = (first!.inputs as { a: Content }).a.files
    for (const project of [one, two]) expect((await download(project, content)).bytes).toEqual(large)
    expect(await filesSize(one)).toBe(await filesSize(two))
  })

  test('in a rejected batch leaves no files', async () => {
    const project = freshProject(server)
    const bad = { ...completed(project.id, 'bad', {}), id: 'not an id' }
    const body = { batch: [completed(project.id, 'good', { a: dataUri(large) }), bad] }
    expect((await server.post(project.v2('calls/complete'), body)).status).toBe(422)
    expect(await filesSize(project)).toBe(0)
  })
})

describe('is stored unchanged', () => {
  const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
  test.each([
    ['a short one', dataUri(noise(100))],
    ['base64 without its media type', text(large)],
    ['a long text', 'data:'.repeat(5000)],
    ['what only looks like one', `data:image/png;base64,${'?'.repeat(20_000)}`],
    ['base64 of another spelling', `${dataUri(large)}\n`],
    ['base64 without its padding', dataUri(large).replace(/=+$/, '')],
    ['one that is not base64', `data:text/plain,${'a'.repeat(20_000)}`],
    ['a prefix without end', `data:image/png;${'a=b;'.repeat(5000)}base64,QUJD`],
  ])('%s', async (_what, value) => {
    const project = freshProject(server)
    const { id } = await project.start({ inputs: { value } })
    expect((await project.readExisting(id)).inputs).toEqual({ value })
    expect(await filesSize(project)).toBe(0)
  })

  test('in attributes', async () => {
    const project = freshProject(server)
    const { id } = await project.start({ attributes: { value: dataUri(large) } })
    expect((await project.readExisting(id)).attributes).toEqual({ value: dataUri(large) })
  })

  test('with extraction disabled', async () => {
    const own = await ownServer({ env: { TRACELAKE_EXTRACT_CONTENTS: 'off' } })
    const project = freshProject(own.client)
    const { id } = await project.start({ inputs: { value: dataUri(large) } })
    expect((await project.readExisting(id)).inputs).toEqual({ value: dataUri(large) })
  }, 120_000)
})

test('extracted content has weave names in the weave dialect', async () => {
  const own = await ownServer({ env: { TRACELAKE_DIALECT: 'weave' } })
  const project = freshProject(own.client)
  const { id } = await project.start({ inputs: { value: dataUri(large) } })
  expect((await project.readExisting(id)).inputs).toMatchObject({
    value: { _type: 'CustomWeaveType', weave_type: { type: 'weave.type_wrappers.Content.content.Content' } },
  })
}, 120_000)

const completed = (project_id: string, id: string, inputs: unknown) => ({
  project_id,
  id,
  trace_id: 'trace',
  op_name: 'op',
  started_at: '2024-01-01',
  ended_at: '2024-01-01',
  attributes: {},
  summary: {},
  inputs,
})
