import { expect, test } from 'bun:test'
import { shortNames } from './shorten-class-names.ts'

test('a part of the hash tells modules apart, and a letter the classes of one', () => {
  expect([...shortNames([['cut-off_aB3_-x', 'row_aB3_-x'], ['row_zzzzzz']])]).toEqual([
    ['cut-off_aB3_-x', '_aB3_a'],
    ['row_aB3_-x', '_aB3_b'],
    ['row_zzzzzz', '_zzzza'],
  ])
})

test('modules that cannot be told apart stop the build', () => {
  expect(() => shortNames([['a_abcdef'], ['b_abcdxy']])).toThrow('raise hashChars')
})

test('more classes than letters', () => {
  const names = [...shortNames([Array.from({ length: 30 }, (_, index) => `c${index}_abcdef`)]).values()]
  expect(new Set(names).size).toBe(30)
  expect(names.slice(25, 28)).toEqual(['_abcdz', '_abcdba', '_abcdbb'])
})
