import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { requestLimits } from '../../lib/limits/requests.ts'
import { FolderDocuments } from '../../runtime/documents/folder-documents.ts'
import { createLog } from '../../runtime/log.ts'
import { Access, type ProjectWriter } from '../access/index.ts'
import { SharedLinks } from './shared-links.ts'

const dayMs = 86_400_000
const log = createLog('silent')
let dataFolder: string
let nowMs: number
let access: Access
let writer: ProjectWriter
const clock = { nowMs: () => nowMs }

beforeEach(async () => {
  dataFolder = await mkdtemp(path.join(tmpdir(), 'links-'))
  nowMs = Date.parse('2026-01-02T03:04:05Z')
  access = await Access.open({ documents: new FolderDocuments(dataFolder), adminKey: undefined, clock, log })
  writer = (await access.operator())!.write('acme/bot')
})
afterEach(async () => {
  await access.close()
  await rm(dataFolder, { recursive: true })
})

const open = () => SharedLinks.open({ documents: new FolderDocuments(dataFolder), access, clock, log })
const stored = async (): Promise<{ id: string; revoked_ms: number | null }[]> =>
  JSON.parse(await readFile(path.join(dataFolder, 'shared-links.json'), 'utf8')).links

/** How a link ended, by the file that another process reads. */
async function endOf(id: string, secret: string) {
  return (await (await open()).redeem({ id, secret }, 'here')).end
}

test('a link works until its time, also after a restart, and not a moment longer', async () => {
  const links = await open()
  const { link, secret } = await links.create(writer, { traceId: 'trace', lifeMs: dayMs })
  nowMs += dayMs - 1
  expect(await endOf(link.id, secret)).toBeUndefined()
  expect(await links.list(() => true)).toEqual([link])
  nowMs += 1
  expect(await endOf(link.id, secret)).toBe('expired')
  expect(await links.list(() => true)).toEqual([])
})

test('the end of a link is remembered for a month, so that visitors learn of it', async () => {
  const links = await open()
  const old = await links.create(writer, { traceId: 'trace', lifeMs: dayMs })
  await links.revoke(writer, old.link.id)
  nowMs += dayMs + requestLimits.sharedLinkKeptMs - 1
  await links.create(writer, { traceId: 'trace', lifeMs: dayMs })
  expect(await endOf(old.link.id, old.secret)).toBe('revoked')
  nowMs += 1
  await links.create(writer, { traceId: 'trace', lifeMs: dayMs })
  expect((await stored()).map(({ id }) => id)).not.toContain(old.link.id)
})

test('a trace has a limited number of links', async () => {
  const links = await open()
  const make = () => links.create(writer, { traceId: 'trace', lifeMs: dayMs })
  const made = await make()
  for (let more = 1; more < requestLimits.sharedLinksPerTraceMax; more++) await make()
  await expect(make()).rejects.toThrow('revoke one of them first')
  await links.create(writer, { traceId: 'other', lifeMs: dayMs })
  await links.revoke(writer, made.link.id)
  await make()
})

test('a link that could not be written does not work', async () => {
  const links = await open()
  await rm(dataFolder, { recursive: true })
  await writeFile(dataFolder, 'in the way')
  await expect(links.create(writer, { traceId: 'trace', lifeMs: dayMs })).rejects.toThrow()
  expect(await links.list(() => true)).toEqual([])
})

test('a damaged file costs the links, not the start', async () => {
  const { link, secret } = await (await open()).create(writer, { traceId: 'trace', lifeMs: dayMs })
  await writeFile(path.join(dataFolder, 'shared-links.json'), '{"version":1,')
  await expect(endOf(link.id, secret)).rejects.toThrow('not valid')
})
