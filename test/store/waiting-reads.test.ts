import { expect, test } from 'bun:test'
import { readLimits } from '../../src/lib/limits/reads.ts'
import { storageLimits } from '../../src/lib/limits/storage.ts'
import { processors } from '../../src/runtime/platform/processes/threads.ts'
import { HeldSnapshot } from './held-snapshot.ts'
import { closedNote, notesTable } from './notes-table.ts'
import { StoreBench } from './store-bench.ts'
import { visibleRows } from './visible-rows.ts'

const sql = { text: 'SELECT count(*) FROM range(300000000000) t(i) WHERE hash(i) % 7 = 3', values: [] }
const nameOf = async (work: Promise<unknown>): Promise<string> =>
  await work.then(
    () => 'answered',
    (cause: unknown) => String((cause as { type?: unknown }).type ?? cause),
  )

/** Acquires all readers. */
async function takeAllReaders(bench: StoreBench): Promise<HeldSnapshot[]> {
  return await Promise.all(Array.from({ length: readLimits.lookupsMax }, () => HeldSnapshot.ofLookup(bench.store)))
}

test('a read that waits too long for a reader times out, and the reader serves others', async () => {
  await using bench = await StoreBench.open([notesTable], { queryTimeoutMs: 3_000 })
  const held = await takeAllReaders(bench)
  const startMs = performance.now()
  expect(await nameOf(HeldSnapshot.ofLookup(bench.store))).toBe('QueryTimeout')
  expect(performance.now() - startMs).toBeGreaterThan(2_500)
  for (const snapshot of held) await snapshot.release()
  expect(await visibleRows(bench.store)).toEqual([])
})

test('a client that disconnects while waiting for a snapshot releases its reader', async () => {
  await using bench = await StoreBench.open()
  for (let round = 0; round < 2 * readLimits.lookupsMax; round++) {
    await bench.store.write('notes', [closedNote(`note-${round}`)])
    const leaving = new AbortController()
    const taking = HeldSnapshot.ofLookup(bench.store, { signal: leaving.signal })
    const name = nameOf(taking)
    // The batch is running by now.
    for (let turn = 0; turn < round % 4; turn++) await Bun.sleep(0)
    leaving.abort()
    if ((await name) === 'answered') await (await taking).release()
    else expect(await name).toBe('RequestCancelled')
  }
  expect(await visibleRows(bench.store)).toHaveLength(2 * readLimits.lookupsMax)
  const { readers } = await bench.store.stats()
  expect(readers).toMatchObject({ waiting: 0 })
  const all = await takeAllReaders(bench)
  for (const snapshot of all) await snapshot.release()
})

test('waiting time counts against the time limit of a read', async () => {
  await using bench = await StoreBench.open([notesTable], { queryTimeoutMs: 6_000 })
  const held = await takeAllReaders(bench)
  const waiting = HeldSnapshot.ofLookup(bench.store)
  await Bun.sleep(1_500)
  for (const snapshot of held) await snapshot.release()
  await using waited = await waiting
  // Has the whole limit from here.
  await using prompt = await HeldSnapshot.ofLookup(bench.store)
  const ended: string[] = []
  const readToTheEnd = async (name: string, { snapshot }: HeldSnapshot) => {
    expect(await nameOf(snapshot.rows(sql))).toBe('QueryTimeout')
    ended.push(name)
  }
  await Promise.all([readToTheEnd('prompt', prompt), readToTheEnd('waited', waited)])
  expect(ended).toEqual(['waited', 'prompt'])
})

test('a lookup does not wait for the end of long statements while writes are behind', async () => {
  await using bench = await StoreBench.open()
  const { store } = bench
  await store.write('notes', [closedNote('a')])
  store.yieldReadersTo(() => true)
  const places = Math.min(Math.max(1, Math.floor(processors() / 2)), readLimits.lookupsMax - 1)
  const stop = new AbortController()
  const running = new Set<Promise<string>>()
  for (let long = 0; long < places; long++) {
    const held = await HeldSnapshot.ofLookup(store, { projectId: `busy-${long}`, signal: stop.signal })
    const ended: Promise<string> = nameOf(held.snapshot.rows(sql)).finally(() => running.delete(ended))
    running.add(ended)
    void ended.then(() => held.release())
  }
  expect(await visibleRows(store)).toHaveLength(1)
  expect(running.size).toBe(places)
  const all = [...running]
  stop.abort()
  expect(new Set(await Promise.all(all))).toEqual(new Set(['RequestCancelled']))
  expect(await visibleRows(store)).toHaveLength(1)
}, 120_000)

test('a reader sees the rows of all earlier writes', async () => {
  await using bench = await StoreBench.open()
  const count = 3 * storageLimits.drainedRowsMax + 7
  const rows = Array.from({ length: count }, (_, index) => closedNote(`note-${index}`))
  await bench.store.write('notes', rows)
  expect(await visibleRows(bench.store)).toHaveLength(count)
  await bench.store.write(
    'notes',
    rows.map((row) => [...row]),
  )
  await bench.store.flush()
  expect(await visibleRows(bench.store)).toHaveLength(count)
})
