import { expect, test } from 'bun:test'
import type { LiveCall } from '../../api/live.ts'
import { isAskedFor, keptMax, noRows, withEvents, withHistory } from './tail-rows.ts'

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
  expect(ids(withHistory(arrived, [call('b'), call('a')]).shown)).toEqual(['b success', 'a running'])
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
