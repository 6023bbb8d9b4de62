import { expect, test } from 'bun:test'
import { existsSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { ForeignWriter } from './foreign-writer.ts'
import { findLastingFaults } from './lasting-faults.ts'
import { closedNote, noteRow, notesTable } from './notes-table.ts'
import { errorLevel, StoreBench } from './store-bench.ts'
import { idsOf, rowsIn, visibleRows } from './visible-rows.ts'

const key = ['project', 'id'] as const

/**
 * A store with one file per note, and another engine that merges them and vacuums at once. Only
 * reads and flushes notice that, not the timer of the store.
 */
async function withFilesOf(...ids: string[]) {
  const bench = await StoreBench.open([notesTable], { isMaintained: false })
  for (const id of ids) {
    await bench.store.write('notes', [closedNote(id)])
    await bench.store.flush()
  }
  const other = new ForeignWriter(bench.tableFolder)
  const replaceFiles = async () => {
    await other.optimize()
    other.vacuum()
  }
  return { bench, other, replaceFiles }
}

function expectNoDamage(bench: StoreBench): void {
  expect(bench.entries(errorLevel)).toEqual([])
  expect(bench.store.state()).toEqual({ ok: true })
  expect(existsSync(join(bench.tableFolder, '_quarantine'))).toBe(false)
}

for (const reader of ['a flush', 'a read'] as const) {
  test(`a change is merged with its stored row for ${reader} after a foreign commit replaced the files`, async () => {
    const { bench, other } = await withFilesOf('a', 'b')
    await using _ = bench
    for (const votes of [1, 2, 3]) {
      const replaced = await other.replacement()
      // The next read follows too soon to check for commits.
      await visibleRows(bench.store)
      await bench.store.write('notes', [noteRow({ id: 'a', votes })])
      other.commit(...replaced)
      other.vacuum()
      if (reader === 'a flush') await bench.store.flush()
      const rows = await visibleRows(bench.store)
      expect(idsOf(rows)).toEqual(['a', 'b'])
      expect(rows[0]).toMatchObject({ votes, title: 'title of a' })
    }
    await bench.store.flush()
    expectNoDamage(bench)
    expect(await findLastingFaults(bench.tableFolder, key)).toEqual([])
    await bench.reopen()
    expect((await visibleRows(bench.store))[0]).toMatchObject({ votes: 3, title: 'title of a' })
  })
}

test('a lookup is retried if a foreign commit replaces its files before it reads them', async () => {
  const { bench, replaceFiles } = await withFilesOf('a', 'b')
  await using _ = bench
  let times = 0
  const ids = await bench.store.read(['notes'], { projectId: 'p' }, async (snapshot) => {
    if (times++ === 0) await replaceFiles()
    return idsOf(await rowsIn(snapshot))
  })
  expect([times, ids]).toEqual([2, ['a', 'b']])
  expectNoDamage(bench)
})

test('a stream whose files are replaced restarts before its first row, and fails after it', async () => {
  const { bench, other, replaceFiles } = await withFilesOf('a', 'b')
  await using _ = bench
  let times = 0
  const found = bench.store.stream(['notes'], { projectId: 'p' }, async function* (snapshot) {
    if (times++ === 0) await replaceFiles()
    yield* idsOf(await rowsIn(snapshot))
  })
  expect([await Array.fromAsync(found), times]).toEqual([['a', 'b'], 2])
  other.commit(await other.write("SELECT 'p' AS project, 'c' AS id, 'by hand' AS title, now() AS opened"))
  const begun = bench.store.stream(['notes'], { projectId: 'p' }, async function* (snapshot) {
    times++
    yield 'first'
    await replaceFiles()
    yield* idsOf(await rowsIn(snapshot))
  })
  const read = async () => {
    for await (const _ of begun);
  }
  await expect(read()).rejects.toMatchObject({ type: 'DataDamaged' })
  expect(times).toBe(3)
  expect(bench.store.state()).toEqual({ ok: true })
})

test('a single-row read leaves files that a foreign commit replaced to a snapshot', async () => {
  const { bench, other } = await withFilesOf('a', 'b')
  await using _ = bench
  const row = () => bench.store.rowInFiles('notes', { projectId: 'p', id: 'a' }, ['title'])
  const replaced = await other.replacement()
  // The next read follows too soon to check for commits.
  expect(await row()).toMatchObject({ title: 'title of a' })
  other.commit(...replaced)
  other.vacuum()
  for (let round = 0; round < 2; round++) {
    expect(await row()).toBeUndefined()
    expect((await visibleRows(bench.store))[0]).toMatchObject({ title: 'title of a' })
  }
  expectNoDamage(bench)
})

test('a file that is missing but not replaced counts as damaged', async () => {
  const { bench, other } = await withFilesOf('a', 'b')
  await using _ = bench
  const [path] = [...other.adds.keys()]
  unlinkSync(join(bench.tableFolder, path!))
  let times = 0
  const read = bench.store.read(['notes'], { projectId: 'p' }, async (snapshot) => {
    times++
    return await rowsIn(snapshot)
  })
  await expect(read).rejects.toMatchObject({ type: 'DataDamaged' })
  expect(times).toBe(1)
  await bench.store.write('notes', [noteRow({ id: 'a', votes: 1 }), closedNote('c')])
  await bench.store.flush()
  expect(bench.store.state()).toEqual({ ok: true, damagedFiles: 1 })
})

test('compaction tolerates files replaced by a foreign commit', async () => {
  const { bench, replaceFiles } = await withFilesOf('a', 'b', 'c')
  await using _ = bench
  await replaceFiles()
  await bench.store.compact()
  expect(idsOf(await visibleRows(bench.store))).toEqual(['a', 'b', 'c'])
  expectNoDamage(bench)
})
