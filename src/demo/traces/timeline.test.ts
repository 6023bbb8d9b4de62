import { expect, test } from 'bun:test'
import type { TracedCall } from './call-items.ts'
import { inTimeOrder } from './timeline.ts'

const at = (second: number): string => new Date(second * 1000).toISOString()
const call = (id: string, from: number, to?: number): TracedCall => ({
  start: {
    project_id: 'a/b',
    id,
    op_name: 'op',
    trace_id: id,
    started_at: at(from),
    attributes: {},
    inputs: {},
  },
  ...(to === undefined ? {} : { end: { project_id: 'a/b', id, ended_at: at(to), output: null, summary: {} } }),
})
const told = (traces: TracedCall[][]): string[] =>
  [...inTimeOrder(traces)].map((item) => (item.mode === 'start' ? `+${item.req.start.id}` : `-${item.req.end.id}`))

test('starts and ends of overlapping traces are interleaved', () => {
  const first = [call('a', 0, 10), call('b', 1, 3)]
  const second = [call('c', 2, 5), call('d', 4, 5)]
  const third = [call('e', 20, 21)]
  expect(told([first, second, third])).toEqual(['+a', '+b', '+c', '-b', '+d', '-c', '-d', '-a', '+e', '-e'])
})

test('a call of zero duration starts before it ends', () => {
  expect(told([[call('a', 1, 1)], [call('b', 1, 1)]])).toEqual(['+a', '-a', '+b', '-b'])
})

test('a running call has no end', () => {
  expect(told([[call('a', 0), call('b', 1, 2)]])).toEqual(['+a', '+b', '-b'])
})
