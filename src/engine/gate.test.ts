import { expect, test } from 'bun:test'
import { Gate } from '../lib/concurrency.ts'
import { DomainError } from '../lib/errors.ts'

const never = new AbortController().signal

/** Work that lasts until it is told to end. */
function lasting() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { work: () => promise, end: resolve }
}

test('work waits for its turn; a larger amount than there is takes all', async () => {
  const gate = new Gate({ max: 10, waitingMax: 10 })
  const order: string[] = []
  const first = lasting()
  const running = gate.run(4, never, first.work)
  const whole = gate.run(50, never, async () => void order.push('whole'))
  const small = gate.run(1, never, async () => void order.push('small'))
  expect(order).toEqual([])
  first.end()
  await Promise.all([running, whole, small])
  expect(order).toEqual(['whole', 'small'])
})

test('work that is given up while it waits lets others begin, and takes nothing', async () => {
  const gate = new Gate({ max: 10, waitingMax: 2 })
  const first = lasting()
  const running = gate.run(4, never, first.work)
  const leaving = new AbortController()
  const gone = gate.run(10, leaving.signal, async () => {})
  const small = gate.run(6, never, async () => 'small')
  await expect(gate.run(1, never, async () => {})).rejects.toThrow('Too many queries are waiting')
  const reason = new DomainError('QueryTimeout', 'Too late')
  leaving.abort(reason)
  await expect(gone).rejects.toBe(reason)
  expect(await small).toBe('small')
  first.end()
  await running
  expect(await gate.run(10, never, async () => 'all')).toBe('all')
})

test('work that fails gives back what it took', async () => {
  const gate = new Gate({ max: 1, waitingMax: 1 })
  await expect(gate.run(1, never, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
  expect(await gate.run(1, never, async () => 'next')).toBe('next')
})
