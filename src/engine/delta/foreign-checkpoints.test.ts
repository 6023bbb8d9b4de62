import { afterAll, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { textLiteral } from '../../runtime/duck/column-types.ts'
import { Database } from '../../runtime/duck/database.ts'
import { Writer } from '../../runtime/duck/writer.ts'
import type { Action } from './actions.ts'
import { commitName, commitText } from './commit-file.ts'
import { DeltaLog, removeAction } from './delta-log.ts'
import { readDeltaState } from './delta-state.ts'

const root = mkdtempSync(join(tmpdir(), 'tracelake-checkpoints-'))
const database = await Database.open({ memoryBytesMax: 256e6, temporaryFolder: root })
const writer = new Writer(await database.connect())
afterAll(() => {
  writer.close()
  database.close()
  rmSync(root, { recursive: true })
})

const protocol = { protocol: { minReaderVersion: 3, minWriterVersion: 7, readerFeatures: ['v2Checkpoint'] } }
const metaData = { metaData: { id: 'i', schemaString: '{"fields":[{"name":"a"}]}', partitionColumns: [] } }
const add = (path: string) => ({ add: { path, size: 1, modificationTime: 1, dataChange: true, stats: '{}' } })
const deleted = { storageType: 'i', pathOrInlineDv: 'x', sizeInBytes: 4, cardinality: 1 }

let folders = 0
function freshFolder(): string {
  const folder = join(root, String(folders++))
  mkdirSync(join(folder, '_sidecars'), { recursive: true })
  return folder
}

/** Writes actions as rows of a Parquet file with just the columns they need. */
async function writeRows(file: string, actions: readonly object[]): Promise<void> {
  const lines = `${file}.lines`
  writeFileSync(lines, actions.map((action) => JSON.stringify(action)).join('\n'))
  await writer.execute(
    `COPY (SELECT * FROM read_json(${textLiteral(lines)}, format = 'newline_delimited', map_inference_threshold = -1))
     TO ${textLiteral(file)} (FORMAT parquet)`,
  )
  rmSync(lines)
}

const version = '00000000000000000007'
const pathsIn = async (folder: string): Promise<string[]> =>
  (await readDeltaState(writer, folder)).files.map(({ add }) => add.path)

test('a multi-part checkpoint is used only if all its parts exist', async () => {
  const folder = freshFolder()
  const part = (number: number) => join(folder, `${version}.checkpoint.000000000${number}.0000000002.parquet`)
  await writeRows(part(1), [protocol, metaData, add('a')])
  writeFileSync(join(folder, commitName(8)), commitText([add('c')] as unknown as Action[]))
  await expect(pathsIn(folder)).rejects.toThrow('commit 0 is missing')
  await writeRows(part(2), [add('b')])
  expect(await pathsIn(folder)).toEqual(['a', 'b', 'c'])
})

test('a checkpoint with a UUID in its name is read with its sidecar files', async () => {
  const folder = freshFolder()
  const name = `${version}.checkpoint.80a083e8-7026-4e79-81be-64bd76c43a11.json`
  const lines = [{ checkpointMetadata: { version: 7 } }, protocol, metaData, { sidecar: { path: 'one.parquet' } }]
  writeFileSync(join(folder, name), lines.map((line) => JSON.stringify(line)).join('\n'))
  await writeRows(join(folder, '_sidecars', 'one.parquet'), [add('a'), add('b')])
  const state = await readDeltaState(writer, folder)
  expect(state.files.map(({ add }) => add.path)).toEqual(['a', 'b'])
  expect(state.version).toBe(7)
})

test('a checkpoint keeps removed files and deletion vectors', async () => {
  const folder = freshFolder()
  const log = await DeltaLog.open(writer, folder)
  const other = { remove: { path: 'theirs', deletionTimestamp: Date.now(), dataChange: true } }
  const features = { ...protocol.protocol, writerFeatures: ['deletionVectors'] }
  const first = [{ protocol: features }, metaData, add('a'), { add: { ...add('b').add, deletionVector: deleted } }]
  await log.tryCommit(first as unknown as Action[])
  await log.tryCommit([other, removeAction(log.state.files[0]!.add, Date.now(), { dataChange: true })])
  await log.checkpoint(writer, { nowMs: Date.now(), logKeptMs: 0, versionsKeptMs: 0 })
  for (const commit of [0, 1]) rmSync(join(folder, commitName(commit)))
  const state = await readDeltaState(writer, folder)
  expect(state.removed.map(({ path }) => path).sort()).toEqual(['a', 'theirs'])
  expect(state.files.map(({ add }) => [add.path, add.deletionVector])).toEqual([['b', deleted]])
  expect(state.protocol).toEqual(features)
})
