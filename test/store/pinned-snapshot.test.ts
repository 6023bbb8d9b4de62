import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { HeldSnapshot } from './held-snapshot.ts'
import { closedNote, noteRow, notesTable, openNote, removal } from './notes-table.ts'
import { StoreBench } from './store-bench.ts'
import { idsOf, rowsIn, visibleRows } from './visible-rows.ts'

const parquetNames = (bench: StoreBench): string[] =>
  readdirSync(bench.tableFolder).filter((name) => name.endsWith('.parquet'))

test('a snapshot sees no later writes, changes, removals or flushes', async () => {
  await using bench = await StoreBench.open()
  const { store } = bench
  await store.write('notes', [closedNote('in-file'), closedNote('changed-in-file'), closedNote('removed-in-file')])
  await store.flush()
  await store.write('notes', [closedNote('hot'), closedNote('changed-hot'), closedNote('removed-hot')])
  await using held = await HeldSnapshot.ofLookup(store)
  const before = await rowsIn(held.snapshot)
  expect(before).toHaveLength(6)

  const changes = [noteRow({ id: 'changed-in-file', votes: 1 }), noteRow({ id: 'changed-hot', votes: 1 })]
  await store.write('notes', [closedNote('new'), ...changes, removal('removed-in-file'), removal('removed-hot')])
  expect(idsOf(await visibleRows(store))).toEqual(['changed-hot', 'changed-in-file', 'hot', 'in-file', 'new'])
  expect(await rowsIn(held.snapshot)).toEqual(before)
  await store.flush()
  expect(await rowsIn(held.snapshot)).toEqual(before)
  await store.write('notes', [removal('in-file'), removal('hot')])
  await store.flush()
  expect(await rowsIn(held.snapshot)).toEqual(before)
})

test('a relation is empty as long as its table has no rows in memory, and no files of the project', async () => {
  await using bench = await StoreBench.open()
  const { store } = bench
  const areEmpty = () =>
    store.read(['notes'], { projectId: 'p' }, async (snapshot) =>
      [{}, { id: ['a'] }, { id: ['unknown'] }].map((anyOf) => snapshot.relation('notes', anyOf).isEmpty),
    )
  expect(await areEmpty()).toEqual([true, true, true])
  await store.write('notes', [closedNote('a')])
  expect(await areEmpty()).toEqual([false, false, false])
  await store.flush()
  expect(await areEmpty()).toEqual([false, false, true])
  await store.write('notes', [removal('a'), closedNote('b')])
  expect(await areEmpty()).toEqual([false, false, false])
})

test('a snapshot still sees the only row of the memtable after its removal', async () => {
  await using bench = await StoreBench.open()
  const { store } = bench
  await store.write('notes', [closedNote('in-file')])
  await store.flush()
  await store.write('notes', [closedNote('only-hot')])
  await using held = await HeldSnapshot.ofLookup(store)
  await store.write('notes', [removal('only-hot')])
  expect(idsOf(await visibleRows(store))).toEqual(['in-file'])
  expect(idsOf(await rowsIn(held.snapshot))).toEqual(['in-file', 'only-hot'])
})

test('a snapshot still sees an open row that a flush retains', async () => {
  await using bench = await StoreBench.open()
  const { store } = bench
  await store.write('notes', [closedNote('in-file')])
  await store.flush()
  await store.write('notes', [closedNote('leaves')])
  await store.write('notes', [openNote('stays')])
  await using held = await HeldSnapshot.ofLookup(store)
  await store.flush()
  expect(idsOf(await rowsIn(held.snapshot))).toEqual(['in-file', 'leaves', 'stays'])
  expect(idsOf(await visibleRows(store))).toEqual(['in-file', 'leaves', 'stays'])
})

test('a replaced file is kept until the last snapshot that pins it is released', async () => {
  await using bench = await StoreBench.open([notesTable], { isMaintained: false })
  const { store } = bench
  await store.write('notes', [closedNote('a'), closedNote('b')])
  await store.flush()
  const [old] = parquetNames(bench)
  const first = await HeldSnapshot.ofLookup(store)
  const second = await HeldSnapshot.ofLookup(store)
  await store.write('notes', [removal('a')])
  await store.flush()
  await bench.removeReplaced({ isHeld: true })
  expect(parquetNames(bench)).toHaveLength(2)
  await first.release()
  expect(parquetNames(bench)).toContain(old!)
  expect(idsOf(await rowsIn(second.snapshot))).toEqual(['a', 'b'])
  await second.release()
  expect(parquetNames(bench)).toHaveLength(1)
  expect(parquetNames(bench)).not.toContain(old!)
  expect(idsOf(await visibleRows(store))).toEqual(['b'])
})

test('a long-held snapshot pins its own files and none that were created and replaced later', async () => {
  await using bench = await StoreBench.open()
  const { store } = bench
  await store.write('notes', [closedNote('first')])
  await store.flush()
  await using held = await HeldSnapshot.ofLookup(store)
  for (const id of ['a', 'b', 'c', 'd']) {
    await store.write('notes', [closedNote(id)])
    await store.flush()
    await store.compact()
    await bench.removeReplaced({ isHeld: true })
  }
  // The current file, and the one that the snapshot reads.
  expect(parquetNames(bench)).toHaveLength(2)
  expect(idsOf(await rowsIn(held.snapshot))).toEqual(['first'])
  await held.release()
  await bench.removeReplaced()
  expect(parquetNames(bench)).toHaveLength(1)
  expect(idsOf(await visibleRows(store))).toEqual(['a', 'b', 'c', 'd', 'first'])
})
