import { expect, test } from 'bun:test'
import { BoundedMap } from './bounded-map.ts'

test('keeps the most recently used entries, never more than its bound', () => {
  const map = new BoundedMap<number, string>(4)
  for (const key of [1, 2, 3]) map.set(key, `v${key}`)
  expect(map.get(1)).toBe('v1')
  map.set(4, 'v4')
  map.set(5, 'v5')
  const held = [1, 2, 3, 4, 5].filter((key) => map.has(key))
  expect(held.length).toBeLessThanOrEqual(4)
  expect(held).toEqual(expect.arrayContaining([4, 5]))
})

test('setting or reading a key again protects it from eviction', () => {
  const map = new BoundedMap<string, number>(4)
  map.set('used', 1)
  for (let other = 0; other < 100; other++) {
    map.set(`other ${other}`, other)
    expect(map.get('used')).toBe(1)
  }
  map.set('used', 2)
  expect(map.get('used')).toBe(2)
  map.delete('used')
  expect([map.get('used'), map.has('used')]).toEqual([undefined, false])
})

test('a bound of one is possible', () => {
  const map = new BoundedMap<string, number>(1)
  map.set('a', 1)
  expect(map.get('a')).toBe(1)
})
