import { expect, test } from 'bun:test'
import { HeldBytes } from '../../lib/concurrency.ts'
import { yieldToEventLoop } from '../../runtime/platform/event-loop.ts'
import { ownUsage } from './own-usage.ts'
import { rollUp, type UsageCall } from './roll-up.ts'
import { usageTexts } from './usage.ts'

const call = (id: string, parentId: string | null, tokens: number): UsageCall => ({
  id,
  parentId,
  usage: ownUsage(JSON.stringify({ m: { prompt_tokens: tokens } }), 0, undefined),
  isElsewhere: false,
  isRepeated: false,
  isRunning: false,
})

const tokensOf = async (calls: UsageCall[]) =>
  Object.fromEntries(
    [...(await rollUp(calls, new HeldBytes('')))].map(([id, usage]) => [id, usage.get('m')?.prompt_tokens]),
  )

test('adds up a tree deeper than the call stack', async () => {
  const depth = 50_000
  const chain = Array.from({ length: depth }, (_, n) => call(`${n}`, n === 0 ? null : `${n - 1}`, 0))
  const leaves = Array.from({ length: depth }, (_, n) => call(`leaf ${n}`, `${n}`, 1))
  expect((await tokensOf([...chain, ...leaves]))['0']).toBe(depth)
})

test('counts what calls state unless a descendant does', async () => {
  const calls = [call('root', null, 9), call('step', 'root', 0), call('a', 'step', 3), call('b', 'step', 4)]
  expect(await tokensOf(calls)).toEqual({ root: 7, step: 7, a: 3, b: 4 })
  expect(await tokensOf(calls.slice(0, 2))).toMatchObject({ root: 9 })
})

test('counts a usage once that calls beside each other state', async () => {
  const again = { ...call('b', 'root', 4), isElsewhere: true }
  expect(await tokensOf([call('root', null, 0), call('a', 'root', 4), again])).toMatchObject({ root: 4, a: 4 })
})

test('counts calls in a cycle of parents once each', async () => {
  expect(Object.keys(await tokensOf([call('a', 'b', 1), call('b', 'a', 1)])).sort()).toEqual(['a', 'b'])
})

test('adding up and serializing many calls yields to other requests', async () => {
  let isDone = false
  let turns = 0
  const others = (async () => {
    for (; !isDone; turns++) await yieldToEventLoop()
  })()
  const calls = Array.from({ length: 200_000 }, (_, n) => call(`${n}`, n % 10 === 0 ? null : `${n - (n % 10)}`, 1))
  turns = 0
  const totals = await rollUp(calls, new HeldBytes(''))
  const whileAdding = turns
  for await (const _ of usageTexts(totals, []));
  const whileWriting = turns - whileAdding
  isDone = true
  await others
  expect(whileAdding).toBeGreaterThan(5)
  expect(whileWriting).toBeGreaterThan(5)
})
