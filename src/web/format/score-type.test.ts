import { expect, test } from 'bun:test'
import { scoreTypes, writtenScore } from './score-type.ts'

test('the scores of a name have one type', () => {
  const scores = [
    ['reward', 0],
    ['reward', 1],
    ['helpful', 1],
    ['helpful', 0.4],
    ['passed', true],
    ['passed', 0],
    ['mixed', true],
    ['mixed', 0.4],
    ['mixed', 'good'],
  ] as const
  expect([...scoreTypes(scores.map(([name, value]) => ({ name, value })))]).toEqual([
    ['reward', 'verdict'],
    ['helpful', 'number'],
    ['passed', 'verdict'],
    ['mixed', 'text'],
  ])
})

test('what is typed becomes what the earlier scores are', () => {
  expect(['1', '0.5', 'true', 'good'].map((text) => writtenScore(text, undefined))).toEqual([1, 0.5, true, 'good'])
  expect(['1', '0.5', 'true', 'good'].map((text) => writtenScore(text, 'bad'))).toEqual(['1', '0.5', 'true', 'good'])
  expect(['1', '0.5', 'true', 'good'].map((text) => writtenScore(text, 0.2))).toEqual([1, 0.5, undefined, undefined])
  expect(['1', '0.5', 'True', 'good'].map((text) => writtenScore(text, false))).toEqual([
    true,
    undefined,
    true,
    undefined,
  ])
})
