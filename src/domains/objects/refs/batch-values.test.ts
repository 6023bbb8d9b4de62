import { expect, test } from 'bun:test'
import { responseLimits } from '../../../lib/limits/responses.ts'
import { BatchValues } from './refs.ts'

const long = 'x'.repeat(responseLimits.heldAnswerBytesMax / 8)

test('values are returned in request order, with repetitions and exact numbers', () => {
  const values = new BatchValues(['b', 'a', 'b'])
  values.add('a', { kind: 'value', value: undefined })
  values.add('b', { kind: 'value', value: { n: 1 } })
  expect(values.texts(new Map())).toEqual(['{"n":1}', 'null', '{"n":1}'])
})

test('a response that becomes too large is rejected early, counting repeated values each time', () => {
  const requested = [...Array.from({ length: 7 }, () => 'often'), 'once']
  const values = new BatchValues(requested)
  values.add('often', { kind: 'value', value: long })
  expect(() => values.add('once', { kind: 'value', value: long })).toThrow(
    'more than 256 MiB of memory; request fewer `refs` at a time',
  )
})
