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
  const part = new Semaphore(2, whole)
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

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 1))
}
