import { expect, test } from 'bun:test'
import { shortNames } from './shorten-class-names.ts'

const css = (text: string) => ({ name: 'index.css', text })
const js = (text: string, name = 'view.js') => ({ name, text })

test('classes of a module are named in the order of its script, then in that of the styles', () => {
  const names = shortNames([
    css('.row_aB3_-x:hover .cut-off_aB3_-x{color:red}.only_aB3_-x,.sr-only{}.row_zzzzzz{}'),
    js('var a={"cut-off":"cut-off_aB3_-x",row:"row_aB3_-x"};var b={row:"row_zzzzzz"}'),
  ])
  expect([...names]).toEqual([
    ['cut-off_aB3_-x', '_aB3_a'],
    ['row_aB3_-x', '_aB3_b'],
    ['only_aB3_-x', '_aB3_c'],
    ['row_zzzzzz', '_zzzza'],
  ])
})

test('what only looks like a class keeps its name', () => {
  expect([...shortNames([css('.row_abcdef{}'), js('var a={id:"call_123456",row:"row_abcdef"}')]).keys()]).toEqual([
    'row_abcdef',
  ])
})

test('modules that cannot be told apart stop the build', () => {
  expect(() => shortNames([css('.a_abcdef{}.b_abcdxy{}')])).toThrow('raise hashChars')
})

test('more classes than letters', () => {
  const classes = Array.from({ length: 30 }, (_, index) => `.c${index}_abcdef{}`).join('')
  const names = [...shortNames([css(classes)]).values()]
  expect(new Set(names).size).toBe(30)
  expect(names.slice(25, 28)).toEqual(['_abcdz', '_abcdba', '_abcdbb'])
})
