import { expect, test } from 'bun:test'
import { DeterministicIds, newId, withIds } from './new-id.ts'

const take = (ids: DeterministicIds, count = 3) => Array.from({ length: count }, () => ids.next())

test('equal seeds and times give the same ids in the same order; others give different ids', () => {
  const first = take(new DeterministicIds('a', 1000))
  expect(take(new DeterministicIds('a', 1000))).toEqual(first)
  expect(first.toSorted()).toEqual(first)
  expect(
    new Set([...first, ...take(new DeterministicIds('b', 1000)), ...take(new DeterministicIds('a', 1001))]).size,
  ).toBe(9)
  for (const id of first) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})

test('asynchronous work takes ids from the scope in which it was started', async () => {
  const scope = { ids: undefined as DeterministicIds | undefined }
  const foreseen: string[] = take(new DeterministicIds('a', 1), 2)
  const inside = withIds(scope, async () => {
    await Bun.sleep(1)
    scope.ids = new DeterministicIds('a', 1)
    return await Promise.all([newId(), newId()])
  })
  expect(foreseen).not.toContain(newId())
  expect<string[]>(await inside).toEqual(foreseen)
  scope.ids = undefined
  expect(foreseen).not.toContain(withIds(scope, newId))
})
