import { expect, test } from 'bun:test'
import { DeterministicIds, newId, withIds } from './new-id.ts'

const take = (ids: DeterministicIds, count = 3) => Array.from({ length: count }, () => ids.next())

test('ids of one seed and time are the same again, in order, and of others are others', () => {
  const first = take(new DeterministicIds('a', 1000))
  expect(take(new DeterministicIds('a', 1000))).toEqual(first)
  expect(first.toSorted()).toEqual(first)
  expect(
    new Set([...first, ...take(new DeterministicIds('b', 1000)), ...take(new DeterministicIds('a', 1001))]).size,
  ).toBe(9)
  for (const id of first) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})

test('work has the ids of its scope, also later and in what it starts; other work has none of them', async () => {
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
