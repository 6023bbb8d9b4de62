import { expect, test } from 'bun:test'
import { placeOrder, type RowsWanted } from '../../src/engine/reads/rows-wanted.ts'
import type { Snapshot } from '../../src/engine/reads/snapshot.ts'
import { callsTable } from '../../src/engine/tables/calls-table.ts'
import type { Row } from '../../src/lib/table.ts'
import type { CallsPlan } from '../../src/query/calls-plan.ts'
import { columnField } from '../../src/query/catalog.ts'
import { always } from '../../src/query/expression.ts'
import { compilePlanned, compileStats } from '../../src/query/sql/statements.ts'
import { callRow } from './call-row.ts'
import { changeLimits } from './change-limits.ts'
import { HeldSnapshot } from './held-snapshot.ts'
import { startMs } from './notes-table.ts'
import { Random, seedOr } from './random.ts'
import { StoreBench } from './store-bench.ts'

const projectId = 'acme/traces'
const firstMicros = 1e15
const ids = 60
const steps = 80
const newestFive: RowsWanted = {
  oneOf: new Map(),
  areNull: [],
  times: {},
  isTimeDescending: true,
  isIdDescending: true,
  limit: 5,
  offset: 0,
}

function partOf(id: string, cells: Partial<Record<keyof typeof callsTable.at, string | number>>): Row {
  const row: Row = callsTable.columns.map(() => null)
  const all = { project_id: projectId, id, written_at: startMs * 1000, ...cells }
  for (const [name, cell] of Object.entries(all)) row[callsTable.at[name as keyof typeof callsTable.at]] = cell
  return row
}

const callOf = (id: string, started: number): Row =>
  callRow(projectId, 0, { id, started_at: started, ended_at: started + 1, written_at: startMs * 1000 })

/** Calls by id, with the time at which each started, in microseconds. */
type Model = Map<string, number>

const newestOf = (model: Model): string[] =>
  [...model]
    .map(([id, time]) => ({ id, time }))
    .sort(placeOrder(newestFive))
    .slice(0, 5)
    .map(({ id }) => id)

async function countOf(snapshot: Snapshot): Promise<number> {
  const plan = { projectId, where: always, limit: undefined, after: undefined } as unknown as CallsPlan
  const calls = await snapshot.relationWhere('calls', {})
  const relations = { calls, traces: calls, feedback: undefined, queues: undefined }
  const [row] = await snapshot.rows(compileStats(plan, relations, { totalStorageSize: false }))
  return Number(row?.[0])
}

async function newestIn(snapshot: Snapshot): Promise<string[]> {
  const few = await snapshot.fewRows('calls', {}, {}, {}, newestFive)
  if (few === undefined) throw new Error('Find the newest calls: only DuckDB can')
  const sort = [{ field: columnField('started_at', 'time'), direction: 'desc' }] as const
  const columns = ['id', 'started_at']
  const inMemory =
    few.inMemory === undefined
      ? []
      : await snapshot.rows(
          compilePlanned({ relation: few.inMemory, projectId, where: always, columns, sort, limit: 100 }),
        )
  return [...few.places, ...inMemory.map(([id, time]) => ({ id: String(id), time: Number(time) }))]
    .sort(placeOrder(newestFive))
    .slice(0, 5)
    .map(({ id }) => id)
}

/** Lets every data file count as large. */
function deletionsWait(): Disposable {
  const restore = changeLimits({ rewrittenFreelyBytesMax: 0, rewrittenShareMin: 0.5 })
  return { [Symbol.dispose]: restore }
}

/** Compares all ways to count calls, and to find the newest, with the model. */
async function compare(
  bench: StoreBench,
  model: Model,
): Promise<{ readonly wereInFiles: boolean; readonly wereCounted: boolean }> {
  await bench.store.read(['calls'], { projectId }, async (snapshot) => {
    expect(await countOf(snapshot)).toBe(model.size)
    expect(await newestIn(snapshot)).toEqual(newestOf(model))
  })
  const count = await bench.store.countRows('calls', { projectId })
  const wereCounted = count !== undefined
  if (wereCounted) expect(count).toBe(model.size)
  const inFiles = await bench.store.inFiles('calls', { projectId }, (files) => files.count())
  if (inFiles === null || inFiles === undefined) return { wereInFiles: false, wereCounted }
  expect(inFiles).toBe(model.size)
  expect(count).toBe(model.size)
  const few = await bench.store.inFiles('calls', { projectId }, (files) =>
    files.fewRows('calls', {}, {}, {}, newestFive),
  )
  expect(few?.places.map(({ id }) => id)).toEqual(newestOf(model))
  return { wereInFiles: true, wereCounted }
}

test('rows that newer layers hide are neither counted nor found, also by readers that began earlier', async () => {
  const random = new Random(seedOr(20_261_128))
  using _ = deletionsWait()
  let bench = await StoreBench.open([callsTable])
  const model: Model = new Map()
  const removed = new Set<string>()
  let held: { snapshot: HeldSnapshot; model: Model } | undefined
  let inFiles = 0
  let withRowsInMemory = 0
  const release = async () => {
    await held?.snapshot.release()
    held = undefined
  }
  const pick = () => `id-${random.below(ids)}`
  for (let step = 0; step < steps; step++) {
    const choice = random.next()
    if (choice < 0.3) {
      const added = Array.from({ length: random.between(1, 12) }, () => ({
        id: pick(),
        started: firstMicros + random.below(1000),
      }))
      await bench.store.write(
        'calls',
        added.map(({ id, started }) => callOf(id, started)),
      )
      for (const { id, started } of added) if (!removed.has(id)) model.set(id, started)
    } else if (choice < 0.5) {
      const gone = Array.from({ length: random.between(1, 3) }, pick)
      await bench.store.write(
        'calls',
        gone.map((id) => callsTable.tombstone(projectId, id, bench.nowMs * 1000)),
      )
      for (const id of gone) {
        model.delete(id)
        removed.add(id)
      }
    } else if (choice < 0.6) await bench.store.write('calls', [partOf(pick(), { thread_id: `thread-${step}` })])
    else if (choice < 0.8) await bench.store.flush({ retainIncomplete: true, mayWait: random.chance(0.4) })
    else if (choice < 0.9) await bench.store.compact()
    else {
      await release()
      const before = bench
      bench = await StoreBench.afterCrashOf(before)
      await before[Symbol.asyncDispose]()
    }
    const { wereInFiles, wereCounted } = await compare(bench, model)
    if (wereInFiles) inFiles++
    else if (wereCounted) withRowsInMemory++
    if (held !== undefined) {
      expect(await countOf(held.snapshot.snapshot)).toBe(held.model.size)
      expect(await newestIn(held.snapshot.snapshot)).toEqual(newestOf(held.model))
      if (random.chance(0.3)) await release()
    }
    held ??= {
      snapshot: await HeldSnapshot.ofLookup(bench.store, { tables: ['calls'], projectId }),
      model: new Map(model),
    }
  }
  await release()
  expect(inFiles).toBeGreaterThan(steps / 8)
  expect(withRowsInMemory).toBeGreaterThan(steps / 8)
  await bench[Symbol.asyncDispose]()
}, 600_000)
