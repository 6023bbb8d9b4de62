import { describe, expect, test } from 'bun:test'
import { differenceRangeText, differenceText, pValueText, rangeText, scoreText } from '../../lib/comparison-words.ts'
import { inlineDiff } from '../diff/inline-diff.ts'
import { placeLabels } from './frontier-labels.ts'
import { rowQueryOf } from './row-query.ts'

test('figures of rates are points, those of means have three digits', () => {
  expect([scoreText('rate', 0.604), scoreText('mean', 3.7), scoreText('mean', null)]).toEqual(['60.4%', '3.70', '–'])
  expect(rangeText('rate', { low: 0.421, high: 0.559 })).toBe('42.1–55.9')
  expect(differenceText('rate', 0.117)).toBe('+11.7')
  expect(differenceRangeText('mean', { low: -0.24, high: 0.01 })).toBe('[−0.240, +0.0100]')
  expect([pValueText(0.0004), pValueText(0.0081), pValueText(0.27)]).toEqual(['p <0.001', 'p 0.008', 'p 0.27'])
})

describe('differences of outputs', () => {
  test('are marked within the text', () => {
    const pieces = inlineDiff('It costs $597 for both segments. Shall I?', 'It costs $597 in total. Shall I?')
    expect(pieces?.filter(({ kind }) => kind === 'removed').map(({ text }) => text)).toEqual(['for both segments'])
    expect(pieces?.filter(({ kind }) => kind === 'added').map(({ text }) => text)).toEqual(['in total'])
  })

  test('are not marked where less than half is in common', () => {
    expect(inlineDiff('The upgrade costs $597.', 'Done and charged to your card, sir.')).toBeUndefined()
  })
})

test('a filter becomes a query over the columns', () => {
  expect(rowQueryOf('  ', ['tag'])).toBeUndefined()
  expect(rowQueryOf('seats > 2', ['tag'])).toEqual({ $expr: { $gt: [{ $getField: 'inputs.seats' }, { $literal: 2 }] } })
  expect(JSON.stringify(rowQueryOf('scores.judge < 3 and tag = refund', []))).toContain('scores.judge')
  expect(JSON.stringify(rowQueryOf('delayed', ['task', 'tag']))).toContain('"inputs.tag"')
})

test('labels of close marks cover neither marks nor each other, and stay inside', () => {
  const marks = [
    { x: 60, y: 60, lines: ['A $0.012'] },
    { x: 66, y: 62, lines: ['B $0.013', 'behind A'] },
    { x: 70, y: 58, lines: ['C $0.013'] },
    { x: 310, y: 20, lines: ['D $0.060'] },
  ]
  const places = placeLabels(marks, 324, 130)
  const boxes = places.map(({ x, y, anchor }, at) => {
    const { lines } = marks[at]!
    const width = 6 * Math.max(...lines.map((line) => line.length))
    const left = anchor === 'start' ? x : x - width
    return { left, right: left + width, top: y - 9, bottom: y - 9 + 12 * lines.length }
  })
  for (const [at, box] of boxes.entries()) {
    expect(box.left).toBeGreaterThanOrEqual(0)
    expect(box.right).toBeLessThanOrEqual(324)
    const overlapping = boxes.filter(
      (other, index) =>
        index !== at &&
        box.left < other.right &&
        other.left < box.right &&
        box.top < other.bottom &&
        other.top < box.bottom,
    )
    expect(overlapping).toEqual([])
  }
})
