import { expect, test } from 'bun:test'
import { KeyedMutex, Semaphore } from './concurrency.ts'

test('tasks of one key run one at a time, other keys do not wait, and a failure blocks nothing', async () => {
  const queue = new KeyedMutex()
  const log: string[] = []
  const task = (name: string, turns: number) => async () => {
    log.push(`${name} begins`)
    for (let turn = 0; turn < turns; turn++) await Promise.resolve()
    log.push(`${name} ends`)
    if (name === 'b') throw new Error('refused')
    return name
  }
  const results = await Promise.allSettled([
    queue.run('p', task('a', 50)),
    queue.run('p', task('b', 5)),
    queue.run('q', task('x', 1)),
    queue.run('p', task('c', 1)),
  ])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
  expect(log.filter((line) => !line.startsWith('x'))).toEqual(
    ['a', 'b', 'c'].flatMap((name) => [`${name} begins`, `${name} ends`]),
  )
  expect(log.indexOf('x ends')).toBeLessThan(log.indexOf('a ends'))
})

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

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 1))
}
