import { expect, test } from 'bun:test'
import { FairTurns } from '../lib/concurrency.ts'

const ample = { timeoutMs: 60_000 }

test('owners take turns, and each runs in order', async () => {
  const turns = new FairTurns(1)
  const done: string[] = []
  const hold = Promise.withResolvers<void>()
  const first = turns.run('a', ample, () => hold.promise)
  const work = (owner: string, name: string) => turns.run(owner, ample, async () => void done.push(name))
  const all = [work('a', 'a1'), work('a', 'a2'), work('a', 'a3'), work('b', 'b1'), work('b', 'b2')]
  expect(turns.waiting).toBe(5)
  hold.resolve()
  await Promise.all([first, ...all])
  expect(done).toEqual(['a1', 'b1', 'a2', 'b2', 'a3'])
})

test('work that is cancelled or late leaves the queue', async () => {
  const turns = new FairTurns(1)
  const hold = Promise.withResolvers<void>()
  const first = turns.run('a', ample, () => hold.promise)
  const controller = new AbortController()
  const cancelled = turns.run('a', { ...ample, signal: controller.signal }, async () => {})
  const late = turns.run('b', { timeoutMs: 1 }, async () => {})
  controller.abort()
  expect(cancelled).rejects.toThrow('Client disconnected')
  await expect(late).rejects.toThrow('Query timed out')
  expect(turns.waiting).toBe(0)
  hold.resolve()
  await first
  expect(await turns.run('c', ample, async () => 1)).toBe(1)
})

test('failed work hands its place on', async () => {
  const turns = new FairTurns(1)
  await expect(turns.run('a', ample, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await turns.run('a', ample, async () => 2)).toBe(2)
})

test('an owner whose work runs leaves other places to others', async () => {
  const turns = new FairTurns(2)
  const hold = Promise.withResolvers<void>()
  const first = turns.run('a', ample, () => hold.promise)
  const second = turns.run('a', ample, async () => 'a2')
  expect(await turns.run('b', ample, async () => 'b1')).toBe('b1')
  expect(turns.waiting).toBe(1)
  hold.resolve()
  await first
  expect(await second).toBe('a2')
})
