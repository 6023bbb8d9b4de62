import { afterEach, beforeEach, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { type BackupResult, backUp } from '../../src/engine/backup/backup.ts'
import { Store } from '../../src/engine/store.ts'
import { readDeltaTable, tableFolder } from './folder-state.ts'
import { findLastingFaults } from './lasting-faults.ts'
import { closedNote, noteRow, notesTable, openNote, removal, startMs } from './notes-table.ts'
import { StoreBench } from './store-bench.ts'
import { idsOf, type VisibleRow, visibleRows } from './visible-rows.ts'

let parent: string
let to: string
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'tracelake-backup-'))
  to = join(parent, 'backup')
})
afterEach(() => rm(parent, { recursive: true }))

const backup = (bench: StoreBench, options: { mayLink?: boolean } = {}): Promise<BackupResult> =>
  backUp({
    dataFolder: bench.folder,
    to,
    tableNames: ['notes'],
    rootFiles: ['keys.json'],
    mayLink: true,
    memoryBytesMax: 256e6,
    clock: { nowMs: () => bench.nowMs },
    onProgress: () => {},
    ...options,
  })

/** What a server would find in a folder. Opens a copy, so that the folder stays a backup. */
async function rowsInFolder(folder: string): Promise<VisibleRow[]> {
  const copy = join(parent, 'opened')
  await cp(folder, copy, { recursive: true })
  const log = pino({ level: 'silent' })
  const clock = { nowMs: () => startMs }
  const store = await Store.open({ dataFolder: copy, tables: [notesTable], memoryBytesMax: 256e6, clock, log })
  try {
    return await visibleRows(store)
  } finally {
    await store.close()
    expect(await findLastingFaults(tableFolder(copy, 'notes'), ['project', 'id'])).toEqual([])
    await rm(copy, { recursive: true })
  }
}

const parquetNames = (folder: string): string[] => readdirSync(folder).filter((name) => name.endsWith('.parquet'))

test('a backup holds data files, memtable and log, and opens like any data folder', async () => {
  await using bench = await StoreBench.open()
  const { store } = bench
  await store.write('notes', [closedNote('in-file'), closedNote('changed'), closedNote('removed')])
  await store.flush()
  await store.write('notes', [
    noteRow({ id: 'changed', votes: 3 }),
    removal('removed'),
    closedNote('hot'),
    openNote('o'),
  ])
  writeFileSync(join(bench.folder, 'keys.json'), '{"keys":[]}')
  const rows = await visibleRows(store)
  const result = await backup(bench)
  expect(result).toMatchObject({ copied: 0, removed: 0 })
  expect(await rowsInFolder(to)).toEqual(rows)
  expect(readFileSync(join(to, 'keys.json'), 'utf8')).toBe('{"keys":[]}')
  expect(statSync(join(to, 'keys.json')).mode & 0o777).toBe(0o600)
  expect(readdirSync(to).sort()).toEqual(['backup.json', 'blobs', 'keys.json', 'lock.duckdb', 'tables'])
  await backup(bench)
  expect(await rowsInFolder(to)).toEqual(rows)
})

test('immutable files are hard links, the log is not; with copies nothing is shared', async () => {
  await using bench = await StoreBench.open()
  await bench.store.write('notes', [closedNote('a')])
  await bench.store.flush()
  await bench.store.write('notes', [closedNote('b')])
  const [file] = parquetNames(bench.tableFolder)
  const [log] = readdirSync(join(bench.tableFolder, '_wal'))
  const isShared = (name: string) =>
    statSync(join(bench.tableFolder, name)).ino === statSync(join(tableFolder(to, 'notes'), name)).ino
  await backup(bench)
  expect([isShared(file!), isShared(`_wal/${log}`)]).toEqual([true, false])
  await rm(to, { recursive: true })
  expect(await backup(bench, { mayLink: false })).toMatchObject({ linked: 0 })
  expect([isShared(file!), isShared(`_wal/${log}`)]).toEqual([false, false])
  expect(idsOf(await rowsInFolder(to))).toEqual(['a', 'b'])
})

test('a second run copies new files and removes obsolete ones', async () => {
  await using bench = await StoreBench.open([notesTable], { isMaintained: false })
  const { store } = bench
  for (const id of ['a', 'b', 'c']) {
    await store.write('notes', [closedNote(id)])
    await store.flush()
  }
  await backup(bench)
  expect(await backup(bench)).toMatchObject({ linked: 0, copied: 0, newBytes: 0, removed: 0 })
  const before = parquetNames(tableFolder(to, 'notes'))
  await store.compact()
  await store.write('notes', [closedNote('d'), removal('b'), openNote('e')])
  const again = await backup(bench)
  // The new file with its index, and the commit; the three old ones with theirs, and the
  // checkpoint of the first backup.
  expect(again).toMatchObject({ linked: 3, copied: 0 })
  expect(parquetNames(tableFolder(to, 'notes')).filter((name) => before.includes(name))).toEqual([])
  expect(idsOf(await rowsInFolder(to))).toEqual(['a', 'c', 'd', 'e'])
  await store.flush()
  await backup(bench)
  expect(idsOf(await rowsInFolder(to))).toEqual(['a', 'c', 'd', 'e'])
})

test('backups of a store that writes, flushes and compacts hold everything acknowledged before they began', async () => {
  await using bench = await StoreBench.open()
  const { store } = bench
  await store.write('notes', [openNote('open')])
  let isDone = false
  const written = ['open']
  const working = (async () => {
    for (let i = 0; !isDone; i++) {
      await store.write('notes', [closedNote(`id-${i}`)])
      written.push(`id-${i}`)
      await store.flush()
      if (i % 5 === 0) await store.compact()
      // Makes replaced files disappear while they are being copied.
      if (i % 7 === 0) await bench.removeReplaced({ isHeld: true })
    }
  })()
  try {
    for (let round = 0; round < 12; round++) {
      const before = [...written]
      await backup(bench)
      const found = idsOf(await rowsInFolder(to))
      expect(before.filter((id) => !found.includes(id))).toEqual([])
      expect(found).toEqual([...new Set(found)])
    }
  } finally {
    isDone = true
    await working
  }
}, 600_000)

test('the Delta log of a backup follows the protocol, with and without its checkpoint', async () => {
  await using bench = await StoreBench.open()
  const { store } = bench
  for (let i = 0; i < 120; i++) {
    await store.write('notes', [closedNote(`id-${i}`)])
    await store.flush()
    if (i === 30) await backup(bench)
    if (i % 10 === 0) await store.compact()
  }
  // Background compaction would create a later version.
  await bench.close()
  await backup(bench)
  const copy = tableFolder(to, 'notes')
  const { version, files } = await readDeltaTable(bench.tableFolder)
  expect(await readDeltaTable(copy)).toMatchObject({ version })
  expect(parquetNames(copy).sort()).toEqual(files.map(({ path }) => path).sort())
  await rm(join(copy, '_delta_log', `${String(version).padStart(20, '0')}.checkpoint.parquet`))
  await rm(join(copy, '_delta_log', '_last_checkpoint'))
  const rows = await rowsInFolder(to)
  expect(rows).toHaveLength(120)
}, 600_000)

test('an unsuitable backup folder is rejected and left unchanged', async () => {
  await using bench = await StoreBench.open()
  await bench.store.write('notes', [closedNote('a')])
  await mkdir(to)
  writeFileSync(join(to, 'letter.txt'), 'dear')
  await expect(backup(bench)).rejects.toThrow('is not empty and not a backup')
  expect(readdirSync(to)).toEqual(['letter.txt'])
  to = join(bench.folder, 'inside')
  await expect(backup(bench)).rejects.toThrow('one folder is inside the other')
  expect(existsSync(to)).toBe(false)
})

test('a backup that was served, is of another folder or of a later state is not overwritten', async () => {
  await using bench = await StoreBench.open()
  await using other = await StoreBench.open()
  await bench.store.write('notes', [closedNote('a')])
  await bench.store.flush()
  await using earlier = await StoreBench.closedCopyOf(bench)
  await bench.store.write('notes', [closedNote('b')])
  await bench.store.flush()
  await backup(bench)
  await expect(backup(other)).rejects.toThrow('it is a backup of another data folder')
  await expect(backup(earlier)).rejects.toThrow('it has a newer state')
  expect(idsOf(await rowsInFolder(to))).toEqual(['a', 'b'])
  const options = { tables: [notesTable], memoryBytesMax: 256e6, clock: { nowMs: () => startMs } }
  await (await Store.open({ ...options, dataFolder: to, log: pino({ level: 'silent' }) })).close()
  await expect(backup(bench)).rejects.toThrow('a server has used the target')
})

test('an incomplete first backup does not open, and the next run completes it', async () => {
  await using bench = await StoreBench.open()
  await bench.store.write('notes', [closedNote('a')])
  await bench.store.flush()
  // A file in place of a folder interrupts the run.
  await mkdir(join(to, 'tables', 'notes'), { recursive: true })
  writeFileSync(join(to, 'backup-unfinished.json'), '{}')
  writeFileSync(join(to, 'tables', 'notes', '_filters'), 'in the way')
  await expect(backup(bench)).rejects.toThrow()
  await expect(rowsInFolder(to)).rejects.toThrow('is an incomplete backup or copy')
  await rm(join(to, 'tables', 'notes', '_filters'))
  await rm(join(parent, 'opened'), { recursive: true })
  await backup(bench)
  expect(idsOf(await rowsInFolder(to))).toEqual(['a'])
})

test('an interrupted run leaves the previous backup intact, and the next one updates it', async () => {
  await using bench = await StoreBench.open()
  const { store } = bench
  await store.write('notes', [closedNote('a'), openNote('open')])
  await store.flush()
  await store.write('notes', [closedNote('b')])
  await backup(bench)
  await store.flush()
  await store.compact()
  await store.write('notes', [closedNote('c')])
  // By then the files and the log of the new state exist; its checkpoint cannot be written.
  const { version } = await readDeltaTable(bench.tableFolder)
  const checkpoint = `${String(version).padStart(20, '0')}.checkpoint.parquet.tmp`
  const inTheWay = join(tableFolder(to, 'notes'), '_delta_log', checkpoint)
  await mkdir(inTheWay)
  await expect(backup(bench)).rejects.toThrow()
  await rm(inTheWay, { recursive: true })
  const found = idsOf(await rowsInFolder(to))
  expect(['a', 'b', 'open'].filter((id) => !found.includes(id))).toEqual([])
  await backup(bench)
  expect(idsOf(await rowsInFolder(to))).toEqual(['a', 'b', 'c', 'open'])
})
