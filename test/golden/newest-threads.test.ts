import { expect, test } from 'bun:test'
import { threadsOrder } from '../../src/domains/traces/plan/threads.ts'
import { compileThreads } from '../../src/domains/traces/sql/threads.ts'
import { planOfNewest } from '../../src/domains/traces/threads/newest-threads.ts'
import { callsTable } from '../../src/engine/tables/calls-table.ts'
import { storageLimits } from '../../src/lib/limits/storage.ts'
import { parseSort } from '../../src/query/sort.ts'
import { callRow } from '../store/call-row.ts'
import { StoreBench } from '../store/store-bench.ts'
import { Random, seedOf } from './random.ts'

const projectId = 'acme/threads'
const random = new Random(seedOf('newest threads'))
const firstMicros = 1.7e15

/** A turn of a random thread; some take long, and some are not over. */
function turnOf(id: string, from: number, nowMs: number) {
  const started = from + random.below(2000)
  const isTurn = random.below(5) > 0
  return callRow(projectId, 0, {
    id,
    thread_id: `thread-${random.below(60)}`,
    ...(isTurn && { turn_id: id }),
    started_at: started,
    ...(random.below(10) > 0 && { ended_at: started + random.pick([5, 5, 700, 9000]) }),
    written_at: nowMs * 1000,
  })
}

test('the last updated threads are the same whether or not all turns are read', async () => {
  const { valueIndexRowsMin, valueIndexBlockRows } = storageLimits
  Object.assign(storageLimits, { valueIndexRowsMin: 50, valueIndexBlockRows: 16 })
  let [asked, found] = [0, 0]
  try {
    await using bench = await StoreBench.open([callsTable])
    const ids: string[] = []
    const compare = () =>
      bench.store.readLong(['calls'], { projectId }, async (snapshot) => {
        for (let at = 0; at < 6; at++) {
          const after = random.pick([undefined, undefined, firstMicros + random.below(20_000)])
          const sort_by = random.pick([undefined, [{ field: 'last_updated', direction: 'desc' as const }]])
          const page = { limit: 1 + random.below(12), offset: random.pick([0, 0, 3]) }
          const conditions = {
            projectId,
            after,
            before: undefined,
            threadIds: [],
            sort: parseSort(sort_by, threadsOrder),
          }
          const plan = { ...conditions, ...page }
          const whole = { calls: snapshot.relation('calls'), matching: undefined }
          const newest = await planOfNewest(snapshot, plan)
          asked++
          if (newest === undefined) continue
          found++
          const expected = await snapshot.rows(compileThreads(plan, whole))
          expect(await snapshot.rows(compileThreads(newest.plan, { ...whole, calls: newest.calls }))).toEqual(expected)
        }
      })
    for (let round = 0; round < 14; round++) {
      const made = Array.from({ length: random.pick([10, 120]) }, (_, at) => `call-${round}-${at}`)
      ids.push(...made)
      await bench.store.write(
        'calls',
        made.map((id) => turnOf(id, firstMicros + round * 1500, bench.nowMs)),
      )
      await compare()
      await bench.store.flushAll()
      await compare()
      const gone = ids.filter(() => random.below(25) === 0)
      await bench.store.write(
        'calls',
        gone.map((id) => callsTable.tombstone(projectId, id, bench.nowMs * 1000)),
      )
      await compare()
      bench.nowMs += 60_000
    }
    console.log(`${found} of ${asked} pages were found in the newest files`)
    expect(found).toBeGreaterThan(asked / 4)
  } finally {
    Object.assign(storageLimits, { valueIndexRowsMin, valueIndexBlockRows })
  }
}, 300_000)
