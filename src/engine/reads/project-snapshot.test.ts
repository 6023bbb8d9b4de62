import { expect, test } from 'bun:test'
import { readLimits } from '../../lib/limits/reads.ts'
import { Semaphore } from '../../lib/semaphore.ts'
import type { ReadLimits } from '../../runtime/duck/reader.ts'
import type { PinnedTables } from './pinned-tables.ts'
import { ProjectSnapshot } from './project-snapshot.ts'

test('a statement over many files has the time that its turn has left', async () => {
  const timeoutMs = 10_000
  const given: ReadLimits[] = []
  const reader = { rows: async (_sql: unknown, limits: ReadLimits) => void given.push(limits) }
  const pinned = { limits: { timeoutMs, owner: 'a/b' }, reader } as unknown as PinnedTables
  const scans = new Semaphore(1)
  const snapshot = new ProjectSnapshot(pinned, 'a/b', scans)
  const files = Array.from({ length: readLimits.lookupFilesMax + 1 }, (_, index) => `/${index}.parquet`)
  const before = Promise.withResolvers<void>()
  const other = scans.run(() => before.promise)
  const waitMs = 50
  const statement = snapshot.rows({ text: 'SELECT $1', values: [{ files }] })
  await Bun.sleep(waitMs)
  expect(given).toEqual([])
  before.resolve()
  await Promise.all([other, statement])
  expect(given).toEqual([{ timeoutMs: expect.any(Number), owner: 'a/b' }])
  expect(given[0]?.timeoutMs).toBeLessThanOrEqual(timeoutMs - waitMs / 2)
  await snapshot.rows({ text: 'SELECT $1', values: [{ files: files.slice(1) }] })
  expect(given[1]?.timeoutMs).toBe(timeoutMs)
})
