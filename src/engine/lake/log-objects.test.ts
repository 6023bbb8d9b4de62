import { afterAll, expect, test } from 'bun:test'
import { logLimits } from '../../lib/limits/objects.ts'
import type { Column, Table } from '../../lib/table.ts'
import { BatchCodec } from '../wal/batch-codec.ts'
import type { LogStorage } from '../wal/log-storage.ts'
import { WriteAheadLog } from '../wal/write-ahead-log.ts'
import type { FencedLog } from './fenced-log.ts'
import { backlogOf } from './log-objects.ts'

const columns: Column[] = [{ name: 'text', type: 'text', description: 'text', storedIn: 'everywhere' }]
const table: Pick<Table, 'name' | 'columns'> = { name: 't', columns }
const codec = new BatchCodec(table as Table)

// However slow the machine is, the time after an append is not over.
const { groupAgeMs } = logLimits
Object.assign(logLimits, { groupAgeMs: 3_600_000 })
afterAll(() => Object.assign(logLimits, { groupAgeMs }))

/** A log whose appends end when the test says so. */
function heldUpLog() {
  const ends: (() => void)[] = []
  const log: FencedLog = {
    epoch: 1,
    last: 0,
    unflushed: 0,
    unflushedRows: 0,
    failure: undefined,
    fenced: new Promise(() => {}),
    async *replay() {},
    append: () => new Promise((resolve) => ends.push(() => resolve(ends.length))),
    truncate: async () => {},
    close: async () => {},
  }
  return { log, ends }
}

test('only for a while after an append, more messages are awaited', async () => {
  const { log, ends } = heldUpLog()
  const { storage } = backlogOf(log, codec, 0)
  expect(storage.gatheringMs).toBeLessThan(0)
  const appended = storage.append([])
  expect(storage.gatheringMs).toBeLessThan(0)
  ends[0]?.()
  await appended
  expect(storage.gatheringMs).toBeGreaterThan(0)
})

test('rows of those whose writes have just ended share an object with what came meanwhile', async () => {
  const { log, ends } = heldUpLog()
  const { storage } = backlogOf(log, codec, 0)
  const applied: number[] = []
  // Ends are followed up at once, so however short the time is, it is not over before.
  const shortly: LogStorage = Object.create(storage, {
    gatheringMs: { get: () => Math.min(storage.gatheringMs, 1) },
    append: { value: (messages: Uint8Array[]) => storage.append(messages) },
  })
  const wal = new WriteAheadLog(shortly, codec, (rows) => applied.push(rows.length))
  const first = wal.append([['a']]).then(() => wal.append([['a again']]))
  while (ends.length === 0) await Bun.sleep(1)
  const others = [wal.append([['b']]), wal.append([['c']])]
  ends[0]?.()
  while (ends.length === 1) await Bun.sleep(1)
  expect(applied).toEqual([1])
  ends[1]?.()
  await Promise.all([first, ...others])
  expect([ends.length, applied]).toEqual([2, [1, 1, 1, 1]])
  await wal.close()
})
