import { afterEach, beforeEach, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ServerChild } from '../crash/server-child.ts'
import { queryDuckDb } from '../store/folder-state.ts'
import { runCommand } from './command.ts'
import { makeSampleFolder } from './sample-folder.ts'

let parent: string
let data: string
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'tracelake-flush-'))
  data = join(parent, 'data')
  await makeSampleFolder(data)
}, 120_000)
afterEach(() => rm(parent, { recursive: true }))

const parquetNames = (): string[] =>
  readdirSync(join(data, 'tables', 'calls')).filter((name) => name.endsWith('.parquet'))

/** Ids of calls in Parquet files, as read by any program. */
async function idsInFiles(): Promise<string[]> {
  const rows = await queryDuckDb(
    `SELECT id FROM read_parquet('${join(data, 'tables', 'calls')}/*.parquet') ORDER BY id`,
  )
  return rows.map(({ id }) => String(id))
}

test('flush writes the log of a killed server to data files', async () => {
  expect(await idsInFiles()).toEqual(['a', 'b', 'c', 'd', 'e'])
  const { out, code } = await runCommand('flush', '--data', data)
  expect(code).toBe(0)
  expect(out).toContain('rows written from the log: 1.\n')
  expect(await idsInFiles()).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
  expect((await runCommand('flush', '--data', data)).out).toContain('rows written from the log: 0.\n')
  expect(await runCommand('verify', '--data', data)).toMatchObject({ code: 0 })
}, 120_000)

test('compact merges a few files into one and leaves no others', async () => {
  expect(parquetNames()).toHaveLength(2)
  const { out, code } = await runCommand('compact', '--data', data)
  expect(code).toBe(0)
  expect(out).toMatch(/^Compacted .*: \d+ Parquet files \(.*\) are now \d+ \(.*\)\.\n$/)
  expect(parquetNames()).toHaveLength(1)
  expect(await idsInFiles()).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
  expect(await runCommand('verify', '--data', data)).toMatchObject({ code: 0 })
}, 120_000)

test('both fail while a server runs, and name its process', async () => {
  const server = new ServerChild({ kind: 'plain', data, adminKey: 'c'.repeat(40) })
  try {
    await server.listening()
    for (const command of ['flush', 'compact']) {
      const { out, err, code } = await runCommand(command, '--data', data)
      expect({ out, code }).toEqual({ out: '', code: 2 })
      expect(err).toContain(`process ${server.pid} has it open`)
    }
    expect(await runCommand('verify', '--data', data)).toMatchObject({ code: 0 })
  } finally {
    await server.kill()
  }
}, 120_000)

test('a folder without tables or with an incomplete backup is rejected and unchanged', async () => {
  const half = join(parent, 'half')
  await cp(data, half, { recursive: true })
  await Bun.write(join(half, 'backup-unfinished.json'), '{}')
  const before = readdirSync(half).sort()
  for (const command of ['flush', 'compact']) {
    expect(await runCommand(command, '--data', join(parent, 'none'))).toMatchObject({ out: '', code: 2 })
    const refused = await runCommand(command, '--data', half)
    expect(refused).toMatchObject({ out: '', code: 2 })
    expect(refused.err).toContain('is an incomplete backup or copy')
  }
  expect(readdirSync(half).sort()).toEqual(before)
  expect(readdirSync(parent).sort()).toEqual(['data', 'half'])
}, 120_000)
