import { expect, test } from 'bun:test'
import { referrersFirst, tables } from './tables.ts'

test('the order for reading has every table once', () => {
  const names = (list: typeof tables): string[] => list.map(({ name }) => name).sort()
  expect(names(referrersFirst)).toEqual(names(tables))
})
