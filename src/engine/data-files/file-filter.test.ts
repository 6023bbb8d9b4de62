import { expect, test } from 'bun:test'
import { FileReadNow } from '../../runtime/platform/files/file-read-now.ts'
import { HashedValue } from '../keys/bloom-filter.ts'
import { FileFilter } from './file-filter.ts'

test('what a group says of a value is read once, however many files it has', () => {
  const files = 1_000
  let read = 0
  const numbers = new Proxy(
    Array.from({ length: files / 2 }, (_, at) => at * 2),
    {
      get: (target, key) => {
        if (typeof key === 'string' && /^\d+$/.test(key)) read++
        return Reflect.get(target, key)
      },
    },
  )
  const group = { reader: () => new FileReadNow('nowhere'), filesWith: () => numbers }
  const value = new HashedValue('trace_id', 'p', 'a')
  const found = Array.from({ length: files }, (_, number) => number).filter((number) =>
    new FileFilter({ place: { group, number } }).mayHave(value),
  )
  expect(read).toBe(numbers.length)
  expect(found).toEqual([...numbers])
})
