import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { requestLimits } from '../../../lib/limits/requests.ts'
import { FolderDocuments } from '../../../runtime/documents/folder-documents.ts'
import { createLog } from '../../../runtime/log.ts'
import { Access } from '../access.ts'
import { KeyRing } from '../key-ring.ts'
import { Sessions } from './sessions.ts'

const dayMs = 86_400_000
const log = createLog('silent')
let dataFolder: string
let nowMs: number
const clock = { nowMs: () => nowMs }
const opened: Access[] = []

beforeEach(async () => {
  dataFolder = await mkdtemp(path.join(tmpdir(), 'sessions-'))
  nowMs = Date.parse('2026-01-02T03:04:05Z')
})
afterEach(async () => {
  // The last uses of keys are written in the background.
  for (const access of opened.splice(0)) await access.close()
  await rm(dataFolder, { recursive: true })
})

async function openAccess(adminKey?: string): Promise<Access> {
  const access = await Access.open({ documents: new FolderDocuments(dataFolder), adminKey, clock, log })
  opened.push(access)
  return access
}

async function open(adminKey?: string) {
  const access = await openAccess(adminKey)
  const sessions = await Sessions.open({ documents: new FolderDocuments(dataFolder), access, clock, log })
  return { sessions, admin: (await access.operator())! }
}

const stored = async (): Promise<{ expires_ms: number }[]> =>
  JSON.parse(await readFile(path.join(dataFolder, 'sessions.json'), 'utf8')).sessions

test('a session lives for 30 days from the last visit, which is written once a day', async () => {
  const { sessions, admin } = await open()
  const token = await sessions.open(admin)
  const [{ expires_ms }] = (await stored()) as [{ expires_ms: number }]
  nowMs += dayMs - 1
  expect(await sessions.find(token)).toMatchObject({ caller: { role: 'admin' }, isExtended: false })
  expect(await stored()).toMatchObject([{ expires_ms }])
  nowMs += 2
  expect(await sessions.find(token)).toMatchObject({ isExtended: true })
  expect(await sessions.find(token)).toMatchObject({ isExtended: false })
  expect(await stored()).toMatchObject([{ expires_ms: nowMs + 30 * dayMs }])
  nowMs += 30 * dayMs - 1
  expect(await (await open()).sessions.find(token)).toMatchObject({ isExtended: true })
  nowMs += 30 * dayMs
  expect(await (await open()).sessions.find(token)).toBeUndefined()
})

test('beyond the sessions that a key may have, its oldest ends', async () => {
  const { sessions, admin } = await open()
  const tokens: string[] = []
  for (let count = 0; count <= requestLimits.sessionsPerKeyMax; count++) tokens.push(await sessions.open(admin))
  expect(await sessions.find(tokens[0]!)).toBeUndefined()
  expect(await sessions.find(tokens[1]!)).toBeDefined()
  expect(await stored()).toHaveLength(requestLimits.sessionsPerKeyMax)
})

test('an expired session makes room', async () => {
  const { sessions, admin } = await open()
  await sessions.open(admin)
  nowMs += 31 * dayMs
  await sessions.open(admin)
  expect(await stored()).toHaveLength(1)
})

test('a session ends with its key, and the keys of others do not matter', async () => {
  const { sessions, admin } = await open()
  const ring = new KeyRing(new FolderDocuments(dataFolder), clock)
  const { record } = await ring.create({ name: 'ci', role: 'read', scope: 'acme' })
  const access = await openAccess()
  const token = await sessions.open((await access.callerWith(record.id))!)
  const others = await sessions.open(admin)
  nowMs += 300
  expect(await sessions.find(token)).toMatchObject({ caller: { role: 'read', scopes: ['acme'] } })
  await ring.revoke(record.id)
  nowMs += 300
  expect(await sessions.find(token)).toBeUndefined()
  expect(await sessions.find(others)).toBeDefined()
})

test('only a folder without a session file is new', async () => {
  expect((await open()).sessions.isFirstStart).toBe(true)
  expect((await open()).sessions.isFirstStart).toBe(false)
  await writeFile(path.join(dataFolder, 'sessions.json'), '')
  expect((await open()).sessions.isFirstStart).toBe(false)
})

test('concurrent changes are all kept', async () => {
  const { sessions, admin } = await open('the-preset-key')
  const tokens = await Promise.all(Array.from({ length: 20 }, () => sessions.open(admin)))
  await Promise.all(tokens.slice(0, 10).map((token) => sessions.end(token)))
  const again = (await open('the-preset-key')).sessions
  const found = await Promise.all(tokens.map((token) => again.find(token)))
  expect(found.map((session) => session !== undefined)).toEqual(tokens.map((_, index) => index >= 10))
  const other = (await open('another-preset-key')).sessions
  expect(await other.find(tokens[19]!)).toBeUndefined()
})
