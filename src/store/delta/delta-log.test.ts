import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Add } from './actions.ts'
import { DeltaLog, readDeltaState, removeAction } from './delta-log.ts'

const root = mkdtempSync(join(tmpdir(), 'tracelake-delta-'))
afterAll(() => rmSync(root, { recursive: true }))
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

test('a folder without commits is a table before its first version', async () => {
  const { state } = await DeltaLog.open(freshFolder())
  expect(state).toMatchObject({ version: -1, files: [] })
})

test('commits add up', async () => {
  const folder = freshFolder()
  const { deltaLog } = await DeltaLog.open(folder)
  expect(await deltaLog.commit([add('a'), add('b'), txn(1)])).toBe(0)
  expect(await deltaLog.commit([removeAction(add('a').add, 5, { dataChange: true }), add('c'), txn(4)])).toBe(1)
  const { version, files, transactions } = await readDeltaState(folder)
  expect(version).toBe(1)
  expect(files.map(({ add }) => add.path)).toEqual(['b', 'c'])
  expect([...transactions]).toEqual([['app', 4]])
  const again = await DeltaLog.open(folder)
  expect(await again.deltaLog.commit([txn(5)])).toBe(2)
})

test('each commit is a file of JSON lines with a name of 20 digits, and no other file is left', async () => {
  const folder = freshFolder()
  const { deltaLog } = await DeltaLog.open(folder)
  await deltaLog.commit([add('a'), txn(1)])
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

test('what a crash left of an unfinished commit is removed', async () => {
  const folder = freshFolder()
  const { deltaLog } = await DeltaLog.open(folder)
  await deltaLog.commit([add('a')])
  writeFileSync(join(folder, '00000000000000000001.json.tmp'), '{"add"')
  const { state } = await DeltaLog.open(folder)
  expect(state.version).toBe(0)
  expect(readdirSync(folder)).toHaveLength(1)
})

test('a missing commit and a damaged line are errors that name the place', async () => {
  const folder = freshFolder()
  const { deltaLog } = await DeltaLog.open(folder)
  for (const path of ['a', 'b', 'c']) await deltaLog.commit([add(path)])
  writeFileSync(join(folder, '00000000000000000002.json'), '{"add":')
  await expect(readDeltaState(folder)).rejects.toThrow('00000000000000000002.json')
  rmSync(join(folder, '00000000000000000001.json'))
  await expect(readDeltaState(folder)).rejects.toThrow('commit 1 is missing')
})
