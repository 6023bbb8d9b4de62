import { expect, test } from 'bun:test'
import { DomainError } from '../../lib/errors.ts'
import { mapItems } from './batch-item.ts'

const busyMs = 0.2

function work(item: number): number {
  const endMs = performance.now() + busyMs
  while (performance.now() < endMs);
  return item * 2
}

test('processing a large batch yields to other requests', async () => {
  const items = Array.from({ length: 1_000 }, (_, i) => i)
  let turns = 0
  const timer = setInterval(() => turns++, 1)
  const results = await mapItems(items, work)
  clearInterval(timer)
  expect(turns).toBeGreaterThan(0)
  expect(results).toEqual(items.map((item) => item * 2))
})

test('the first invalid item is named, and later ones are not visited', async () => {
  let last = -1
  const mapping = mapItems([0, 1, 2], (item) => {
    last = item
    if (item === 1) throw new DomainError('InvalidField', 'Read it: no')
  })
  await expect(mapping).rejects.toMatchObject({ violations: [{ loc: ['body', 'batch', '1'], msg: 'Read it: no' }] })
  expect(last).toBe(1)
})
