import { describe, expect, test } from 'bun:test'
import { download, emptyDigest, helloDigest, noise, upload } from '../support/files.ts'
import { expectRefusal } from '../support/refusals.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const server = await sharedServer()
const project = freshProject(server)
await upload(project, { content: 'hello' })
await upload(project, { content: '' })

describe('a range of a file', () => {
  test.each([
    ['bytes=0-1', 'he', 'bytes 0-1/5'],
    ['bytes=1-', 'ello', 'bytes 1-4/5'],
    ['bytes=-2', 'lo', 'bytes 3-4/5'],
    ['bytes=-99', 'hello', 'bytes 0-4/5'],
    ['bytes=4-99', 'o', 'bytes 4-4/5'],
    ['BYTES = 0-0', 'h', 'bytes 0-0/5'],
  ])('%s', async (range, text, contentRange) => {
    const answer = await download(project, helloDigest, { range })
    expect([answer.status, answer.text]).toEqual([206, text])
    expect(answer.headers.get('content-range')).toBe(contentRange)
    expect(answer.headers.get('content-length')).toBe(String(text.length))
    expect(answer.headers.get('content-disposition')).toBe('attachment')
  })

  test.each(['bytes=5-', 'bytes=9-10', 'bytes=-0'])('%s is not satisfiable', async (range) => {
    const answer = await download(project, helloDigest, { range })
    expectRefusal(answer, 416)
    expect(answer.headers.get('content-range')).toBe('bytes */5')
  })

  test('of an empty file is not satisfiable', async () => {
    expect((await download(project, emptyDigest, { range: 'bytes=0-' })).status).toBe(416)
  })

  test.each(['bytes=0-1,3-4', 'bytes=3-1', 'bytes=-', 'lines=1-2', 'nonsense'])(
    '%s returns the whole file',
    async (range) => {
      const answer = await download(project, helloDigest, { range })
      expect([answer.status, answer.text]).toEqual([200, 'hello'])
    },
  )

  test('of a large file spans chunks', async () => {
    const content = noise(3 * 1024 * 1024, 7)
    const { digest } = (await upload(project, { content })).json
    const answer = await download(project, digest, { range: 'bytes=524200-2000000' })
    expect(answer.bytes).toEqual(content.slice(524200, 2000001))
  })
})

describe('a file that the client already has', () => {
  test('is not sent again', async () => {
    const { headers } = await download(project, helloDigest)
    const etag = headers.get('etag')!
    expect(etag).toBe(`"${helloDigest}"`)
    expect(headers.get('accept-ranges')).toBe('bytes')
    for (const known of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const answer = await download(project, helloDigest, { 'if-none-match': known })
      expect([answer.status, answer.text]).toEqual([304, ''])
    }
    expect((await download(project, helloDigest, { 'if-none-match': '"x"' })).text).toBe('hello')
  })

  test('is resumed if unchanged', async () => {
    const same = { range: 'bytes=2-', 'if-range': `"${helloDigest}"` }
    expect((await download(project, helloDigest, same)).text).toBe('llo')
    expect((await download(project, helloDigest, { ...same, 'if-range': '"x"' })).text).toBe('hello')
  })
})

describe('no file', () => {
  test('of another project', async () => {
    expectRefusal(await download(freshProject(server), helloDigest), 404)
  })

  test.each(['x', '', '..', '../../keys.json', `../${helloDigest}`, 'A'.repeat(43), `${helloDigest}/`, '%2e%2e%2f'])(
    'under %s',
    async (digest) => {
      expectRefusal(await download(project, digest), 404)
    },
  )

  test('under a digest that is too long', async () => {
    expect((await download(project, 'A'.repeat(5000))).status).toBe(422)
  })
})

test('a project without files has 0 bytes of files', async () => {
  const answer = await server.post('/files/query_stats', { project_id: freshProject(server).id })
  expect(answer.json).toEqual({ total_size_bytes: 0 })
})
