import { afterAll, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { Store } from '../../src/engine/store.ts'
import { objectsTable } from '../../src/engine/tables/objects-table.ts'
import { tableChunks, tableLists, tableRows } from '../../src/engine/tables/stored-tables.ts'
import { tables } from '../../src/engine/tables/tables.ts'
import { digestOfBytes } from '../../src/runtime/digest.ts'
import { systemClock } from '../../src/runtime/platform/clock.ts'
import { ProjectObjects } from '../conformance/support/objects.ts'
import { Project } from '../conformance/support/project.ts'
import { digestOfRows, rowDigest, Tables } from '../conformance/support/tables.ts'
import { ServerChild } from '../crash/server-child.ts'
import { faultsOf } from './damage.ts'
import { newVersion } from './stored-version.ts'

const folder = await mkdtemp(join(tmpdir(), 'tracelake-older-'))
afterAll(() => rm(folder, { recursive: true }))

const sent = '{"b":1,"a":2}'
/** The digest as computed when it still depended on the order of members. */
const olderDigest = digestOfBytes('{"b": 1, "a": 2}')
const digest = rowDigest(JSON.parse(sent))

/** A folder of an older server: the object `o`, and a row table with one row. */
async function makeOlderFolder(): Promise<string> {
  const store = await Store.open({
    dataFolder: folder,
    tables,
    memoryBytesMax: 256e6,
    clock: systemClock,
    log: pino({ level: 'silent' }),
  })
  const cells = { project_id: 'acme/one', digest: olderDigest, val: sent, size_bytes: sent.length, created_at: 1e15 }
  const version = { ...newVersion, id: `o:${olderDigest}` }
  await store.write(objectsTable.name, [objectsTable.row({ ...version, ...cells })])
  await store.write(tableRows.name, [tableRows.row({ ...cells, seq: 1 })])
  const list = digestOfRows([olderDigest])
  const shared = { project_id: 'acme/one', digest: list, created_at: 1e15 }
  const chunk = { row_digests: [olderDigest], size_bytes: sent.length, seq_min: 1, seq_max: 1 }
  await store.write(tableChunks.name, [tableChunks.row({ ...shared, ...chunk })])
  const chunks = JSON.stringify([[list, 1]])
  await store.write(tableLists.name, [
    tableLists.row({ ...shared, row_count: 1, chunks, is_complete: 1, ext_user_id: 'u' }),
  ])
  await store.close()
  return list
}

test('content stored before keys were sorted stays readable by its digest, next to the same content stored today', async () => {
  const list = await makeOlderFolder()
  const server = new ServerChild({ kind: 'plain', data: folder, adminKey: 'c'.repeat(40) })
  try {
    const client = await server.listening()
    const objects = new ProjectObjects(client, 'acme/one')
    const rows = new Tables(new Project(client, 'acme', 'one'))
    expect((await objects.read('o', olderDigest)).val).toEqual({ b: 1, a: 2 })
    expect(await rows.query(list)).toEqual([{ digest: olderDigest, val: { b: 1, a: 2 }, original_index: 0 }])

    expect(await objects.create('o', { b: 1, a: 2 }, { expected_digest: digest })).toBe(digest)
    expect(await objects.shown()).toEqual(['o:v0', 'o:v1*'])
    for (const each of [olderDigest, digest]) expect((await objects.read('o', each)).val).toEqual({ b: 1, a: 2 })
    const grown = await rows.update(list, [{ append: { row: { a: 2, b: 1 } } }])
    expect(grown).toEqual({ digest: digestOfRows([olderDigest, digest]), updated_row_digests: [digest] })
    expect((await rows.query(grown.digest)).map((row) => row.digest)).toEqual([olderDigest, digest])
    expect(await rows.query(list)).toHaveLength(1)
    await server.stop()
  } finally {
    await server.kill()
  }
  expect(await faultsOf(folder)).toEqual([])
}, 120_000)
