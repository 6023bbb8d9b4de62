import { beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { v7 } from 'uuid'
import { fileColumns } from '../../src/engine/data-files/file-scan.ts'
import { callsTable } from '../../src/engine/tables/calls-table.ts'
import { lakeLimits } from '../../src/lib/limits/objects.ts'
import { SimulatedObjects, SimulatedStore, type StoreOperation } from '../lake/simulated-store.ts'
import { callRow } from './call-row.ts'
import { Random } from './random.ts'
import { StoreBench } from './store-bench.ts'
import { until } from './until.ts'

setDefaultTimeout(120_000)

const smallFiles = 62
const smallRows = 40
/** More than two row groups, and enough for a value index. */
const largeRows = 8_400

/** A lake with many data files, most of them small, and the ids of their calls. */
class Lake {
  readonly objects = new SimulatedObjects()
  readonly ids: string[] = []
  requests: StoreOperation[] = []
  readonly store = new SimulatedStore(async (operation) => {
    this.requests.push(operation)
    return this.objects.run(operation)
  })

  open(): Promise<StoreBench> {
    return StoreBench.open([callsTable], { lake: { store: this.store, node: 'n' }, isMaintained: false })
  }

  async fill(newId: (at: number, random: Random) => string): Promise<this> {
    const random = new Random(1)
    await using bench = await this.open()
    for (let file = 0; file < smallFiles + 2; file++) {
      const isLarge = file === 20 || file === 40
      const rows = Array.from({ length: isLarge ? largeRows : smallRows }, () => {
        const at = this.ids.length
        this.ids.push(newId(at, random))
        const text = Array.from({ length: isLarge ? 8 : 1 }, () => random.next().toString(36).slice(2)).join(' ')
        return callRow('p', at, {
          id: this.ids[at]!,
          trace_id: traceOf(at),
          inputs: JSON.stringify({ text }),
          output: JSON.stringify({ text: text.split('').reverse().join('') }),
        })
      })
      await bench.store.write('calls', rows)
      await bench.store.flush({ retainIncomplete: false })
    }
    return this
  }
}

const timed = new Lake()
const random = new Lake()

beforeAll(async () => {
  await timed.fill((at) => v7({ msecs: 1.7e12 + at * 1000 }))
  await random.fill((_, from) =>
    Array.from({ length: 4 }, () => from.below(65_536).toString(16).padStart(4, '0')).join(''),
  )
})

const traceOf = (at: number): string => `t${String(Math.floor(at / 10)).padStart(6, '0')}`

const columns = fileColumns(callsTable).flatMap(({ name, type }) => (type === 'texts' ? [] : [name]))
const read = ({ store }: StoreBench, id: string) => store.rowInFiles('calls', { projectId: 'p', id }, columns)

const small = 5 * smallRows + 3
const large = 20 * smallRows + 5_000

test.each([small, large])('a node with an empty cache reads a call by an id in order of time, %d', async (at) => {
  await using bench = await timed.open()
  timed.requests = []
  expect(await read(bench, timed.ids[at]!)).toMatchObject({ id: timed.ids[at]!, trace_id: traceOf(at) })
  expect(timed.requests.length).toBeLessThanOrEqual(4)
})

test.each([small, large])('the same by a random id, once filters were fetched ahead, %d', async (at) => {
  await using bench = await random.open()
  const prefetch = bench.store.lake!.prefetch
  prefetch.start()
  await until(() => prefetch.isDone)
  expect(bench.store.lake!.cache.counts.prefetchedBytes).toBeGreaterThan(0)
  random.requests = []
  expect(await read(bench, random.ids[at]!)).toMatchObject({ id: random.ids[at]!, trace_id: traceOf(at) })
  expect(random.requests.length).toBeLessThanOrEqual(4)
})

test('fetching ahead can be stopped', async () => {
  await using bench = await random.open()
  random.requests = []
  const { prefetch } = bench.store.lake!
  prefetch.start()
  await prefetch.stop()
  expect(prefetch.isDone).toBe(true)
  expect(random.requests.filter(isOfIndex).length).toBeLessThan(smallFiles)
})

test('filters of files that the bounds of their ids tell apart are not fetched ahead', async () => {
  await using bench = await timed.open()
  timed.requests = []
  const { prefetch } = bench.store.lake!
  prefetch.start()
  await until(() => prefetch.isDone)
  const newest = new Set(timed.requests.filter(isOfIndex).map((request) => 'name' in request && request.name))
  expect(newest.size).toBe(lakeLimits.prefetchedFilesMax)
})

const isOfIndex = (request: StoreOperation): boolean => request.kind === 'get' && request.name.endsWith('.index')
