import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { FolderDocuments } from '../../runtime/documents/folder-documents.ts'
import { createLog } from '../../runtime/log.ts'
import { Access } from './access.ts'
import type { Caller } from './caller.ts'
import { KeyRing } from './key-ring.ts'

let dataFolder: string
let nowMs: number
const clock = { nowMs: () => nowMs }
const opened: Access[] = []
const basic = (key: string, user = 'api') => new Headers({ authorization: `Basic ${btoa(`${user}:${key}`)}` })
const bearer = (key: string) => new Headers({ authorization: `Bearer ${key}` })

beforeEach(async () => {
  dataFolder = await mkdtemp(path.join(tmpdir(), 'access-'))
  nowMs = Date.parse('2026-01-02T03:04:05Z')
})
afterEach(async () => {
  // The last uses of keys are written in the background.
  for (const access of opened.splice(0)) await access.close()
  await rm(dataFolder, { recursive: true })
})

async function open(adminKey?: string): Promise<Access> {
  const access = await Access.open({
    documents: new FolderDocuments(dataFolder),
    adminKey,
    clock,
    log: createLog('silent'),
  })
  opened.push(access)
  return access
}

const who = ({ userId, userName, role, scopes: [scope] }: Caller) => ({ userId, userName, role, scope })

describe('first start', () => {
  test('creates an admin key, prints it once and stores only its hash', async () => {
    const { firstAdminKey } = await open()
    expect(firstAdminKey).toMatch(/^[0-9a-f]{40}$/)
    const again = await open()
    expect(again.firstAdminKey).toBeUndefined()
    expect(who(await again.authenticate(basic(firstAdminKey!)))).toEqual({
      userId: firstAdminKey!.slice(0, 8),
      userName: 'admin',
      role: 'admin',
      scope: '*',
    })
    const file = path.join(dataFolder, 'keys.json')
    expect(await readFile(file, 'utf8')).not.toContain(firstAdminKey!.slice(8))
    expect((await stat(file)).mode & 0o777).toBe(0o600)
  })

  test('creates no key if an admin key is preset', async () => {
    const access = await open('päss:word-1')
    expect(access.firstAdminKey).toBeUndefined()
    const utf8 = String.fromCharCode(...new TextEncoder().encode('me:päss:word-1'))
    const caller = await access.authenticate(new Headers({ authorization: `Basic ${btoa(utf8)}` }))
    expect(who(caller)).toEqual({ userId: 'admin', userName: 'admin', role: 'admin', scope: '*' })
    expect(access.usernames().get('admin')).toBe('admin')
    expect(await Array.fromAsync(new Bun.Glob('*').scan(dataFolder))).toEqual([])
  })

  test('rejects a weak preset admin key', async () => {
    await expect(open('short')).rejects.toThrow('TRACELAKE_ADMIN_KEY must have at least 8 characters, not 5')
  })

  test('rejects all requests if the key file is damaged', async () => {
    await writeFile(path.join(dataFolder, 'keys.json'), '{"version":2,"keys":[]}')
    await expect(open()).rejects.toThrow(/keys\.json": \/version: /)
  })
})

describe('authentication', () => {
  let access: Access
  let key: string
  beforeEach(async () => {
    access = await open('admin-key-1')
    key = (
      await new KeyRing(new FolderDocuments(dataFolder), clock).create({ name: 'ci', role: 'write', scope: 'acme' })
    ).text
    nowMs += 300
  })

  test('accepts an API key in every supported header', async () => {
    const places = [
      basic(key),
      basic(key, ''),
      bearer(key),
      new Headers({ authorization: `bEARER  ${key} ` }),
      new Headers({ 'ext-api-key': key }),
      new Headers({ 'wandb-api-key': key }),
    ]
    for (const headers of places) {
      expect(who(await access.authenticate(headers))).toEqual({
        userId: key.slice(0, 8),
        userName: 'ci',
        role: 'write',
        scope: 'acme',
      })
    }
  })

  test.each([
    ['nothing', () => new Headers()],
    ['an unknown key', () => bearer('0'.repeat(40))],
    ['the key id alone', () => bearer(key.slice(0, 8))],
    ['a wrong secret', () => bearer(key.slice(0, 39) + (key.endsWith('0') ? '1' : '0'))],
    ['the key in upper case', () => bearer(key.toUpperCase())],
    ['a password without a user part', () => new Headers({ authorization: `Basic ${btoa(key)}` })],
    ['invalid base64', () => new Headers({ authorization: 'Basic *' })],
    ['an unsupported scheme', () => new Headers({ authorization: `Digest ${key}` })],
    [
      'a bad authorization header next to a valid key header',
      () => new Headers({ authorization: 'Bearer x', 'ext-api-key': key }),
    ],
    ['an empty header', () => new Headers({ 'ext-api-key': ' ' })],
  ])('rejects %s', async (_, headers) => {
    await expect(access.authenticate(headers())).rejects.toMatchObject({ type: 'Unauthorized' })
  })

  test('accepts a key that another process has just created', async () => {
    await access.authenticate(bearer(key))
    const made = await new KeyRing(new FolderDocuments(dataFolder), clock).create({
      name: 'late',
      role: 'read',
      scope: 'acme',
    })
    const [first, second] = await Promise.all([
      access.authenticate(bearer(made.text)),
      access.authenticate(bearer(made.text)),
    ])
    expect([first.userName, second.userName]).toEqual(['late', 'late'])
  })

  test('honours revocation by another process, and still resolves the name', async () => {
    await access.authenticate(bearer(key))
    await new KeyRing(new FolderDocuments(dataFolder), clock).revoke(key.slice(0, 8))
    nowMs += 250
    await expect(access.authenticate(bearer(key))).rejects.toMatchObject({ type: 'Unauthorized' })
    expect(access.usernames().get(key.slice(0, 8))).toBe('ci')
  })

  test('an anonymous caller has access to no project', () => {
    expect(() => access.anonymous.read('acme/bot')).toThrow('no access')
    expect(access.anonymous.role).toBe('read')
  })
})
