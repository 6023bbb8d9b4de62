import { expect, test } from 'bun:test'
import { type BatchItem, inBatches } from './call-items.ts'

const item = (id: string, text = ''): BatchItem => ({
  mode: 'end',
  req: { end: { project_id: 'a/b', id, ended_at: '2024-05-15T12:00:00Z', output: text, summary: {} } },
})

test('keeps all items, in order, in well-formed bodies', () => {
  const items = Array.from({ length: 23 }, (_, i) => item(String(i)))
  const batches = [...inBatches(items, { itemsMax: 10, bodyBytesMax: 1_000_000 })]
  expect(batches.map(({ items: { length } }) => length)).toEqual([10, 10, 3])
  expect(batches.flatMap(({ body }) => JSON.parse(body).batch)).toEqual(items)
})

test('limits the bytes of a body, not its characters', () => {
  const items = Array.from({ length: 50 }, (_, i) => item(String(i), 'ü'.repeat(i * 3)))
  const bodyBytesMax = 1_000
  const batches = [...inBatches(items, { itemsMax: 500, bodyBytesMax })]
  expect(batches.length).toBeGreaterThan(5)
  for (const { body } of batches) expect(Buffer.byteLength(body)).toBeLessThanOrEqual(bodyBytesMax)
  expect(batches.flatMap(({ items: kept }) => kept)).toEqual(items)
})

test('an item over the limit is sent alone', () => {
  const batches = [
    ...inBatches([item('a'), item('b', 'x'.repeat(2_000)), item('c')], { itemsMax: 9, bodyBytesMax: 500 }),
  ]
  expect(batches.map(({ items }) => items.length)).toEqual([1, 1, 1])
})

test('no items give no batch', () => {
  expect([...inBatches([])]).toEqual([])
})
