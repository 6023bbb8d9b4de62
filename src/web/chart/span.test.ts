import { expect, test } from 'bun:test'
import { chartSpan } from './span.ts'

const minute = 60_000

test('one call has a chart of ten minutes around it, which ends by now', () => {
  const at = Date.UTC(2026, 10, 22, 12)
  expect(chartSpan({ from: at, to: at + 1_000 }, at + 60 * minute)).toEqual({
    from: at - 5 * minute + 500,
    to: at + 5 * minute + 500,
  })
  expect(chartSpan({ from: at, to: at + 1_000 }, at + 2_000)).toEqual({
    from: at + 2_000 - 10 * minute,
    to: at + 2_000,
  })
  expect(chartSpan({ from: at, to: at + 60 * minute }, at)).toEqual({ from: at, to: at + 60 * minute })
})
