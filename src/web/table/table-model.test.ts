import { describe, expect, test } from 'bun:test'
import { moved, pinToggled, readColumns, resized, shownToggled, writeColumns } from './columns/columns.ts'
import { newestFirst, nextSort, readSort, writeSort } from './columns/sort.ts'
import { percentile } from './rows/use-row-facts.ts'
import { allToggled, extended, noSelection, selectedMax, selectionState, toggled } from './selection.ts'

describe('columns', () => {
  test.each(['op,input,output', 'op:160!,input,inputs.user.tier:90', 'inputs.a\\,b\\:c\\!\\\\,op'])(
    'reads and writes %p',
    (text) => expect(writeColumns(readColumns(text)!)).toBe(text),
  )

  test('drops what it cannot read, and repetitions', () => {
    expect(writeColumns(readColumns('op,,op,a:b:c,latency:9999999,cost:9')!)).toBe('op,cost:40')
    expect(readColumns('')).toBeUndefined()
  })

  test('moves, pins, resizes, hides and shows', () => {
    const columns = readColumns('a,b,c')!
    expect(writeColumns(moved(columns, 'c', 0))).toBe('c,a,b')
    expect(writeColumns(moved(columns, 'a', 99))).toBe('b,c,a')
    expect(writeColumns(pinToggled(columns, 'c'))).toBe('c!,a,b')
    expect(writeColumns(moved(pinToggled(columns, 'c'), 'a', 0))).toBe('c!,a,b')
    expect(writeColumns(resized(columns, 'b', 3))).toBe('a,b:40,c')
    expect(writeColumns(resized(resized(columns, 'b', 300), 'b', undefined))).toBe('a,b,c')
    expect(writeColumns(shownToggled(columns, 'b'))).toBe('a,c')
    expect(writeColumns(shownToggled(columns, 'd'))).toBe('a,b,c,d')
    expect(writeColumns(shownToggled(readColumns('a')!, 'a'))).toBe('a')
  })
})

describe('selection', () => {
  const order = ['a', 'b', 'c', 'd']
  const ids = (selection: { ids: ReadonlySet<string> }) => [...selection.ids].join('')

  test('toggles and extends from the last row toggled', () => {
    const one = toggled(noSelection, 'b')
    expect(ids(extended(one, 'd', order))).toBe('bcd')
    expect(ids(extended(one, 'a', order))).toBe('ba')
    expect(ids(extended(noSelection, 'c', order))).toBe('c')
    expect(ids(toggled(one, 'b'))).toBe('')
  })

  test('says whether none, some or all are checked', () => {
    expect(selectionState(noSelection, order)).toBe('none')
    expect(selectionState(toggled(noSelection, 'a'), order)).toBe('some')
    expect(selectionState(allToggled(noSelection, order), order)).toBe('all')
    expect(selectionState(allToggled(allToggled(noSelection, order), order), order)).toBe('none')
  })

  test('has a bound', () => {
    const many = Array.from({ length: selectedMax + 5 }, (_, index) => String(index))
    expect(allToggled(noSelection, many).ids.size).toBe(selectedMax)
    expect(toggled(allToggled(noSelection, many), 'x').ids.size).toBe(selectedMax)
  })
})

test('sorts one way, the other, then newest first', () => {
  const once = nextSort(newestFirst, 'latency', 'desc')
  expect(writeSort(once)).toBe('-latency')
  const twice = nextSort(once, 'latency', 'desc')
  expect(writeSort(twice)).toBe('latency')
  expect(nextSort(twice, 'latency', 'desc')).toEqual(newestFirst)
  expect(writeSort(nextSort(newestFirst, 'started', 'desc'))).toBe('started')
  expect(readSort('-')).toBeUndefined()
})

test('interpolates percentiles', () => {
  expect(percentile([], 0.5)).toBeUndefined()
  expect(percentile([4, 1, 3, 2], 0.5)).toBe(2.5)
  expect(percentile([10], 0.95)).toBe(10)
})
