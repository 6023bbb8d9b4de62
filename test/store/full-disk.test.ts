import { expect, spyOn, test } from 'bun:test'
import { type FileHandle, open } from 'node:fs/promises'
import { DiskSpace } from '../../src/engine/disk-space.ts'
import { MiB } from '../../src/lib/bytes.ts'
import { closedNote, notesTable, removal } from './notes-table.ts'
import { StoreBench, warnLevel } from './store-bench.ts'
import { until } from './until.ts'
import { idsOf, visibleRows } from './visible-rows.ts'

/** A store whose disk has as much space as the test says. */
async function benchWithSpace(free: { bytes: number }): Promise<StoreBench> {
  const findSpace = async () => ({ bytes: 1e12, freeBytes: free.bytes })
  return await StoreBench.open([notesTable], { findSpace })
}

test('writes are refused before the disk is full, reads go on, and writes resume by themselves', async () => {
  const free = { bytes: 1e9 }
  await using bench = await benchWithSpace(free)
  await bench.store.write('notes', [closedNote('a'), closedNote('b')])
  free.bytes = 255 * MiB
  await until(() => !bench.store.state().ok)
  const refused = { type: 'InsufficientStorage', message: expect.stringContaining('255 MiB are free, 256 MiB are res') }
  await expect(bench.store.write('notes', [closedNote('refused')])).rejects.toMatchObject(refused)
  expect(bench.store.state()).toMatchObject({ reason: expect.stringContaining('writes are refused') })
  expect(idsOf(await visibleRows(bench.store))).toEqual(['a', 'b'])
  await bench.store.flush()
  await bench.store.write('notes', [removal('b')])
  expect(idsOf(await visibleRows(bench.store))).toEqual(['a'])
  free.bytes = 256 * MiB
  await until(() => bench.store.state().ok)
  await bench.store.write('notes', [closedNote('c')])
  expect(idsOf(await visibleRows(bench.store))).toEqual(['a', 'c'])
})

test('a store on a full disk opens and answers reads', async () => {
  await using bench = await StoreBench.open()
  await bench.store.write('notes', [closedNote('a')])
  await bench.store.flush()
  await bench.store.write('notes', [closedNote('b')])
  await using crashed = await StoreBench.closedCopyOf(bench)
  const handle = await open('/dev/null')
  const prototype = Object.getPrototypeOf(handle) as FileHandle
  await handle.close()
  const full = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
  const spy = spyOn(prototype, 'writeFile').mockImplementation(() => Promise.reject(full))
  try {
    await crashed.reopen()
    expect(idsOf(await visibleRows(crashed.store))).toEqual(['a', 'b'])
    expect(crashed.entries(warnLevel).map(({ msg }) => msg)).toContain(
      'the disk is full; could not record which process has the data folder open',
    )
  } finally {
    spy.mockRestore()
  }
})

const quiet = { error: () => {}, info: () => {}, warn: () => {} } as never

test.each([
  { what: 'a small disk', bytes: 1e9, freeBytes: 49e6, isShort: true },
  { what: 'a small disk with 5 % left', bytes: 1e9, freeBytes: 50e6, isShort: false },
  { what: 'no reserve', bytes: 1e12, freeBytes: 0, reserveBytes: 0, isShort: false },
  { what: 'a reserve of its own', bytes: 1e12, freeBytes: 9e9, reserveBytes: 1e10, isShort: true },
])('the reserve: $what', async ({ bytes, freeBytes, reserveBytes, isShort }) => {
  const space = new DiskSpace({ find: async () => ({ bytes, freeBytes }), reserveBytes, log: quiet })
  await space.check()
  expect(space.shortage !== undefined).toBe(isShort)
})

test('a disk whose space is unknown is not considered full', async () => {
  for (const find of [async () => undefined, () => Promise.reject(new Error('statfs'))]) {
    const space = new DiskSpace({ find, reserveBytes: undefined, log: quiet })
    await space.check()
    expect(space.shortage).toBeUndefined()
  }
})
