import { expect, test } from 'bun:test'
import { type ThreadCall, turnsOf } from './turns.ts'

const call = (id: string, second: number, more: Partial<ThreadCall> = {}): ThreadCall => ({
  id,
  trace_id: 'trace',
  op_name: id,
  started_at: new Date(second * 1000).toISOString(),
  ended_at: new Date(second * 1000 + 500).toISOString(),
  summary: { ext: { status: 'success', latency_ms: 500 } },
  ...more,
})
const llm = (id: string, second: number, turn: string): ThreadCall =>
  call(id, second, {
    turn_id: turn,
    parent_id: 'root',
    summary: {
      usage: { 'gpt-4o': { total_tokens: 10 } },
      ext: { status: 'success', latency_ms: 500, costs: { 'gpt-4o': { prompt_tokens_total_cost: 0.25 } } },
    },
  })

test('calls of a trace with turn ids are put together by them, without the root', () => {
  const turns = turnsOf(
    [
      call('root', 0),
      llm('b', 4, 't2'),
      llm('a', 1, 't1'),
      call('tool', 2, { turn_id: 't1', parent_id: 'root' }),
      llm('c', 3, 't1'),
    ],
    0,
  )
  expect(turns.map(({ number, id, messagesId, tools }) => [number, id, messagesId, tools])).toEqual([
    [1, 't1', 'c', 1],
    [2, 't2', 'b', 0],
  ])
  expect(turns[0]).toMatchObject({ latency: 2500, modelMs: 1000, toolMs: 500, tokens: 20, cost: 0.5, callId: 'a' })
})

test('traces without turn ids are a turn each', () => {
  const turns = turnsOf([call('x', 0, { trace_id: 'x' }), call('y', 5, { trace_id: 'y', ended_at: null })], 7_000)
  expect(turns.map(({ id, messagesId, isRunning, latency }) => [id, messagesId, isRunning, latency])).toEqual([
    ['x', undefined, false, 500],
    ['y', undefined, true, 2000],
  ])
  expect(turns[0]!.cost).toBeNaN()
})

test('a guardrail that asks a model does not tell the turn', () => {
  const [turn] = turnsOf(
    [
      call('root', 0, { turn_id: 't' }),
      llm('answer', 1, 't'),
      call('bot.guardrail', 2, { turn_id: 't', parent_id: 'root' }),
      { ...llm('verdict', 3, 't'), parent_id: 'bot.guardrail' },
    ],
    0,
  )
  expect(turn!.messagesId).toBe('answer')
})

test('usage of an agent counts if the calls below state zeros only', () => {
  const used = (total_tokens: number) => ({ summary: { usage: { 'gpt-4o': { total_tokens } } } })
  const [turn] = turnsOf([call('agent', 0, used(12)), call('step', 1, { parent_id: 'agent', ...used(0) })], 0)
  expect(turn?.tokens).toBe(12)
})

test('a turn includes the calls below the call that states it', () => {
  const [turn, ...others] = turnsOf(
    [
      call('agent', 0, { turn_id: 'agent' }),
      { ...llm('answer', 1, ''), parent_id: 'agent' },
      call('step', 2, { parent_id: 'agent' }),
      { ...llm('again', 3, ''), parent_id: 'step' },
      call('ring', 4, { parent_id: 'ring' }),
    ],
    0,
  )
  expect(others).toEqual([])
  expect(turn).toMatchObject({
    id: 'agent',
    callId: 'agent',
    messagesId: 'again',
    tokens: 20,
    cost: 0.5,
    modelMs: 1000,
  })
})

test('a turn that ended in an error says which, and not what went wrong inside', () => {
  const failed = turnsOf([call('agent', 0, { turn_id: 'agent', exception: 'MaxStepsError: 30 steps' })], 0)
  expect(failed[0]?.failure).toBe('MaxStepsError: 30 steps')
  const inside = turnsOf(
    [call('agent', 0, { turn_id: 'agent' }), call('tool', 1, { parent_id: 'agent', exception: 'TimeoutError' })],
    0,
  )
  expect(inside[0]).toMatchObject({ failure: null, errors: 1 })
})
