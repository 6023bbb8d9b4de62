import { expect, test } from 'bun:test'
import { pointersFirst, tables } from './tables.ts'

test('the order for reading has every table once', () => {
  const names = (list: typeof tables): string[] => list.map(({ name }) => name).sort()
  expect(names(pointersFirst)).toEqual(names(tables))
})
