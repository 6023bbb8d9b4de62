import { expect, test } from 'bun:test'
import { draggedBrush, movedBrush, widenedBrush } from './time-brush.tsx'

const grid = { from: 0, to: 100, step: 5, origin: 5 }

test('keys begin at the end, move, and widen within the span', () => {
  const first = movedBrush(undefined, -1, grid)
  expect(first).toEqual({ from: 90, to: 100 })
  expect(movedBrush(first, 1, grid)).toEqual(first)
  expect(movedBrush(first, -1, grid)).toEqual({ from: 85, to: 95 })
  expect(movedBrush(first, -99, grid)).toEqual({ from: 0, to: 10 })
  expect(widenedBrush({ from: 10, to: 20 }, 1, grid)).toEqual({ from: 10, to: 25 })
  expect(widenedBrush({ from: 10, to: 20 }, -9, grid)).toEqual({ from: 10, to: 15 })
})

test('dragging takes whole buckets in either direction', () => {
  expect(draggedBrush(12, 31, grid)).toEqual({ from: 10, to: 35 })
  expect(draggedBrush(31, 12, grid)).toEqual({ from: 10, to: 35 })
  expect(draggedBrush(-20, 3, grid)).toEqual({ from: 0, to: 5 })
  expect(draggedBrush(99, 300, grid)).toEqual({ from: 95, to: 100 })
})
