import { expect, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { download, filesSize, formBytes, formType, helloDigest } from '../support/files.ts'
import type { Project } from '../support/project.ts'
import { expectRefusal } from '../support/refusals.ts'
import { freshProject, ownServer } from '../support/target.ts'

const MiB = 1024 * 1024
const server = await ownServer({ env: { TRACELAKE_MAX_FILE_MB: '1' } })

const compressions: [string, (bytes: Uint8Array) => Uint8Array][] = [
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['zstd', zstdCompressSync],
]

const formOf = (project: Project, content: string | Uint8Array) =>
  formBytes([
    { member: 'project_id', content: project.id },
    { member: 'file', content, fileName: 'x' },
  ])

const send = (encoding: string, bytes: Uint8Array) => {
  const headers = { 'content-type': formType, 'content-encoding': encoding }
  return server.client.postRaw<{ digest: string }>('/file/create', new Uint8Array(bytes), { headers })
}

const leftovers = () => readdir(join(server.data, 'tmp'))

test.each(compressions)('accepts a form in %s', async (encoding, compress) => {
  const project = freshProject(server.client)
  expect((await send(encoding, compress(formOf(project, 'hello')))).json).toEqual({ digest: helloDigest })
  expect((await download(project, helloDigest)).text).toBe('hello')
})

test('accepts identity', async () => {
  const project = freshProject(server.client)
  expect((await send('identity', formOf(project, 'hello'))).json).toEqual({ digest: helloDigest })
})

test.each(compressions)('%s cannot exceed the size limit, inside the file or after it', async (encoding, compress) => {
  const project = freshProject(server.client)
  expectRefusal(await send(encoding, compress(formOf(project, new Uint8Array(MiB + 1)))), 413)
  const behind = Buffer.concat([formOf(project, 'hello'), new Uint8Array(8 * MiB)])
  expectRefusal(await send(encoding, compress(behind)), 413)
  expect([await leftovers(), await filesSize(project)]).toEqual([[], 0])
})

test.each(compressions)('rejects truncated or invalid %s', async (encoding, compress) => {
  const project = freshProject(server.client)
  const form = formOf(project, crypto.getRandomValues(new Uint8Array(60_000)))
  const whole = compress(form)
  expectRefusal(await send(encoding, whole.subarray(0, whole.byteLength / 2)), 400)
  expectRefusal(await send(encoding, form), 400, encoding)
  expect([await leftovers(), await filesSize(project)]).toEqual([[], 0])
})

test('rejects an unknown encoding', async () => {
  expectRefusal(await send('br', formOf(freshProject(server.client), 'hello')), 415, 'br')
  expect(await leftovers()).toEqual([])
})
