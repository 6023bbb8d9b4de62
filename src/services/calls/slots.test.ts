import { expect, test } from 'bun:test'
import { Slots } from './slots.ts'

test('so many go on at a time, the others in the order of asking', async () => {
  const slots = new Slots(2)
  let going = 0
  let most = 0
  const began: number[] = []
  const work = async (index: number) => {
    using _slot = await slots.take()
    began.push(index)
    most = Math.max(most, ++going)
    await Promise.resolve()
    going--
  }
  await Promise.all(Array.from({ length: 9 }, (_, index) => work(index)))
  expect(most).toBe(2)
  expect(began).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
})
