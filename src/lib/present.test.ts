import { expect, test } from 'bun:test'
import { itemAt, present, valueAt } from './present.ts'

test('an item or value that exists is returned, even if it is undefined or null', () => {
  expect(itemAt([1, 2], 1)).toBe(2)
  expect(itemAt(new Uint8Array([7]), 0)).toBe(7)
  expect(itemAt([undefined], 0)).toBeUndefined()
  expect(valueAt(new Map([['a', null]]), 'a')).toBeNull()
  expect(valueAt(new Map([['a', undefined]]), 'a')).toBeUndefined()
  expect(present(0, 'A number')).toBe(0)
})

test('a missing item or value is an error', () => {
  for (const index of [-1, 2, Number.NaN]) expect(() => itemAt([1, 2], index)).toThrow(RangeError)
  expect(() => valueAt(new Map(), 'a')).toThrow('No value for the key a')
  expect(() => present(undefined, 'The project')).toThrow('The project is missing')
  expect(() => present(null, 'The project')).toThrow(TypeError)
})
