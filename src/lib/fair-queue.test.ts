import { expect, test } from 'bun:test'
import { FairQueue } from './fair-queue.ts'

function queueOf(...items: readonly string[]): FairQueue<string> {
  const queue = new FairQueue<string>()
  for (const item of items) queue.add(item.slice(0, 1), item)
  return queue
}

const all = (queue: FairQueue<string>) => Array.from({ length: queue.size }, () => queue.take())

test('owners take turns, and the items of each are taken in order', () => {
  const queue = queueOf('a1', 'a2', 'a3', 'b1', 'b2', 'c1')
  expect(all(queue)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
  expect(queue.take()).toBeUndefined()
})

test('an owner that may have no turn keeps its place', () => {
  const queue = queueOf('a1', 'b1', 'a2')
  expect(queue.take((owner) => owner !== 'a')).toBe('b1')
  expect(queue.take((owner) => owner !== 'a')).toBeUndefined()
  expect(all(queue)).toEqual(['a1', 'a2'])
})

test('an item that is removed is not taken, and its owner keeps its turn for the others', () => {
  const queue = queueOf('a1', 'a2', 'b1', 'c1')
  queue.remove('a', 'a1')
  queue.remove('c', 'c1')
  queue.remove('d', 'd1')
  expect(queue.size).toBe(2)
  expect(all(queue)).toEqual(['a2', 'b1'])
})
