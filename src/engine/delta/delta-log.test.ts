import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Database } from '../../runtime/duck/database.ts'
import { Writer } from '../../runtime/duck/writer.ts'
import type { Add } from './actions.ts'
import { DeltaLog, removeAction } from './delta-log.ts'
import { type DeltaState, readDeltaState } from './delta-state.ts'

const root = mkdtempSync(join(tmpdir(), 'tracelake-delta-'))
const database = await Database.open({ memoryBytesMax: 256e6, temporaryFolder: root })
const writer = new Writer(await database.connect())
afterAll(() => {
  writer.close()
  database.close()
  rmSync(root, { recursive: true })
})
let folders = 0
const freshFolder = (): string => join(root, String(folders++), '_delta_log')

const add = (path: string): Add => ({
  add: {
    path,
    partitionValues: {},
    size: 10,
    modificationTime: 1,
    dataChange: true,
    stats: '{"numRecords":1,"minValues":{},"maxValues":{},"nullCount":{}}',
  },
})
const txn = (version: number) => ({ txn: { appId: 'app', version, lastUpdated: 1 } })

async function openLog(folder: string): Promise<DeltaLog> {
  const log = await DeltaLog.open(writer, folder)
  await log.clean()
  return log
}

const pathsOf = ({ files }: DeltaState): string[] => files.map(({ add }) => add.path)

test('a folder without commits is a table without a version', async () => {
  const { state } = await openLog(freshFolder())
  expect(state).toMatchObject({ version: -1, files: [] })
})

test('commits accumulate', async () => {
  const folder = freshFolder()
  const deltaLog = await openLog(folder)
  await deltaLog.tryCommit([add('a'), add('b'), txn(1)])
  await deltaLog.tryCommit([removeAction(add('a').add, 5, { dataChange: true }), add('c'), txn(4)])
  const state = await readDeltaState(writer, folder)
  expect(state.version).toBe(1)
  expect(pathsOf(state)).toEqual(['b', 'c'])
  expect(state.transaction('app')).toBe(4)
  const again = await openLog(folder)
  await again.tryCommit([txn(5)])
  expect((await readDeltaState(writer, folder)).version).toBe(2)
})

test('each commit is a file of JSON lines with a name of 20 digits, and no other file is left', async () => {
  const folder = freshFolder()
  const deltaLog = await openLog(folder)
  await deltaLog.tryCommit([add('a'), txn(1)])
  expect(readdirSync(folder)).toEqual(['00000000000000000000.json'])
  const text = readFileSync(join(folder, '00000000000000000000.json'), 'utf8')
  expect(text.endsWith('\n')).toBe(true)
  expect(
    text
      .trimEnd()
      .split('\n')
      .map((line) => Object.keys(JSON.parse(line))[0]),
  ).toEqual(['add', 'txn'])
})

test('leftovers of a commit interrupted by a crash are removed', async () => {
  const folder = freshFolder()
  const deltaLog = await openLog(folder)
  await deltaLog.tryCommit([add('a')])
  writeFileSync(join(folder, '00000000000000000001.json.tmp'), '{"add"')
  const { state } = await openLog(folder)
  expect(state.version).toBe(0)
  expect(readdirSync(folder)).toHaveLength(1)
})

test('errors name the missing commit or the damaged line', async () => {
  const folder = freshFolder()
  const deltaLog = await openLog(folder)
  for (const path of ['a', 'b', 'c']) await deltaLog.tryCommit([add(path)])
  writeFileSync(join(folder, '00000000000000000002.json'), '{"add":')
  await expect(readDeltaState(writer, folder)).rejects.toThrow('00000000000000000002.json')
  rmSync(join(folder, '00000000000000000001.json'))
  await expect(readDeltaState(writer, folder)).rejects.toThrow('commit 1 is missing')
})
