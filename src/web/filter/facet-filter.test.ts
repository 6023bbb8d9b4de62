import { expect, test } from 'bun:test'
import { chosenBounds, chosenValues, withBounds, withoutPath, withValues } from './facet-filter.ts'
import { formatFilter } from './format-filter.ts'
import { parseFilter } from './parse-filter.ts'

const node = parseFilter('op in ("a", "b") and latency > 5s and op != "c"')

test('reads and changes the values of a path', () => {
  expect(chosenValues(node, 'op_name')).toEqual(['a', 'b'])
  expect(chosenValues(node, 'thread_id')).toEqual([])
  expect(formatFilter(withValues(node, 'op_name', ['a']))).toBe('latency > 5s and op != "c" and op = "a"')
  expect(formatFilter(withValues(node, 'op_name', []))).toBe('latency > 5s and op != "c"')
  expect(formatFilter(withValues(undefined, 'thread_id', ['x', 'y']))).toBe('thread in ("x", "y")')
})

test('reads and changes bounds', () => {
  const path = 'summary.ext.latency_ms'
  expect(chosenBounds(node, path)).toEqual({ from: 5000 })
  expect(formatFilter(withBounds(parseFilter('latency > 5s'), path, { from: 1000, to: 2500 }))).toBe(
    'latency >= 1s and latency <= 2.5s',
  )
  expect(withBounds(parseFilter('latency > 5s'), path, {})).toBeUndefined()
})

test('leaves a path out', () => {
  expect(formatFilter(withoutPath(node, 'op_name'))).toBe('latency > 5s')
})
