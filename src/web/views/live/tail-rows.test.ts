import { expect, test } from 'bun:test'
import type { LiveCall } from '../../api/live.ts'
import { isAskedFor, keptMax, noRows, reachBack, withEvents, withRecent } from './tail-rows.ts'

const call = (id: string, members: Partial<LiveCall> = {}): LiveCall => ({
  id,
  project_id: 'acme/bot',
  trace_id: id,
  parent_id: null,
  thread_id: null,
  turn_id: null,
  op_name: 'answer',
  display_name: null,
  ext_user_id: null,
  started_at: '2026-11-22T12:00:00Z',
  ended_at: null,
  status: 'running',
  latency_ms: null,
  exception: null,
  error_inside: null,
  ...members,
})

const ids = (calls: readonly LiveCall[]) => calls.map(({ id, status }) => `${id} ${status}`)

test('new calls go to the top, ended ones are patched where they stand', () => {
  const started = withEvents(noRows, [call('a'), call('b')], false)
  const ended = withEvents(started, [call('a', { status: 'success' }), call('c')], false)
  expect(ids(ended.shown)).toEqual(['c running', 'b running', 'a success'])
})

test('while paused new calls wait, and known ones are still patched', () => {
  const started = withEvents(noRows, [call('a')], false)
  const paused = withEvents(
    started,
    [call('b'), call('a', { status: 'error' }), call('b', { status: 'success' })],
    true,
  )
  expect(ids(paused.shown)).toEqual(['a error'])
  expect(ids(paused.waiting)).toEqual(['b success'])
  expect(ids(withEvents(paused, [call('c')], false).shown)).toEqual(['c running', 'b success', 'a error'])
})

test('calls of before go below those that arrived meanwhile, each once', () => {
  const arrived = withEvents(noRows, [call('b', { status: 'success' })], false)
  expect(ids(withRecent(arrived, [call('b'), call('a')], false).shown)).toEqual(['b success', 'a running'])
})

test('after an interruption later calls go to the top, earlier ones to the end, and what ended says so', () => {
  const at = (second: number) => ({ started_at: `2026-11-22T12:00:0${second}Z` })
  const ended = { status: 'success', ended_at: '2026-11-22T12:00:09Z' }
  const known = withEvents(noRows, [call('b', at(2)), call('c', at(3))], false)
  const recent = [call('e', at(5)), call('d', at(4)), call('c', { ...at(3), ...ended }), call('a', at(1))]
  expect(ids(withRecent(known, recent, false).shown)).toEqual([
    'e running',
    'd running',
    'c success',
    'b running',
    'a running',
  ])
  expect(ids(withRecent(known, recent, true).waiting)).toEqual(['e running', 'd running'])
  expect(reachBack(known, recent, 4)).toBe(true)
  expect(reachBack(known, [call('e', at(5)), call('d', at(4))], 2)).toBe(false)
})

test('a call that starts at a whole second comes before one that starts within it', () => {
  const known = withEvents(noRows, [call('a', { started_at: '2026-11-22T12:00:00Z' })], false)
  const later = call('b', { started_at: '2026-11-22T12:00:00.000001Z' })
  expect(ids(withRecent(known, [later], false).shown)).toEqual(['b running', 'a running'])
})

test('no more is kept than there is room for', () => {
  const many = Array.from({ length: keptMax + 50 }, (_, index) => call(`c${index}`))
  expect(withEvents(noRows, many, false).shown.length).toBe(keptMax)
})

test('words and errors narrow the tail', () => {
  const failed = call('a', { op_name: 'search_flights', status: 'error', exception: 'Timeout' })
  expect(isAskedFor(failed, 'flights time', true)).toBe(true)
  expect(isAskedFor(failed, 'hotel', false)).toBe(false)
  expect(isAskedFor(call('b'), '', true)).toBe(false)
})
