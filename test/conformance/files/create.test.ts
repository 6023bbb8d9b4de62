import { describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { storedNames } from '../support/data-place.ts'
import {
  credentials,
  download,
  emptyDigest,
  filesSize,
  formBytes,
  formType,
  helloDigest,
  noise,
  postForm,
  upload,
} from '../support/files.ts'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { freshProject, ownServer, sharedServer } from '../support/target.ts'
import { until } from '../support/until.ts'

const server = await sharedServer()

const digestOf = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('base64url').replaceAll('-', 'X').replaceAll('_', 'Y')

describe('a file', () => {
  test('gets the digest of its bytes and is returned unchanged', async () => {
    const project = freshProject(server)
    expect((await upload(project, { content: 'hello' })).json).toEqual({ digest: helloDigest })
    const answer = await download(project, helloDigest)
    expect([answer.status, answer.text]).toEqual([200, 'hello'])
    expect(answer.headers.get('content-type')).toBe('application/octet-stream')
  })

  test('may be empty', async () => {
    const project = freshProject(server)
    expect((await upload(project, { content: '' })).json).toEqual({ digest: emptyDigest })
    const answer = await download(project, emptyDigest)
    expect([answer.status, answer.bytes.byteLength]).toEqual([200, 0])
    expect(await filesSize(project)).toBe(0)
  })

  test('may contain prefixes of the boundary, line ends and every byte', async () => {
    const project = freshProject(server)
    const content = new Uint8Array([
      ...new TextEncoder().encode('\r\n--\r\n--conformance-boundary\r\n\r\n'),
      ...Array.from({ length: 256 }, (_, byte) => byte),
      13,
      10,
    ])
    const { digest } = (await upload(project, { content })).json
    expect(digest).toBe(digestOf(content))
    expect((await download(project, digest)).bytes).toEqual(content)
  })

  test('may be larger than other request bodies', async () => {
    const project = freshProject(server)
    const content = noise(40 * 1024 * 1024)
    const { digest } = (await upload(project, { content })).json
    expect(digest).toBe(digestOf(content))
    expect(digestOf((await download(project, digest)).bytes)).toBe(digest)
  }, 120_000)

  test('is the same file under another name, and counted once', async () => {
    const project = freshProject(server)
    for (const name of ['a.txt', 'b.txt', null, '']) {
      expect((await upload(project, { content: 'hello', name })).json).toEqual({ digest: helloDigest })
    }
    expect(await filesSize(project)).toBe(5)
    await upload(project, { content: 'hello there' })
    expect(await filesSize(project)).toBe(16)
  })

  test('can be sent to the older path, and with the project last', async () => {
    const project = freshProject(server)
    const form = formBytes([
      { member: 'file', content: 'hello', fileName: 'x' },
      { member: 'something_new', content: 'ignored' },
      { member: 'project_id', content: project.id },
    ])
    expect((await postForm(server, '/files/create', form)).json).toEqual({ digest: helloDigest })
    const body = { project_id: project.id, digest: helloDigest }
    expect((await server.post('/files/content', body)).text).toBe('hello')
    const size = await server.post('/files/stats', { project_id: project.id })
    expect(size.json).toEqual({ total_size_bytes: 5 })
  })

  test('sent concurrently is stored once', async () => {
    const project = freshProject(server)
    const answers = await Promise.all(Array.from({ length: 12 }, () => upload(project, { content: 'hello' })))
    expect(new Set(answers.map(({ text }) => text))).toEqual(new Set([`{"digest":"${helloDigest}"}`]))
    expect(await filesSize(project)).toBe(5)
  })
})

test.each(['../../../etc/passwd', '/etc/passwd', '..\\..\\x', '%2e%2e%2fx', 'a\u0000b', 'ä😀', 'x'.repeat(5000)])(
  'a file name is a name, never a path: %s',
  async (name) => {
    const project = freshProject(server)
    expect((await upload(project, { content: 'hello', name })).json).toEqual({ digest: helloDigest })
  },
)

describe('an expected digest', () => {
  test('that matches is accepted', async () => {
    const answer = await upload(freshProject(server), { content: 'hello', expectedDigest: helloDigest })
    expect(answer.json).toEqual({ digest: helloDigest })
  })

  test('that does not match is rejected, and nothing is stored', async () => {
    const own = await ownServer()
    const project = freshProject(own.client)
    const answer = await upload(project, { content: 'hello', expectedDigest: emptyDigest })
    expect([answer.status, answer.json.error_type]).toEqual([409, 'DigestMismatch'])
    expect((await download(project, helloDigest)).status).toBe(404)
    expect(await filesSize(project)).toBe(0)
    expect(await storedNames(own.data, 'blobs')).toEqual([])
    expect(await readdir(join(own.data, 'tmp'))).toEqual([])
  }, 120_000)
})

describe('rejected', () => {
  const project = freshProject(server)
  const file = { member: 'file', content: 'hello', fileName: 'x' }
  const own = { member: 'project_id', content: project.id }

  test('without a project, without a file, with a bad project', async () => {
    expectInvalid(await postForm(server, '/file/create', formBytes([file])), ['body', 'project_id'])
    expectInvalid(await postForm(server, '/file/create', formBytes([own])), ['body', 'file'])
    const bad = formBytes([{ member: 'project_id', content: 'no-slash' }, file])
    expectInvalid(await postForm(server, '/file/create', bad), ['body', 'project_id'])
  })

  test('an unsupported content type', async () => {
    const answer = await server.post('/file/create', { project_id: project.id })
    expectRefusal(answer, 415)
    expectRefusal(await postForm(server, '/file/create', formBytes([own]), 'multipart/form-data'), 415)
  })

  test('a form truncated anywhere', async () => {
    const form = formBytes([own, file])
    const before = await filesSize(project)
    for (let length = 0; length < form.byteLength - 4; length += 7) {
      const answer = await postForm(server, '/file/create', form.slice(0, length))
      expect([400, 422]).toContain(answer.status)
    }
    expect(await filesSize(project)).toBe(before)
  }, 120_000)

  test('two files', async () => {
    expectRefusal(await postForm(server, '/file/create', formBytes([own, file, file])), 400)
  })

  test('too many fields, and fields that are too long', async () => {
    const many = Array.from({ length: 50 }, (_, index) => ({ member: `m${index}`, content: 'x' }))
    expectRefusal(await postForm(server, '/file/create', formBytes([...many, own, file])), 400)
    const long = formBytes([{ member: 'project_id', content: `${project.id}${'x'.repeat(100_000)}` }, file])
    expectInvalid(await postForm(server, '/file/create', long), ['body', 'project_id'])
  })

  test.each([
    ['text before and after the form', (form: string) => `before\r\n${form}after\r\n`, true],
    ['no line end after the last boundary', (form: string) => form.trimEnd(), true],
    [
      'a header of a megabyte',
      (form: string) => form.replace('Content-Type: ', `X: ${'x'.repeat(1e6)}\r\nContent-Type: `),
      undefined,
    ],
    [
      'ten thousand headers',
      (form: string) => form.replace('Content-Type: ', `${'X: x\r\n'.repeat(1e4)}Content-Type: `),
      undefined,
    ],
    ['a part without a name', (form: string) => form.replace('name="file"; ', ''), false],
    [
      'a part without headers',
      (form: string) => form.replace(/Content-Disposition: form-data; name="file".*\r\n/, ''),
      false,
    ],
    ['line ends without carriage returns', (form: string) => form.replaceAll('\r\n', '\n'), false],
    ['nothing', () => '', false],
    ['a boundary and nothing else', () => '--conformance-boundary-7d81b516--\r\n', false],
    ['noise', () => 'x'.repeat(100_000), false],
  ])('or accepted, but never an internal error: %s', async (_what, change, isFine) => {
    const form = change(new TextDecoder().decode(formBytes([own, file])))
    const answer = await postForm<{ digest: string }>(server, '/file/create', new TextEncoder().encode(form))
    if (isFine) expect(answer.json.digest).toBe(helloDigest)
    else if (isFine === false) expect([400, 422]).toContain(answer.status)
    else expect([200, 400, 422]).toContain(answer.status)
  })

  test.each(['x'.repeat(70), 'a', `'()+_,-./:=?`, '----WebKitFormBoundary7MA4YWxkTrZu0gW'])(
    'no valid boundary: %s',
    async (boundary) => {
      const text = new TextDecoder()
        .decode(formBytes([own, file]))
        .replaceAll('conformance-boundary-7d81b516', boundary)
      const type = `multipart/form-data; boundary="${boundary}"`
      const answer = await postForm<{ digest: string }>(server, '/file/create', new TextEncoder().encode(text), type)
      expect(answer.json).toEqual({ digest: helloDigest })
    },
  )

  test('ignored fields may have any name', async () => {
    const odd = ['__proto__', 'constructor', 'toString'].map((member) => ({ member, content: 'x' }))
    const answer = await postForm<{ digest: string }>(server, '/file/create', formBytes([...odd, own, file]))
    expect(answer.json.digest).toBe(helloDigest)
  })
})

describe('access', () => {
  test('sending a file requires write access to the project', async () => {
    const own = await ownServer()
    const project = freshProject(own.client)
    const scope = project.id
    const reader = project.withKey(await own.createKey({ name: 'reader', role: 'read', scope }))
    const stranger = project.withKey(await own.createKey({ name: 'stranger', role: 'write', scope: 'other/project' }))
    const writer = project.withKey(await own.createKey({ name: 'writer', role: 'write', scope }))
    expectRefusal(await upload(reader, { content: 'hello' }), 403)
    expectRefusal(await upload(stranger, { content: 'hello' }), 403)
    expectRefusal(await download(stranger, helloDigest), 403)
    expect((await upload(writer, { content: 'hello' })).status).toBe(200)
    expect((await download(reader, helloDigest)).text).toBe('hello')
    expect((await upload(project.withKey('0'.repeat(40)), { content: 'hello' })).status).toBe(401)
    expect(await readdir(join(own.data, 'tmp'))).toEqual([])
  }, 120_000)
})

describe('limits', () => {
  test('a file over the limit is rejected, with or without a declared length, and nothing is stored', async () => {
    const own = await ownServer({ env: { TRACELAKE_MAX_FILE_MB: '1' } })
    const project = freshProject(own.client)
    expect((await upload(project, { content: noise(1024 * 1024) })).status).toBe(200)
    expectRefusal(await upload(project, { content: noise(1024 * 1024 + 1) }), 413)
    const form = formBytes([
      { member: 'project_id', content: project.id },
      { member: 'file', content: noise(3 * 1024 * 1024), fileName: 'x' },
    ])
    const streamed = await fetch(`${own.client.address}/file/create`, {
      method: 'POST',
      headers: { ...credentials(own.client), 'content-type': formType },
      body: new Blob([form]).stream(),
    })
    expect(streamed.status).toBe(413)
    expect(await readdir(join(own.data, 'tmp'))).toEqual([])
    expect(await filesSize(project)).toBe(1024 * 1024)
  }, 120_000)

  test('an aborted upload leaves nothing behind', async () => {
    const own = await ownServer()
    const project = freshProject(own.client)
    const form = formBytes([
      { member: 'project_id', content: project.id },
      { member: 'file', content: noise(2 * 1024 * 1024), fileName: 'x' },
    ])
    const { hostname, port } = new URL(own.client.address)
    await new Promise<void>((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => {
        const head = [
          'POST /file/create HTTP/1.1',
          'host: x',
          `authorization: ${credentials(own.client)['authorization']}`,
          `content-type: ${formType}`,
          `content-length: ${form.byteLength}`,
        ]
        socket.write(`${head.join('\r\n')}\r\n\r\n`)
        socket.write(form.slice(0, 1024 * 1024), () => socket.destroy())
      })
      socket.on('close', () => resolve()).on('error', reject)
    })
    const folder = join(own.data, 'tmp')
    await until(async () => (await readdir(folder)).length === 0)
    expect((await upload(project, { content: 'hello' })).status).toBe(200)
  }, 120_000)
})
