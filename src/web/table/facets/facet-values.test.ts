import { expect, test } from 'bun:test'
import { withFailed } from './facet-values.ts'

const of = (value: string, count: number) => ({ value, count })

test('failed calls are counted once, before their statuses, with those that still run', () => {
  const values = [of('success', 420), of('descendant_error', 68), of('error', 9), of('running', 3)]
  expect(withFailed(values, [])).toEqual([
    of('success', 420),
    of('failed', 77),
    of('descendant_error', 68),
    of('error', 9),
    of('running', 3),
  ])
  expect(withFailed([of('running', 3)], [of('running', 2)])).toEqual([of('running', 3), of('failed', 2)])
})

test('where nothing has failed there is no such value', () => {
  expect(withFailed([of('success', 2)], [])).toEqual([of('success', 2)])
})
