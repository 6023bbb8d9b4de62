import { expect, setDefaultTimeout, test } from 'bun:test'
import { lakeLimits } from '../../src/lib/limits/objects.ts'
import { ObjectStoreError } from '../../src/runtime/objects/object-store.ts'
import { SimulatedObjects, SimulatedStore, type StoreOperation } from '../lake/simulated-store.ts'
import { closedNote, noteRow, notesTable, notesTableNamed, openNote, removal } from './notes-table.ts'
import { StoreBench } from './store-bench.ts'
import { until } from './until.ts'
import { idsOf, type VisibleRow, visibleRows } from './visible-rows.ts'

setDefaultTimeout(120_000)

const others = notesTableNamed('others')
const flush = ({ store }: StoreBench) => store.flush({ retainIncomplete: false })

/** A lake of two tables, whose store may stall: on files of notes, if `begin` says nothing else. */
class StallingLake {
  private readonly objects = new SimulatedObjects()
  private stall: PromiseWithResolvers<void> | undefined
  private stalls = isOfNotes
  private failures = 0
  /** Requests that wait. */
  stalled = 0
  readonly store = new SimulatedStore(async (operation) => {
    if (this.stall !== undefined && this.stalls(operation)) {
      if (this.failures-- > 0) throw new ObjectStoreError('unreachable', 'The store is away')
      this.stalled++
      await this.stall.promise
    }
    return this.objects.run(operation)
  })

  open(options: { queryTimeoutMs?: number } = {}): Promise<StoreBench> {
    const lake = { store: this.store, node: 'n' }
    return StoreBench.open([notesTable, others], { lake, isMaintained: false, ...options })
  }

  /** Two files of notes, and one of others. */
  async fill(): Promise<this> {
    await using bench = await this.open()
    for (const ids of [
      ['a', 'b', 'c'],
      ['x', 'y'],
    ]) {
      await bench.store.write(
        'notes',
        ids.map((id) => closedNote(id, { votes: 1, author: 'first' })),
      )
      await flush(bench)
    }
    await bench.store.write('others', [closedNote('o')])
    await flush(bench)
    return this
  }

  /** @param options.failures of requests that would stall, before those that do */
  begin(stalls = isOfNotes, { failures = 0 } = {}): void {
    this.stalls = stalls
    this.failures = failures
    this.stall = Promise.withResolvers()
    this.stalled = 0
  }

  end(): void {
    this.stall?.resolve()
    this.stall = undefined
  }

  /** As if other files had taken their places in the cache. */
  async forgetIndexes({ store }: StoreBench): Promise<void> {
    for (const [name, { bytes }] of this.objects.objects)
      if (name.endsWith('.index')) await store.lake!.cache.forget(name, bytes.length)
  }
}

const isAny = (): boolean => true

const isOfNotes = (operation: StoreOperation): boolean =>
  operation.kind === 'get' && /^tables\/notes\/(part-|_filters)/.test(operation.name)

const point = ({ store }: StoreBench, id: string) => store.rowInFiles('notes', { projectId: 'p', id }, ['id', 'votes'])

/** Reads that need nothing of what is being fetched. */
async function readOthers(bench: StoreBench): Promise<void> {
  expect(idsOf(await visibleRows(bench.store, others))).toEqual(['o'])
  expect(await point(bench, 'y')).toMatchObject({ id: 'y', votes: 1 })
}

test.each([
  ['an update', () => noteRow({ id: 'b', votes: 7 }), ['a', 'b', 'c', 'x', 'y']],
  ['a deletion', () => removal('b'), ['a', 'c', 'x', 'y']],
] as const)('other reads go on while the old file of %s is fetched for a reader', async (_, change, left) => {
  const lake = await new StallingLake().fill()
  await using bench = await lake.open()
  await readOthers(bench)
  lake.begin()
  await bench.store.write('notes', [change()])
  const reading = visibleRows(bench.store)
  await until(async () => lake.stalled > 0)
  await readOthers(bench)
  await bench.store.write('others', [closedNote('second')])
  expect(await visibleRows(bench.store, others)).toHaveLength(2)
  lake.end()
  const rows = await reading
  expect(idsOf(rows)).toEqual([...left])
  const changed = rows.find(({ id }) => id === 'b')
  if (changed !== undefined) expect(changed).toMatchObject({ votes: 7, author: 'first' })
})

test('they go on while it is fetched for a flush, and more changes arrive', async () => {
  const lake = await new StallingLake().fill()
  await using bench = await lake.open()
  await readOthers(bench)
  await bench.store.write('notes', [noteRow({ id: 'b', votes: 7 })])
  lake.begin()
  const flushing = bench.store.flush({ retainIncomplete: false })
  await until(async () => lake.stalled > 0)
  await readOthers(bench)
  await bench.store.write('notes', [noteRow({ id: 'c', votes: 8 }), closedNote('new')])
  lake.end()
  await flushing
  const votes = Object.fromEntries((await visibleRows(bench.store)).map(({ id, votes }) => [id, votes]))
  expect(votes).toMatchObject({ a: 1, b: 7, c: 8, x: 1, y: 1 })
  expect(Object.keys(votes)).toHaveLength(6)
})

test('a reader waits no longer than it may, and the change is applied once its old file can be fetched', async () => {
  const lake = await new StallingLake().fill()
  // Enough for reads that need not wait, however slow the machine is.
  await using bench = await lake.open({ queryTimeoutMs: 5_000 })
  await bench.store.write('notes', [noteRow({ id: 'b', votes: 7 })])
  lake.begin()
  await expect(visibleRows(bench.store)).rejects.toMatchObject({ type: 'StoreUnavailable' })
  expect(idsOf(await visibleRows(bench.store, others))).toEqual(['o'])
  lake.end()
  let found: VisibleRow | undefined
  await until(async () => {
    found = (await visibleRows(bench.store).catch(() => [])).find(({ id }) => id === 'b')
    return found !== undefined
  })
  expect(found).toMatchObject({ votes: 7, author: 'first' })
})

test.each([
  ['rows are being logged', closedNote('late')],
  ['rows that stay in memory are logged again', undefined],
] as const)('reads go on while the store is away and a flush waits: %s', async (_, late) => {
  const lake = await new StallingLake().fill()
  await using bench = await lake.open()
  await bench.store.write('notes', [closedNote('new'), openNote('open')])
  await readOthers(bench)
  const ids = idsOf(await visibleRows(bench.store))
  const flushing = bench.store.flush({ retainIncomplete: true })
  lake.begin(isAny)
  const writing = late && bench.store.write('notes', [late])
  await until(async () => lake.stalled > 0)
  expect(idsOf(await visibleRows(bench.store))).toEqual(ids)
  await readOthers(bench)
  lake.end()
  await flushing
  await writing
  await bench.store.write('notes', [noteRow({ id: 'open', closed: 9 })])
  await flush(bench)
  const due = [...ids, ...(late ? ['late'] : [])].toSorted()
  expect(idsOf(await visibleRows(bench.store))).toEqual(due)
  await bench.reopen()
  expect(idsOf(await visibleRows(bench.store))).toEqual(due)
})

test('parts that a flush is about to store are not counted as rows while it waits for the store', async () => {
  const lake = await new StallingLake().fill()
  await using bench = await lake.open()
  await bench.store.write('notes', [noteRow({ id: 'part', votes: 7 }), removal('never')])
  const ids = idsOf(await visibleRows(bench.store))
  lake.begin(isAny)
  const flushing = bench.store.flush({ retainIncomplete: false, withParts: true })
  await until(async () => lake.stalled > 0)
  const counted = await bench.store.countRows('notes', { projectId: 'p' })
  lake.end()
  await flushing
  expect([ids.length, undefined]).toContain(counted)
})

test('reads go on while a flush looks up which files its changes concern', async () => {
  const lake = await new StallingLake().fill()
  // Less than the time after which a lookup would give up.
  await using bench = await lake.open({ queryTimeoutMs: lakeLimits.partMsMax / 2 })
  await bench.store.write('notes', [removal('b')])
  await readOthers(bench)
  const ids = idsOf(await visibleRows(bench.store))
  // The next lookup is in a new file, whose index is no longer in the cache.
  await bench.store.compact()
  await lake.forgetIndexes(bench)
  lake.begin(isOfNotes, { failures: 1 })
  const flushing = bench.store.flush({ retainIncomplete: false, mayWait: true })
  await until(async () => lake.stalled > 0)
  await readOthers(bench)
  lake.end()
  await flushing
  expect(idsOf(await visibleRows(bench.store))).toEqual(ids)
  await bench.reopen()
  expect(idsOf(await visibleRows(bench.store))).toEqual(ids)
})

test('a flush fails while the store does not say which files its changes concern, and the next one does it', async () => {
  const lake = await new StallingLake().fill()
  await using bench = await lake.open()
  await bench.store.write('notes', [removal('b')])
  const ids = idsOf(await visibleRows(bench.store))
  await bench.store.compact()
  await lake.forgetIndexes(bench)
  lake.begin(isOfNotes, { failures: Number.POSITIVE_INFINITY })
  const flush = () => bench.store.flush({ retainIncomplete: false, mayWait: true })
  await expect(flush()).rejects.toMatchObject({ type: 'StoreUnavailable' })
  lake.end()
  await flush()
  expect(idsOf(await visibleRows(bench.store))).toEqual(ids)
})

test('the time limit of a reader does not begin anew with each file that it waits for', async () => {
  const queryTimeoutMs = 1_000
  const letters = [...'abcdef']
  let [next, isArmed] = [1, false]
  let bench: StoreBench | undefined
  const seen = new Set<string>()
  const objects = new SimulatedObjects()
  const store = new SimulatedStore(async (operation) => {
    if (isArmed && operation.kind === 'get' && isOfNotes(operation) && !seen.has(operation.name)) {
      seen.add(operation.name)
      const letter = letters[next++]
      // Each file is there in less time than the limit, but then the next one is needed.
      if (letter !== undefined) await bench!.store.write('notes', [noteRow({ id: letter, votes: 7 })])
      await Bun.sleep(queryTimeoutMs / 2)
    }
    return objects.run(operation)
  })
  const lake = { store, node: 'n' }
  {
    await using first = await StoreBench.open([notesTable], { lake, isMaintained: false })
    for (const letter of letters) {
      await first.store.write('notes', [closedNote(letter)])
      await flush(first)
    }
  }
  bench = await StoreBench.open([notesTable], { lake, isMaintained: false, queryTimeoutMs })
  await using _ = bench
  await bench.store.write('notes', [noteRow({ id: letters[0]!, votes: 7 })])
  isArmed = true
  const failure = await visibleRows(bench.store).catch(({ type }: { type?: string }) => type)
  isArmed = false
  // As it waits for a file, or in between.
  expect(['StoreUnavailable', 'QueryTimeout']).toContain(String(failure))
})
