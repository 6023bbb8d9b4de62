import { afterAll, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Database } from '../../runtime/duck/database.ts'
import { Writer } from '../../runtime/duck/writer.ts'
import type { Action } from './actions.ts'
import { DeltaLog, removeAction } from './delta-log.ts'
import { type DeltaState, readDeltaState } from './delta-state.ts'

const root = mkdtempSync(join(tmpdir(), 'tracelake-checkpoint-'))
const database = await Database.open({ memoryBytesMax: 256e6, temporaryFolder: root })
const writer = new Writer(await database.connect())
afterAll(() => {
  writer.close()
  database.close()
  rmSync(root, { recursive: true })
})
let folders = 0

const schema = (...columns: string[]) => JSON.stringify({ type: 'struct', fields: columns.map((name) => ({ name })) })
const metaData = (...columns: string[]) => ({
  metaData: {
    id: 'i',
    name: 'n',
    format: { provider: 'parquet' as const, options: {} },
    schemaString: schema(...columns),
    partitionColumns: [],
    configuration: {},
    createdTime: 7,
  },
})
const add = (path: string) => ({
  add: { path, partitionValues: {}, size: 2 ** 40, modificationTime: 1, dataChange: true, stats: '{"numRecords":1}' },
})
const txn = (version: number) => ({ txn: { appId: 'app', version, lastUpdated: 1 } })
const first: Action[] = [{ protocol: { minReaderVersion: 1, minWriterVersion: 2 } }, metaData('a'), add('0'), txn(0)]

const keepingNothing = { nowMs: Number.MAX_SAFE_INTEGER, logKeptMs: 0, versionsKeptMs: 0 }

async function openLog(folder: string): Promise<DeltaLog> {
  const log = await DeltaLog.open(writer, folder)
  await log.clean()
  return log
}

async function freshLog() {
  const folder = join(root, String(folders++), '_delta_log')
  const log = await openLog(folder)
  await log.tryCommit(first)
  return { folder, log }
}

/** Each commit adds one file and removes the previous one. */
async function commitUntil(log: DeltaLog, version: number): Promise<void> {
  while (log.state.version < version) {
    const next = log.state.version + 1
    const gone = log.state.files.at(-1)!.add
    await log.tryCommit([removeAction(gone, 5, { dataChange: false }), add(String(next)), txn(next)])
  }
}

const told = (state: DeltaState) => ({
  version: state.version,
  // The tag for missing columns belongs to the checkpoint only.
  files: state.files.map(({ add: { tags: _, ...add }, columns }) => ({ add, columns })),
  metaData: state.metaData,
  transaction: state.transaction('app'),
})

test('a checkpoint and the later commits give the same state as all commits', async () => {
  const { folder, log } = await freshLog()
  await log.tryCommit([metaData('a', 'b'), add('with b')])
  await commitUntil(log, 30)
  await log.tryCommit([add('kept')])
  await log.checkpoint(writer, keepingNothing)
  expect(told(await readDeltaState(writer, folder))).toEqual(told(log.state))
  await commitUntil(log, 40)
  const state = await readDeltaState(writer, folder)
  expect(told(state)).toEqual(told(log.state))
  expect(state.transaction('app')).toBe(40)
  // The missing columns of a file are known without its commit.
  expect(new Map(state.files.map(({ add, columns }) => [add.path, columns])).get('0')).toEqual(['a'])
  expect(JSON.parse(readFileSync(join(folder, '_last_checkpoint'), 'utf8'))).toMatchObject({ version: 31 })
})

test('commits before the second-to-last checkpoint are removed', async () => {
  const { folder, log } = await freshLog()
  for (const version of [10, 20, 30]) {
    await commitUntil(log, version)
    await log.checkpoint(writer, keepingNothing)
  }
  await commitUntil(log, 32)
  const names = readdirSync(folder)
    .filter((name) => name !== '_last_checkpoint')
    .sort()
  const versions = (ending: string) =>
    names.filter((name) => name.endsWith(ending)).map((name) => Number.parseInt(name, 10))
  expect(versions('.checkpoint.parquet')).toEqual([20, 30])
  expect(versions('.json')).toEqual(Array.from({ length: 13 }, (_, i) => i + 20))
  expect(told(await readDeltaState(writer, folder))).toEqual(told(log.state))
})

test('an unreadable checkpoint is replaced by the previous one and the commits since', async () => {
  const { folder, log } = await freshLog()
  for (const version of [10, 20]) {
    await commitUntil(log, version)
    await log.checkpoint(writer, keepingNothing)
  }
  await commitUntil(log, 22)
  const damaged = join(folder, '00000000000000000020.checkpoint.parquet')
  writeFileSync(damaged, readFileSync(damaged).subarray(0, 100))
  const again = await openLog(folder)
  expect(again.state.damaged.map(({ version }) => version)).toEqual([20])
  expect(told(again.state)).toEqual(told(log.state))
  expect(readdirSync(folder).filter((name) => name.endsWith('.parquet'))).toEqual([
    '00000000000000000010.checkpoint.parquet',
  ])
  expect(existsSync(join(folder, '_last_checkpoint'))).toBe(false)
})

test('without a readable checkpoint, missing commits are reported', async () => {
  const { folder, log } = await freshLog()
  await commitUntil(log, 10)
  await log.checkpoint(writer, keepingNothing)
  await commitUntil(log, 20)
  await log.checkpoint(writer, keepingNothing)
  for (const name of readdirSync(folder)) if (name.endsWith('.parquet')) rmSync(join(folder, name))
  await expect(readDeltaState(writer, folder)).rejects.toThrow('commit 0 is missing')
})

test('leftovers of a checkpoint interrupted by a crash are removed', async () => {
  const { folder, log } = await freshLog()
  await commitUntil(log, 3)
  writeFileSync(join(folder, '00000000000000000003.checkpoint.parquet.tmp'), 'PAR1')
  const again = await openLog(folder)
  expect(again.state.version).toBe(3)
  expect(readdirSync(folder)).toHaveLength(4)
})
