import { expect, test } from 'bun:test'
import { notesTable } from '../../test/store/notes-table.ts'
import { TableLayout } from './layout.ts'
import { Generation } from './memtable/generation.ts'
import { Mutex } from './mutex.ts'
import { type PinnableTable, PinRounds } from './pin-rounds.ts'
import { DamagedFiles } from './table/damaged-files.ts'
import type { PinnedTable } from './table/pinned-table.ts'

/** A table that only counts. */
class CountedTable implements PinnableTable {
  readersWaiting = 0
  materialized = 0
  pins = 0
  failure: Error | undefined

  async materialize(): Promise<void> {
    this.materialized++
    await Promise.resolve()
    if (this.failure !== undefined) throw this.failure
  }

  pin(): PinnedTable {
    this.pins++
    return {
      table: notesTable,
      layout: new TableLayout('nowhere', notesTable.name),
      damaged: new DamagedFiles(new TableLayout('nowhere', notesTable.name), async () => true),
      active: new Generation(notesTable, 1),
      sealed: undefined,
      files: { segments: [], pins: 0 },
      activeHasRows: false,
      sealedHasRows: false,
    }
  }

  async unpin(): Promise<void> {
    this.pins--
  }
}

const reader = { begin: async () => {} }

test('rows move once for all readers that wait together', async () => {
  const lock = new Mutex()
  const rounds = new PinRounds(lock)
  const [notes, others] = [new CountedTable(), new CountedTable()]
  const [busy, free] = promiseWithResolve()
  const holder = lock.run(() => busy)
  const asking = Array.from({ length: 20 }, (_, i) => rounds.pin(i % 2 === 0 ? [notes] : [notes, others], reader))
  free()
  const pinned = await Promise.all(asking)
  await holder
  expect([notes.materialized, others.materialized]).toEqual([1, 1])
  expect([notes.pins, others.pins]).toEqual([20, 10])
  expect(pinned.map(({ length }) => length)).toEqual(Array.from({ length: 20 }, (_, i) => 1 + (i % 2)))
})

test('a reader that comes while a round is under way gets one of its own', async () => {
  const rounds = new PinRounds(new Mutex())
  const notes = new CountedTable()
  let late: Promise<unknown> | undefined
  await rounds.pin([notes], {
    begin: async () => {
      late = rounds.pin([notes], reader)
    },
  })
  await late
  expect(notes.materialized).toBe(2)
})

test('a table whose rows cannot move fails those who ask for it, and a reader that cannot begin fails alone', async () => {
  const rounds = new PinRounds(new Mutex())
  const [notes, broken] = [new CountedTable(), new CountedTable()]
  broken.failure = new Error('no room')
  const sulking = {
    begin: async () => {
      throw new Error('closed')
    },
  }
  const results = await Promise.allSettled([
    rounds.pin([notes], reader),
    rounds.pin([notes, broken], reader),
    rounds.pin([notes], sulking),
  ])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected'])
  expect([notes.pins, broken.pins]).toEqual([1, 0])
  broken.failure = undefined
  expect(await rounds.pin([notes, broken], reader)).toHaveLength(2)
})

function promiseWithResolve(): [Promise<void>, () => void] {
  const { promise, resolve } = Promise.withResolvers<void>()
  return [promise, resolve]
}
