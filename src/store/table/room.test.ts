import { expect, test } from 'bun:test'
import { limits } from '../../limits.ts'
import { Room } from './room.ts'

const rows = [['p', 'id']]
const nameOf = async (promise: Promise<void>): Promise<string> =>
  await promise.then(
    () => 'stored',
    (cause: unknown) => String(cause),
  )

test('nobody waits while there is room', async () => {
  let asked = 0
  await new Room({ isFull: () => false, makeRoom: () => ++asked > 0 }).waitFor(rows)
  expect(asked).toBe(0)
})

test('a writer waits until there is room, and asks for it', async () => {
  let asked = 0
  const room = new Room({ isFull: () => asked < 3, makeRoom: () => ++asked > 0 })
  await Promise.all([room.waitFor(rows), room.waitFor(rows)])
  expect(asked).toBeGreaterThanOrEqual(3)
})

test('what would wait beyond the bound is refused at once, and the next is not', async () => {
  let full = true
  const room = new Room({ isFull: () => full, makeRoom: () => true })
  expect(await nameOf(new Room({ isFull: () => true, makeRoom: () => false }).waitFor(rows))).not.toBe('stored')
  const large = [['p', 'x'.repeat(limits.roomWaitingBytesMax)]]
  expect(await nameOf(room.waitFor(large))).toContain('More is being written than the disk takes')
  const waiting = room.waitFor(rows)
  full = false
  expect(await nameOf(waiting)).toBe('stored')
})
