import { expect, test } from 'bun:test'
import { Semaphore } from './semaphore.ts'

test('a semaphore lets as many run as it has places at the moment, in order', async () => {
  let places = 1
  const semaphore = new Semaphore(() => places)
  const begun: number[] = []
  const ends = new Map<number, () => void>()
  const begins = (count: number) => until(() => begun.length === count)
  const all = [0, 1, 2, 3, 4].map((number) =>
    semaphore.run(async () => {
      begun.push(number)
      await new Promise<void>((resolve) => ends.set(number, resolve))
    }),
  )
  await begins(1)
  // Nothing ends, and the others begin.
  places = 3
  await begins(3)
  places = 1
  for (const number of [0, 2]) ends.get(number)?.()
  await Promise.all([all[0], all[2]])
  expect(begun).toEqual([0, 1, 2])
  ends.get(1)?.()
  await begins(4)
  ends.get(3)?.()
  await begins(5)
  expect(begun).toEqual([0, 1, 2, 3, 4])
  ends.get(4)?.()
  await Promise.all(all)
})

test('work that waits for a place can be aborted, and leaves its place to others', async () => {
  const semaphore = new Semaphore(1)
  const held = Promise.withResolvers<void>()
  const first = semaphore.run(() => held.promise)
  const stop = new AbortController()
  const begun: string[] = []
  const aborted = semaphore.run(async () => void begun.push('aborted'), stop.signal)
  const later = semaphore.run(async () => void begun.push('later'))
  stop.abort()
  await expect(aborted).rejects.toThrow('Client disconnected')
  await expect(semaphore.run(async () => {}, stop.signal)).rejects.toThrow('Client disconnected')
  held.resolve()
  await Promise.all([first, later])
  expect(begun).toEqual(['later'])
})

test('a part of a semaphore takes places of the whole, and leaves the others', async () => {
  const whole = new Semaphore(3)
  const part = new Semaphore(2, { whole })
  const begun: string[] = []
  const held = Promise.withResolvers<void>()
  const work = (name: string) => async () => {
    begun.push(name)
    await held.promise
  }
  const all = [...['a', 'b', 'c'].map((name) => part.run(work(name))), whole.run(work('x'))]
  await until(() => begun.length === 3)
  for (let turn = 0; turn < 50; turn++) await Promise.resolve()
  expect(begun.toSorted()).toEqual(['a', 'b', 'x'])
  held.resolve()
  await Promise.all(all)
  expect(begun.toSorted()).toEqual(['a', 'b', 'c', 'x'])
})

test('owners take turns, and the work of each begins in order', async () => {
  const semaphore = new Semaphore(1)
  const done: string[] = []
  const held = Promise.withResolvers<void>()
  const first = semaphore.run(() => held.promise, undefined, 'a')
  const work = (owner: string, name: string) => semaphore.run(async () => void done.push(name), undefined, owner)
  const all = [work('a', 'a1'), work('a', 'a2'), work('a', 'a3'), work('b', 'b1'), work('b', 'b2')]
  held.resolve()
  await Promise.all([first, ...all])
  expect(done).toEqual(['a1', 'b1', 'a2', 'b2', 'a3'])
})

test('an owner whose work runs leaves other places to others, if so much of one owner may run', async () => {
  const semaphore = new Semaphore(2, { ofOwnerMax: 1 })
  const held = Promise.withResolvers<void>()
  const begun: string[] = []
  const first = semaphore.run(() => held.promise, undefined, 'a')
  const second = semaphore.run(async () => void begun.push('a2'), undefined, 'a')
  await semaphore.run(async () => void begun.push('b1'), undefined, 'b')
  expect(begun).toEqual(['b1'])
  held.resolve()
  await Promise.all([first, second])
  expect(begun).toEqual(['b1', 'a2'])
})

test('work that fails, and owners whose work was aborted, leave their places to others', async () => {
  const semaphore = new Semaphore(1, { ofOwnerMax: 1 })
  const held = Promise.withResolvers<void>()
  const first = semaphore.run(() => held.promise, undefined, 'a')
  const stop = new AbortController()
  const aborted = Promise.allSettled(['a', 'b'].map((owner) => semaphore.run(async () => {}, stop.signal, owner)))
  const later = semaphore.run(async () => 'later', undefined, 'c')
  stop.abort()
  expect((await aborted).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  held.reject(new Error('failed'))
  await expect(first).rejects.toThrow('failed')
  expect(await later).toBe('later')
  expect(await semaphore.run(async () => 'again', undefined, 'a')).toBe('again')
})

test('a semaphore knows for how long its work has been running, without the wait for its places', async () => {
  let nowMs = 0
  const whole = new Semaphore(1, { nowMs: () => nowMs })
  const part = new Semaphore(2, { whole, nowMs: () => nowMs })
  const held = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const all = held.map(({ promise }) => part.run(() => promise))
  await until(() => part.runningMs.length === 1)
  nowMs = 5
  expect(part.runningMs).toEqual([5])
  held[0]?.resolve()
  await all[0]
  await until(() => part.runningMs.length === 1)
  nowMs = 8
  expect([part.runningMs, whole.runningMs]).toEqual([[3], [3]])
  held[1]?.resolve()
  await all[1]
  expect(part.runningMs).toEqual([])
})

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 1))
}
