import { afterAll, afterEach, expect, test } from 'bun:test'
import { pino } from 'pino'
import { callRow } from '../../../../test/store/call-row.ts'
import { StoreBench } from '../../../../test/store/store-bench.ts'
import { callsTable } from '../../../engine/tables/calls-table.ts'
import { dialects } from '../../../formats/dialect/dialect.ts'
import { explorationLimits } from '../../../lib/limits/exploration.ts'
import { ClickHouseServer } from '../../../runtime/clickhouse/clickhouse-server.ts'
import type { ProjectReader } from '../../access/caller.ts'
import { HeavyQuestions } from '../clickhouse/heavy-questions.ts'
import { CallSearcher } from './call-search.ts'

/*
 * A search reads the newest calls here. If its time is over before it has found enough, and much is
 * left, ClickHouse searches all calls instead.
 */

let asked = 0
let answer = () => Response.json({ data: [[1, 0, []]] })
const fake = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch() {
    asked += 1
    return answer()
  },
})
afterAll(() => fake.stop(true))

const { explorationMs, explorationCallsFirst } = { ...explorationLimits }
afterEach(() => {
  Object.assign(explorationLimits, { explorationMs, explorationCallsFirst })
})

const projectId = 'acme/traces'

async function searcher(bench: StoreBench, bytesMin: number): Promise<CallSearcher> {
  await bench.store.write(
    'calls',
    [1, 2, 3].map((day) => callRow(projectId, day * 86_400)),
  )
  await bench.store.flush()
  const settings = { url: fake.url.href, user: '', password: undefined, location: '/', storeKeys: undefined, bytesMin }
  const server = new ClickHouseServer({ settings, timeoutMs: 10_000, log: pino({ level: 'silent' }) })
  return new CallSearcher({ store: bench.store, dialect: dialects.ext, heavy: new HeavyQuestions(server) })
}

const search = (of: CallSearcher) =>
  of.search({ projectId } as ProjectReader, { project_id: projectId, text: 'nowhere' }, new AbortController().signal)

const noTime = () => Object.assign(explorationLimits, { explorationMs: 0, explorationCallsFirst: 1 })

test('a search that ends within its time does not ask ClickHouse', async () => {
  await using bench = await StoreBench.open([callsTable])
  const found = await search(await searcher(bench, 1))
  expect(found).toMatchObject({ matches: [], calls_read: 3, is_partial: false })
  expect(asked).toBe(0)
})

test('a search whose time is over is complete if ClickHouse answers it', async () => {
  await using bench = await StoreBench.open([callsTable])
  const of = await searcher(bench, 1)
  noTime()
  expect(await search(of)).toMatchObject({ matches: [], after: null, calls_read: 3, is_partial: false })
  expect(asked).toBe(1)
})

test('and partial, with a place to continue, if ClickHouse is gone or less is left', async () => {
  await using bench = await StoreBench.open([callsTable])
  answer = () => new Response('gone', { status: 500 }) as ReturnType<typeof answer>
  noTime()
  const before = asked
  expect(await search(await searcher(bench, 1))).toMatchObject({ calls_read: 1, is_partial: true })
  expect(asked).toBe(before + 1)
  expect(await search(await searcher(bench, 1_000_000_000))).toMatchObject({ calls_read: 1, is_partial: true })
  expect(asked).toBe(before + 1)
})
