import { expect, test } from 'bun:test'
import { readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileColumns } from '../../src/engine/data-files/file-scan.ts'
import type { Store } from '../../src/engine/store.ts'
import { closedNote, noteRow, notesTable, removal } from './notes-table.ts'
import { StoreBench } from './store-bench.ts'
import { type VisibleRow, visibleRows } from './visible-rows.ts'

/** Lists are left to a snapshot. */
const columns = fileColumns(notesTable).flatMap(({ name, type }) => (type === 'texts' ? [] : [name]))
const withoutLists = ({ tags: _, ...row }: VisibleRow): VisibleRow => row

/**
 * The result of a single-row read: null if the row does not exist, undefined if a snapshot is
 * needed.
 */
async function rowOf(store: Store, id: string): Promise<VisibleRow | null | undefined> {
  const row = await store.rowInFiles('notes', { projectId: 'p', id }, columns)
  return row && Object.fromEntries(Object.entries(row).filter(([, cell]) => cell !== null))
}

test('a single-row read from files alone returns the visible row', async () => {
  await using bench = await StoreBench.open()
  const { store } = bench
  const ids = ['untouched', 'changed', 'removed', 'hot', 'nobody']
  const told = async () => {
    const seen = new Map((await visibleRows(store)).map((row) => [row['id'], withoutLists(row)]))
    const told: string[] = []
    for (const id of ids) {
      const row = await rowOf(store, id)
      if (row === undefined) continue
      told.push(id)
      expect([id, row]).toEqual([id, seen.get(id) ?? null])
    }
    return told
  }
  expect(await told()).toEqual(ids)
  await store.write(
    'notes',
    ['untouched', 'changed', 'removed'].map((id) => closedNote(id)),
  )
  expect(await told()).toEqual(['hot', 'nobody'])
  await store.flush()
  expect(await told()).toEqual(ids)
  await store.write('notes', [noteRow({ id: 'changed', votes: 1 }), removal('removed'), closedNote('hot')])
  expect(await told()).toEqual(['untouched', 'nobody'])
  await store.flush()
  // The tombstone is retained for a while.
  expect(await told()).toEqual(['untouched', 'changed', 'hot', 'nobody'])
  expect(await rowOf(store, 'changed')).toMatchObject({ votes: 1 })
})

test('an end without a start is not a row, in files or in memory', async () => {
  await using bench = await StoreBench.open()
  const { store } = bench
  await store.write('notes', [closedNote('whole'), noteRow({ id: 'end', closed: 5 })])
  bench.nowMs += 2 * 3_600_000
  await store.flush()
  await bench.reopen()
  expect(await rowOf(bench.store, 'end')).toBeNull()
  expect(await rowOf(bench.store, 'whole')).toBeTruthy()
})

test('columns without values in one file read as null next to files where they have some', async () => {
  await using bench = await StoreBench.open()
  const { store } = bench
  await store.write('notes', [closedNote('bare')])
  await store.flush()
  await store.write('notes', [
    noteRow({ id: 'full', title: 'T', author: 'A', body: '{}', tags: ['x'], votes: 3, closed: 5 }),
  ])
  await store.flush()
  const seen = new Map((await visibleRows(store)).map((row) => [row['id'], withoutLists(row)]))
  for (const id of ['bare', 'full', 'bare']) expect(await rowOf(store, id)).toEqual(seen.get(id)!)
})

test('replaced files are not kept open by single-row reads', async () => {
  await using bench = await StoreBench.open()
  const { store } = bench
  await store.write('notes', [closedNote('a'), closedNote('b')])
  await store.flush()
  expect(await rowOf(store, 'a')).toBeTruthy()
  await store.write('notes', [removal('a')])
  await store.flush()
  expect(await rowOf(store, 'b')).toBeTruthy()
  if (process.platform === 'linux')
    expect(openFilesIn(bench.tableFolder).filter((file) => file.endsWith('(deleted)'))).toEqual([])
})

const openFilesIn = (folder: string): string[] =>
  readdirSync('/proc/self/fd').flatMap((name) => {
    try {
      const file = readlinkSync(join('/proc/self/fd', name))
      return file.startsWith(folder) ? [file] : []
    } catch {
      // Closed in between.
      return []
    }
  })
