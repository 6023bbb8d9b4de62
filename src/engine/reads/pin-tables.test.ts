import { expect, test } from 'bun:test'
import { notesTable } from '../../../test/store/notes-table.ts'
import { Mutex } from '../../lib/concurrency.ts'
import { ReadCost, readCost, withReadCost } from '../../runtime/platform/read-cost.ts'
import { isWaiting, mayWait, waiting, withoutWaiting } from '../../runtime/platform/without-waiting.ts'
import { TableLayout } from '../layout.ts'
import { Memtable } from '../memtable/memtable.ts'
import { DamagedFiles } from '../table/damaged-files.ts'
import { HiddenKeys } from '../table/hidden-keys.ts'
import { HiddenRows } from '../table/hidden-rows.ts'
import type { PinnedTable } from '../table/pinned-table.ts'
import { TextFilters } from '../text-filter/text-filters.ts'
import { ValueIndexes } from '../value-index/value-indexes.ts'
import { type PinnableTable, SnapshotBatcher } from './pin-tables.ts'

/** A table that only counts method calls. */
class CountedTable implements PinnableTable {
  readersWaiting = 0
  materialized = 0
  pins = 0
  failure: Error | undefined
  /** In which scopes it was drained. */
  readonly drains: { readonly cost: ReadCost | undefined; readonly mayWait: boolean; readonly waits: boolean }[] = []

  async materialize(): Promise<void> {
    this.materialized++
    this.drains.push({ cost: readCost(), mayWait: mayWait(), waits: isWaiting() })
    await Promise.resolve()
    if (this.failure !== undefined) throw this.failure
  }

  pin(): PinnedTable {
    this.pins++
    return {
      table: notesTable,
      layout: new TableLayout('nowhere', notesTable.name),
      damaged: new DamagedFiles(new TableLayout('nowhere', notesTable.name), async () => true, undefined as never),
      valueIndexes: new ValueIndexes(notesTable, new TableLayout('nowhere', notesTable.name), undefined),
      textFilters: new TextFilters(new TableLayout('nowhere', notesTable.name), undefined as never),
      hidden: new HiddenRows({
        sealed: undefined,
        active: new Memtable(notesTable, 1),
        dataFiles: [],
        keyIndex: undefined as never,
        hiddenKeys: new HiddenKeys(),
      }),
      rollups: undefined as never,
      loadedRollups: { tableName: '', files: new Map(), hidden: new Map() },
      active: new Memtable(notesTable, 1),
      sealed: undefined,
      files: { dataFiles: [], pins: 0 },
      hiddenProjects: new Set(),
      activeHasRows: false,
      sealedHasRows: false,
    }
  }

  async unpin(): Promise<void> {
    this.pins--
  }
}

const reader = { begin: async () => {} }

test('rows are drained once for all readers of a batch', async () => {
  const lock = new Mutex()
  const batcher = new SnapshotBatcher(lock)
  const [notes, others] = [new CountedTable(), new CountedTable()]
  const [busy, free] = promiseWithResolve()
  const holder = lock.run(() => busy)
  const asking = Array.from({ length: 20 }, (_, i) => batcher.pin(i % 2 === 0 ? [notes] : [notes, others], reader))
  free()
  const pinned = await Promise.all(asking)
  await holder
  expect([notes.materialized, others.materialized]).toEqual([1, 1])
  expect([notes.pins, others.pins]).toEqual([20, 10])
  expect(pinned.map(({ length }) => length)).toEqual(Array.from({ length: 20 }, (_, i) => 1 + (i % 2)))
})

test('a reader that arrives during a batch gets one of its own', async () => {
  const batcher = new SnapshotBatcher(new Mutex())
  const notes = new CountedTable()
  let late: Promise<unknown> | undefined
  await batcher.pin([notes], {
    begin: async () => {
      late = batcher.pin([notes], reader)
    },
  })
  await late
  expect(notes.materialized).toBe(2)
})

test('a table that cannot be drained fails its readers only, and a reader that cannot begin fails alone', async () => {
  const batcher = new SnapshotBatcher(new Mutex())
  const [notes, broken] = [new CountedTable(), new CountedTable()]
  broken.failure = new Error('no room')
  const sulking = {
    begin: async () => {
      throw new Error('closed')
    },
  }
  const results = await Promise.allSettled([
    batcher.pin([notes], reader),
    batcher.pin([notes, broken], reader),
    batcher.pin([notes], sulking),
  ])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected'])
  expect([notes.pins, broken.pins]).toEqual([1, 0])
  broken.failure = undefined
  expect(await batcher.pin([notes, broken], reader)).toHaveLength(2)
})

test('a batch is drained in the scopes of none of its readers, and each begins in its own', async () => {
  const batcher = new SnapshotBatcher(new Mutex())
  const [notes, others] = [new CountedTable(), new CountedTable()]
  const costs: (ReadCost | undefined)[] = []
  const noting = {
    begin: async () => {
      costs.push(readCost())
    },
  }
  const cost = new ReadCost()
  await Promise.all([
    withReadCost(cost, () => withoutWaiting(() => batcher.pin([notes], noting))),
    batcher.pin([notes], noting),
    waiting(() => batcher.pin([others], noting)),
  ])
  const inNoScope = { cost: undefined, mayWait: true, waits: false }
  expect(notes.drains).toEqual([inNoScope])
  // What one of them waits for, with the lock, all of them do.
  expect(others.drains).toEqual([{ ...inNoScope, waits: true }])
  expect(costs).toEqual([cost, undefined, undefined])
})

function promiseWithResolve(): [Promise<void>, () => void] {
  const { promise, resolve } = Promise.withResolvers<void>()
  return [promise, resolve]
}
