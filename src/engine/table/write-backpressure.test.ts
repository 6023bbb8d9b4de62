import { expect, test } from 'bun:test'
import { storageLimits } from '../../lib/limits/storage.ts'
import { WriteBackpressure } from './write-backpressure.ts'

const rows = [['p', 'id']]
const nameOf = async (promise: Promise<void>): Promise<string> =>
  await promise.then(
    () => 'stored',
    (cause: unknown) => String(cause),
  )

test('writes do not wait while there is capacity', async () => {
  let reliefs = 0
  await new WriteBackpressure({ isFull: () => false, relieve: () => ++reliefs > 0 }).admit(rows)
  expect(reliefs).toBe(0)
})

test('a writer waits until there is capacity, and requests it', async () => {
  let reliefs = 0
  const backpressure = new WriteBackpressure({ isFull: () => reliefs < 3, relieve: () => ++reliefs > 0 })
  await Promise.all([backpressure.admit(rows), backpressure.admit(rows)])
  expect(reliefs).toBeGreaterThanOrEqual(3)
})

test('a writer beyond the waiting limit is rejected at once, later ones are not', async () => {
  let full = true
  const backpressure = new WriteBackpressure({ isFull: () => full, relieve: () => true })
  expect(await nameOf(new WriteBackpressure({ isFull: () => true, relieve: () => false }).admit(rows))).not.toBe(
    'stored',
  )
  const large = [['p', 'x'.repeat(storageLimits.backpressureBytesMax)]]
  expect(await nameOf(backpressure.admit(large))).toContain('Too many writes for the disk')
  const waiting = backpressure.admit(rows)
  full = false
  expect(await nameOf(waiting)).toBe('stored')
})
