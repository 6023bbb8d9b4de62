import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { FolderDocuments } from '../../runtime/documents/folder-documents.ts'
import { systemClock } from '../../runtime/platform/clock.ts'
import { KeyRing } from './key-ring.ts'

let folder: string
let ring: KeyRing

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'keys-'))
  ring = new KeyRing(new FolderDocuments(path.join(folder, 'data')), systemClock)
})
afterEach(() => rm(folder, { recursive: true }))

const requested = { name: 'ci', role: 'read', scope: '*' }

test('concurrent changes are all kept and leave no temporary files', async () => {
  const rings = Array.from(
    { length: 12 },
    () => new KeyRing(new FolderDocuments(path.join(folder, 'data')), systemClock),
  )
  const made = await Promise.all(rings.map((one, at) => one.create({ ...requested, name: `ci ${at}` })))
  expect((await ring.list()).map((key) => key.id).sort()).toEqual(made.map(({ record }) => record.id).sort())
  expect(await readdir(path.join(folder, 'data'))).toEqual(['keys.json'])
})

test('a stale lock of a dead process is broken', async () => {
  await ring.create(requested)
  const lock = path.join(folder, 'data', 'keys.json.lock')
  await writeFile(lock, 'dead')
  await utimes(lock, new Date(), new Date(Date.now() - 60_000))
  await Promise.all(Array.from({ length: 12 }, () => ring.create(requested)))
  expect(await ring.list()).toHaveLength(13)
  expect(await readdir(path.join(folder, 'data'))).toEqual(['keys.json'])
})

test.each([
  [{ name: ' ' }, 'Invalid name " ": use 1 to 128 printable characters'],
  [{ name: 'a\nb' }, 'Invalid name "a\\nb"'],
  [{ role: 'root' }, 'Invalid role "root": use one of read, write, admin'],
  [{ scope: '' }, 'Invalid scope ""'],
  [{ scope: 'a/b/c' }, 'Invalid scope "a/b/c"'],
  [{ scope: 'acme/' }, 'Invalid scope "acme/"'],
])('rejects %p', async (change, message) => {
  await expect(ring.create({ ...requested, ...change })).rejects.toThrow(message)
})

test.each(['*', 'acme', 'acme/support-bot', 'my team/my project'])('accepts the scope %p', async (scope) => {
  expect((await ring.create({ ...requested, scope })).record.scope).toBe(scope)
})

test('revocation is final, and an unknown id creates no file', async () => {
  await expect(ring.revoke('00000000')).rejects.toMatchObject({ type: 'NotFound' })
  expect(await readdir(folder)).toEqual([])
  const { record } = await ring.create(requested)
  const first = await ring.revoke(record.id)
  expect(await ring.revoke(record.id)).toEqual(first)
})
