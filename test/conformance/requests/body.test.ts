import { describe, expect, test } from 'bun:test'
import { deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { startOf } from '../support/call-shapes.ts'
import type { Project } from '../support/project.ts'
import { expectRefusal } from '../support/refusals.ts'
import { freshProject, ownServer } from '../support/target.ts'

const MiB = 1024 * 1024
const server = await ownServer({ env: { TRACELAKE_MAX_BODY_MB: '1' } })
const { client } = server

const startText = (project: Project, text = ''): string =>
  JSON.stringify({ start: startOf(project.id, { id: 'a', inputs: { text } }) })

/** The body of a start that is exactly `size` bytes long. */
function startOfSize(project: Project, size: number): string {
  return startText(project, 'x'.repeat(size - startText(project).length))
}

const compressions: [string, (text: string) => Uint8Array][] = [
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['zstd', (text) => zstdCompressSync(Buffer.from(text))],
]

const sendCompressed = (encoding: string, bytes: Uint8Array) =>
  client.postRaw('/call/start', new Uint8Array(bytes), { headers: { 'content-encoding': encoding } })

describe('content encoding', () => {
  test.each(compressions)('%s is accepted', async (encoding, compress) => {
    const project = freshProject(client)
    const answer = await sendCompressed(encoding, compress(startText(project, 'Grüße')))
    expect(`${answer.status} ${answer.text}`).toStartWith('200 ')
    expect((await project.readExisting('a')).inputs).toEqual({ text: 'Grüße' })
  })

  test.each(compressions)('%s cannot exceed the size limit', async (encoding, compress) => {
    const project = freshProject(client)
    const bomb = compress(startOfSize(project, 20 * MiB))
    expect(bomb.byteLength).toBeLessThan(MiB)
    expectRefusal(await sendCompressed(encoding, bomb), 413)
    expect(await project.read('a')).toBeNull()
  })

  test.each(compressions)('damaged %s is rejected', async (encoding) => {
    expectRefusal(await sendCompressed(encoding, new TextEncoder().encode('{"no":"compression"}')), 400, encoding)
  })

  test('identity is accepted', async () => {
    const project = freshProject(client)
    expect((await sendCompressed('identity', new TextEncoder().encode(startText(project)))).status).toBe(200)
  })

  test('an unknown one is rejected', async () => {
    expectRefusal(await sendCompressed('br', new Uint8Array(8)), 415, 'br')
  })
})

describe('size of a body', () => {
  test('exactly the limit is accepted', async () => {
    const project = freshProject(client)
    const answer = await client.postRaw('/call/start', startOfSize(project, MiB))
    expect(answer.status).toBe(200)
  })

  test('one byte more is rejected', async () => {
    const project = freshProject(client)
    expectRefusal(await client.postRaw('/call/start', startOfSize(project, MiB + 1)), 413)
    expect(await project.read('a')).toBeNull()
  })

  test('much more is rejected, and the server keeps running', async () => {
    const project = freshProject(client)
    expectRefusal(await client.postRaw('/call/start', startOfSize(project, 8 * MiB)), 413)
    await project.start({ id: 'after' })
    expect(await project.idsOf()).toEqual(['after'])
  })
})

describe('content type', () => {
  test.each(['application/json', 'application/json; charset=utf-8', 'APPLICATION/JSON'])(
    '%s is accepted',
    async (type) => {
      const project = freshProject(client)
      const answer = await client.postRaw('/call/start', startText(project), { headers: { 'content-type': type } })
      expect(answer.status).toBe(200)
    },
  )

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/xml'])(
    '%s is rejected',
    async (type) => {
      const project = freshProject(client)
      const answer = await client.postRaw('/call/start', startText(project), { headers: { 'content-type': type } })
      expectRefusal(answer, 415)
      expect(await project.read('a')).toBeNull()
    },
  )

  test('may be missing', async () => {
    const project = freshProject(client)
    const response = await fetch(`${client.address}/call/start`, {
      method: 'POST',
      headers: { authorization: `Bearer ${client.key}` },
      body: new TextEncoder().encode(startText(project)),
    })
    expect(response.status).toBe(200)
    expect(await project.read('a')).not.toBeNull()
  })
})
