import { expect, test } from 'bun:test'
import { flag, list, number, oneOf, readSearch, text, writeSearch } from './search-text.ts'

const schema = {
  f: text(),
  t: text('-24h'),
  tab: oneOf(['chat', 'raw']),
  wide: flag(),
  depth: number(3),
  cols: list(),
}

test('absent and unreadable parameters have their initial values', () => {
  expect(readSearch(schema, '?tab=nonsense&depth=deep')).toEqual({
    f: '',
    t: '-24h',
    tab: 'chat',
    wide: false,
    depth: 3,
    cols: [],
  })
})

test('what is written is read again', () => {
  const values = {
    f: 'latency>5s and inputs.user="ann & bob" #1 100% a+b é',
    t: '2026-11-21T10:00/2026-11-22',
    tab: 'raw' as const,
    wide: true,
    depth: 0,
    cols: ['inputs.a,b', 'output'],
  }
  expect(readSearch(schema, writeSearch(schema, '', values))).toEqual(values)
})

test('the address stays readable, leaves initial values out and keeps foreign parameters', () => {
  const written = writeSearch(schema, '?call=1', { f: 'latency>5s and inputs.user="ann"', t: '-24h', wide: false })
  expect(written).toBe('?call=1&f=latency>5s+and+inputs.user="ann"')
  expect(writeSearch(schema, written, { f: '' })).toBe('?call=1')
})
