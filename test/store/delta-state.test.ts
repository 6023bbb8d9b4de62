import { expect, test } from 'bun:test'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Table } from '../../src/lib/table.ts'
import { parquetFiles, queryDuckDb, readDeltaTable } from './folder-state.ts'
import { findLastingFaults } from './lasting-faults.ts'
import { closedNote, noteRow, notesTable, openNote, removal, startMs } from './notes-table.ts'
import { StoreBench } from './store-bench.ts'
import { idsOf, visibleRows } from './visible-rows.ts'

const key = ['project', 'id'] as const

test('a new table has a protocol, a schema and no files', async () => {
  await using bench = await StoreBench.open()
  const { version, files, schema } = await readDeltaTable(bench.tableFolder)
  expect({ version, files }).toEqual({ version: 0, files: [] })
  expect(schema.fields.map(({ name, type }) => [name, type])).toEqual([
    ['project', 'string'],
    ['id', 'string'],
    ['title', 'string'],
    ['author', 'string'],
    ['body', 'string'],
    ['tags', { type: 'array', elementType: 'string', containsNull: true }],
    ['opened', 'timestamp'],
    ['closed', 'timestamp'],
    ['votes', 'long'],
    ['touched', 'timestamp'],
    ['title_length', 'long'],
  ])
  const first = readFileSync(join(bench.tableFolder, '_delta_log', `${'0'.repeat(20)}.json`), 'utf8').split('\n')
  expect(JSON.parse(first[0]!)).toEqual({ protocol: { minReaderVersion: 1, minWriterVersion: 2 } })
  await bench.reopen()
  expect((await readDeltaTable(bench.tableFolder)).version).toBe(0)
})

test('the bounds in the Delta log are correct for every file', async () => {
  await using bench = await StoreBench.open()
  const { store } = bench
  for (let file = 0; file < 3; file++) {
    const rows = Array.from({ length: 50 }, (_, i) =>
      closedNote(`id-${file}-${i}`, {
        author: ['ä', 'Z', '\u{1f600}', '\uff5e', '', 'z'.repeat(60)][i % 6]!,
        opened: startMs * 1000 + i * 1_001 + 1,
        closed: startMs * 1000 + i * 1_999 + 999,
        votes: (i - 25) * 2 ** 40,
      }),
    )
    await store.write('notes', [...rows, noteRow({ id: `bare-${file}`, title: 't', closed: 1 })])
    await store.flush()
  }
  const { files } = await readDeltaTable(bench.tableFolder)
  expect(files).toHaveLength(3)
  for (const file of files) {
    const { stats } = file
    for (const name of notesTable.bounded) {
      const isTime = name === 'opened' || name === 'closed'
      const literal = (value: string | number | undefined) =>
        isTime ? `'${value}'::TIMESTAMPTZ` : typeof value === 'number' ? String(value) : `'${value}'`
      const [counts] = await queryDuckDb(
        `SELECT count(*) FILTER ("${name}" < ${literal(stats.minValues[name])})::INTEGER AS below,
                count(*) FILTER ("${name}" > ${literal(stats.maxValues[name])})::INTEGER AS above,
                count(*) FILTER ("${name}" IS NULL)::INTEGER AS nulls
         FROM ${parquetFiles(bench.tableFolder, [file])}`,
      )
      expect<unknown>({ name, ...counts }).toEqual({ name, below: 0, above: 0, nulls: stats.nullCount[name] })
    }
  }
})

test('files are sorted in the order of the table', async () => {
  await using bench = await StoreBench.open()
  const rows = Array.from({ length: 500 }, (_, i) =>
    closedNote(`id-${(i * 7) % 500}`, { project: i % 3 === 0 ? 'p' : 'q', opened: startMs * 1000 + ((i * 13) % 40) }),
  )
  await bench.store.write('notes', rows)
  await bench.store.flush()
  const { files } = await readDeltaTable(bench.tableFolder)
  const stored = await queryDuckDb(
    `SELECT project, opened::VARCHAR AS opened, id FROM ${parquetFiles(bench.tableFolder, files)}`,
  )
  const keys = stored.map((row) => `${row['project']} ${row['opened']} ${row['id']}`)
  expect(keys).toEqual([...keys].sort())
})

test('changes and removals of stored rows are visible at once and reach the files with the next flush', async () => {
  await using bench = await StoreBench.open()
  const { store } = bench
  await store.write('notes', [closedNote('changed'), closedNote('removed'), closedNote('kept')])
  await store.flush()
  await store.write('notes', [closedNote('elsewhere')])
  await store.flush()
  const before = await readDeltaTable(bench.tableFolder)
  await store.write('notes', [noteRow({ id: 'changed', votes: 3 }), removal('removed')])
  const rows = await visibleRows(store)
  expect(idsOf(rows)).toEqual(['changed', 'elsewhere', 'kept'])
  expect(rows[0]).toMatchObject({ title: 'title of changed', votes: 3 })
  expect(await readDeltaTable(bench.tableFolder)).toEqual(before)

  await store.flush()
  expect(await visibleRows(store)).toEqual(rows)
  const { files } = await readDeltaTable(bench.tableFolder)
  const stored = await queryDuckDb(`SELECT id FROM ${parquetFiles(bench.tableFolder, files)} ORDER BY id`)
  expect(stored.map((row) => row['id'])).toEqual(['changed', 'elsewhere', 'kept'])
  expect(files.map(({ path }) => path)).toContain(before.files[1]!.path)
  expect(files.map(({ path }) => path)).not.toContain(before.files[0]!.path)
  await bench.removeReplaced()
  expect(await findLastingFaults(bench.tableFolder, key)).toEqual([])
})

test('a file whose rows are all removed is removed without a replacement', async () => {
  await using bench = await StoreBench.open()
  await bench.store.write('notes', [closedNote('a'), closedNote('b')])
  await bench.store.flush()
  await bench.store.write('notes', [removal('a'), removal('b')])
  await bench.store.flush()
  expect((await readDeltaTable(bench.tableFolder)).files).toEqual([])
  await bench.removeReplaced()
  expect(readdirSync(bench.tableFolder).filter((name) => name.endsWith('.parquet'))).toEqual([])
  expect(readdirSync(join(bench.tableFolder, '_filters'))).toEqual([])
  expect(await visibleRows(bench.store)).toEqual([])
})

test('an empty flush commits nothing', async () => {
  await using bench = await StoreBench.open()
  await bench.store.flush()
  await bench.store.write('notes', [openNote('open')])
  await bench.store.flush()
  expect((await readDeltaTable(bench.tableFolder)).version).toBe(0)
})

test('a missing id filter is rebuilt, and a missing data file is not ignored', async () => {
  await using bench = await StoreBench.open()
  await bench.store.write('notes', [closedNote('a')])
  await bench.close()
  rmSync(join(bench.tableFolder, '_filters'), { recursive: true })
  await bench.reopen()
  await bench.store.write('notes', [noteRow({ id: 'a', votes: 1 })])
  expect(await visibleRows(bench.store)).toMatchObject([{ id: 'a', votes: 1 }])
  await bench.close()
  const [file] = (await readDeltaTable(bench.tableFolder)).files
  rmSync(join(bench.tableFolder, file!.path))
  await bench.reopen()
  expect(bench.store.state()).toEqual({ ok: true, damagedFiles: 1 })
  await expect(visibleRows(bench.store)).rejects.toThrow('damaged')
})

test('a damaged id filter is rebuilt', async () => {
  await using bench = await StoreBench.open()
  await bench.store.write('notes', [closedNote('a'), closedNote('b')])
  await bench.close()
  const filters = join(bench.tableFolder, '_filters')
  for (const name of readdirSync(filters)) {
    const bytes = new Uint8Array(readFileSync(join(filters, name)))
    bytes.fill(0, 16)
    writeFileSync(join(filters, name), bytes)
  }
  await bench.reopen()
  await bench.store.write('notes', [noteRow({ id: 'a', votes: 1 })])
  expect(await visibleRows(bench.store)).toMatchObject([{ id: 'a', votes: 1 }, { id: 'b' }])
})

test('a column added by a newer version reads as null in older files and log segments', async () => {
  await using bench = await StoreBench.open()
  await bench.store.write('notes', [closedNote('in-file')])
  await bench.store.flush()
  await bench.store.write('notes', [closedNote('in-log')])
  const mood = { name: 'mood', type: 'text', description: 'new', storedIn: 'everywhere' } as const
  const newer: Table = { ...notesTable, columns: [...notesTable.columns, mood] }
  await using upgraded = await StoreBench.afterCrashOf(bench, [newer])
  expect((await readDeltaTable(upgraded.tableFolder)).schema.fields.at(-1)).toMatchObject({ name: 'mood' })
  expect(idsOf(await visibleRows(upgraded.store, newer))).toEqual(['in-file', 'in-log'])
  await upgraded.store.write('notes', [
    [...noteRow({ id: 'in-file' }), 'good'],
    [...closedNote('new'), 'bad'],
  ])
  await upgraded.reopen()
  const rows = await visibleRows(upgraded.store, newer)
  expect(rows.map((row) => [row['id'], row['mood']])).toEqual([
    ['in-file', 'good'],
    ['in-log', undefined],
    ['new', 'bad'],
  ])
})

test('files from before and after a new column are merged', async () => {
  await using bench = await StoreBench.open()
  await bench.store.write('notes', [closedNote('old')])
  await bench.store.flush()
  const mood = { name: 'mood', type: 'text', description: 'new', storedIn: 'everywhere' } as const
  const newer: Table = { ...notesTable, columns: [...notesTable.columns, mood] }
  await using upgraded = await StoreBench.afterCrashOf(bench, [newer])
  await upgraded.store.write('notes', [[...closedNote('new'), 'good']])
  await upgraded.store.flush()
  await upgraded.store.compact()
  expect((await readDeltaTable(upgraded.tableFolder)).files).toHaveLength(1)
  await upgraded.reopen()
  const rows = await visibleRows(upgraded.store, newer)
  expect(rows.map((row) => [row['id'], row['mood']])).toEqual([
    ['new', 'good'],
    ['old', undefined],
  ])
})

test('a schema change keeps the id of the table', async () => {
  await using bench = await StoreBench.open()
  const mood = { name: 'mood', type: 'text', description: 'new', storedIn: 'everywhere' } as const
  await using upgraded = await StoreBench.afterCrashOf(bench, [
    { ...notesTable, columns: [...notesTable.columns, mood] },
  ])
  const log = join(upgraded.tableFolder, '_delta_log')
  const metaData = readdirSync(log)
    .sort()
    .flatMap((name) =>
      readFileSync(join(log, name), 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).metaData)
        .filter(Boolean),
    ) as { id: string }[]
  expect(metaData).toHaveLength(2)
  expect(metaData[1]!.id).toBe(metaData[0]!.id)
})
