import { expect, test } from 'bun:test'
import type { Store } from '../../src/store/store.ts'
import { closedNote, noteRow, removal } from './notes-table.ts'
import { StoreBench } from './store-bench.ts'
import { rowsIn, type VisibleRow, visibleRows } from './visible-rows.ts'

async function rowOf(store: Store, id: string): Promise<VisibleRow | undefined> {
  await using snapshot = await store.snapshotOfRow('notes', 'p', id)
  return snapshot === null ? undefined : (await rowsIn(snapshot)).find((row) => row['id'] === id)
}

test('a single row is the one that everybody sees, in whatever layers it and its neighbours lie', async () => {
  await using bench = await StoreBench.open()
  const { store } = bench
  const ids = ['untouched', 'changed', 'removed', 'hot', 'nobody']
  const isAsSeen = async () => {
    const seen = new Map((await visibleRows(store)).map((row) => [row['id'], row]))
    for (const id of ids) expect([id, await rowOf(store, id)]).toEqual([id, seen.get(id)])
  }
  await isAsSeen()
  await store.write(
    'notes',
    ['untouched', 'changed', 'removed'].map((id) => closedNote(id)),
  )
  await isAsSeen()
  await store.flush()
  await isAsSeen()
  await store.write('notes', [noteRow({ id: 'changed', votes: 1 }), removal('removed'), closedNote('hot')])
  // What is acknowledged shows, moved into tables or not.
  expect(await rowOf(store, 'changed')).toMatchObject({ votes: 1 })
  expect(await rowOf(store, 'removed')).toBeUndefined()
  await isAsSeen()
  await store.flush()
  await isAsSeen()
})

test('while a single row is read its file stays, and a row that surely is nowhere needs no snapshot', async () => {
  await using bench = await StoreBench.open()
  const { store } = bench
  await store.write('notes', [closedNote('a'), closedNote('b')])
  await store.flush()
  expect(await store.snapshotOfRow('notes', 'p', 'nobody')).toBeNull()
  await using snapshot = await store.snapshotOfRow('notes', 'p', 'a')
  await store.write('notes', [removal('a')])
  await store.flush()
  expect((await rowsIn(snapshot!)).map((row) => row['id'])).toContain('a')
  expect(await rowOf(store, 'a')).toBeUndefined()
})
