import { afterAll, afterEach, expect, test } from 'bun:test'
import { pino } from 'pino'
import { callRow } from '../../../../test/store/call-row.ts'
import { StoreBench } from '../../../../test/store/store-bench.ts'
import { callsTable } from '../../../engine/tables/calls-table.ts'
import { queryLimits } from '../../../lib/limits/queries.ts'
import { compileStats } from '../../../query/sql/statements.ts'
import { ClickHouseServer } from '../../../runtime/clickhouse/clickhouse-server.ts'
import type { ProjectReader } from '../../access/caller.ts'
import { planRows, relationsOf } from '../plan.ts'
import { narrowedInParts } from './found-in-parts.ts'
import { HeavyQuestions } from './heavy-questions.ts'

let asked = 0
const fake = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch() {
    asked += 1
    return Response.json({ data: [[1, 0, ['x', 'y', 'z'].map((id) => [id, null])]] })
  },
})
afterAll(() => fake.stop(true))

const { clickHouseFoundRowsMax } = { ...queryLimits }
afterEach(() => {
  Object.assign(queryLimits, { clickHouseFoundRowsMax })
})

test('where ClickHouse finds too many calls in each part, DuckDB finds them after a bounded number', async () => {
  Object.assign(queryLimits, { clickHouseFoundRowsMax: 2 })
  await using bench = await StoreBench.open([callsTable])
  const projectId = 'acme/traces'
  const starts = Array.from({ length: 100 }, (_, hour) => hour * 3600)
  await bench.store.write(
    'calls',
    starts.map((second) => callRow(projectId, second)),
  )
  await bench.store.flush()
  const settings = {
    url: fake.url.href,
    user: '',
    password: undefined,
    location: '/',
    storeKeys: undefined,
    bytesMin: 0,
  }
  const server = new ClickHouseServer({ settings, timeoutMs: 10_000, log: pino({ level: 'silent' }) })
  const plan = planRows({ projectId } as ProjectReader, {
    query: { $expr: { $eq: [{ $getField: 'op_name' }, { $literal: 'op' }] } },
    sort_by: [{ field: 'started_at', direction: 'asc' }],
  })
  const counts = await bench.store.readLong(['calls'], { projectId }, async (snapshot) => {
    const search = new HeavyQuestions(server).search(snapshot, 'clickhouse', undefined)
    const found: number[] = []
    for await (const part of narrowedInParts(search, { plan, relations: await relationsOf(snapshot, plan) })) {
      const [row] = await snapshot.rows(compileStats(part.plan, part.relations, { totalStorageSize: false }))
      found.push(Number(row?.[0]))
    }
    return found
  })
  expect(asked).toBe(32)
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(100)
})
