import { afterAll, expect, test } from 'bun:test'
import { type Begun, Idempotency, type KeptAnswer } from '../../src/domains/requests/idempotency/idempotency.ts'
import { Store } from '../../src/engine/store.ts'
import { idempotencyTable } from '../../src/engine/tables/idempotency-table.ts'
import { MiB } from '../../src/lib/bytes.ts'
import { storageLimits } from '../../src/lib/limits/storage.ts'
import { createLog } from '../../src/runtime/log.ts'
import { makeTempFolder, removeFolder } from '../conformance/support/temp-folder.ts'
import { StoreBench } from './store-bench.ts'

const dataFolder = await makeTempFolder()
let nowMs = Date.UTC(2026, 10, 22)
const clock = { nowMs: () => nowMs }
const store = await Store.open({
  dataFolder,
  tables: [idempotencyTable],
  memoryBytesMax: 256 * MiB,
  clock,
  log: createLog('silent'),
})
afterAll(async () => {
  await store.close()
  await removeFolder(dataFolder)
})

/** As after a restart: nothing is in progress. */
const open = () => new Idempotency({ store, clock })
const request = (key: string, body: unknown = { a: 1 }) => ({
  userId: 'u',
  target: 'POST /x',
  key,
  body,
  projectId: null,
})

async function begin(idempotency: Idempotency, key: string): Promise<Begun> {
  const begun = await idempotency.begin(request(key))
  if ('text' in begun) throw new Error(`"${key}" was answered already`)
  return begun
}

const answer: KeptAnswer = { status: 200, text: '{"id":1}' }

test('a request interrupted by a crash generates the same ids when retried', async () => {
  const first = await begin(open(), 'crash')
  const ids = [first.ids.next(), first.ids.next()]
  nowMs += 60_000
  const again = await begin(open(), 'crash')
  expect([again.ids.next(), again.ids.next()]).toEqual(ids)
  await again.finish(answer)
  expect(await open().begin(request('crash'))).toEqual(answer)
})

test('a response too long to be stored is regenerated with the same ids', async () => {
  const first = await begin(open(), 'long')
  const id = first.ids.next()
  await first.finish({ status: 200, text: 'x'.repeat(storageLimits.idempotencyAnswerCharsMax + 1) })
  expect((await begin(open(), 'long')).ids.next()).toBe(id)
})

test('an idempotency key is kept for a day and can then be reused', async () => {
  const idempotency = open()
  // Nothing of other tests is left.
  nowMs += 2 * storageLimits.idempotencyKeptMs
  await idempotency.forgetOld()
  await (await begin(idempotency, 'day')).finish(answer)
  nowMs += storageLimits.idempotencyKeptMs - 1000
  expect(await idempotency.begin(request('day'))).toEqual(answer)
  expect(await idempotency.forgetOld()).toBe(0)
  nowMs += 2000
  expect(await idempotency.forgetOld()).toBe(1)
  const begun = await idempotency.begin(request('day', { another: 'body' }))
  expect('ids' in begun).toBe(true)
})

test('a retry after a crash is answered although a large log is not replayed yet', async () => {
  await using before = await StoreBench.open([idempotencyTable])
  const of = (bench: StoreBench) => new Idempotency({ store: bench.store, clock: { nowMs: () => bench.nowMs } })
  await (await begin(of(before), 'replayed')).finish(answer)
  await using after = await StoreBench.closedCopyOf(before)
  after.options.logReplayedAtOpenBytesMax = 0
  await after.reopen()
  expect(await of(after).begin(request('replayed'))).toEqual(answer)
})
