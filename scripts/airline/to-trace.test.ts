import { describe, expect, test } from 'bun:test'
import { expectWellFormed } from '../senders/trace-rules.ts'
import { parseConversations } from './conversation.ts'
import { toTrace } from './to-trace.ts'

const toolCall = (id: string, name: string, args: string) => ({
  id,
  type: 'function',
  function: { name, arguments: args },
})
const recorded = {
  task_id: 7,
  trial: 2,
  reward: 1,
  info: { task: { user_id: 'ada_1', instruction: 'Change the flight.', actions: [{ name: 'book', kwargs: {} }] } },
  traj: [
    { role: 'system', content: 'You are an agent of an airline.' },
    { role: 'user', content: 'I want to change my flight.' },
    { role: 'assistant', content: 'What is your user id?' },
    { role: 'user', content: 'ada_1' },
    { role: 'assistant', content: null, tool_calls: [toolCall('c1', 'get_user_details', '{"user_id":"ada_1"}')] },
    { role: 'tool', tool_call_id: 'c1', name: 'get_user_details', content: '{"name":"Ada"}' },
    { role: 'assistant', content: null, tool_calls: [toolCall('c2', 'calculate', '{"expression":"1/0"}')] },
    { role: 'tool', tool_call_id: 'c2', name: 'calculate', content: 'Error: division by zero' },
    { role: 'assistant', content: 'Sorry.' },
    { role: 'user', content: '###STOP###' },
  ],
}
const [conversation] = parseConversations([recorded])
const trace = toTrace(conversation!, 3, 'demo/airline')
const ops = trace.map(({ start }) => start.op_name)

test('the trace is a well-formed tree with increasing times', () => {
  expectWellFormed(trace)
  expect(trace.every(({ end }) => end !== undefined)).toBe(true)
})

test('there is one call per response and per tool use, below the run', () => {
  const chat = 'openai.chat.completions.create'
  expect(ops).toEqual(['airline_agent.run', chat, chat, 'tool.get_user_details', chat, 'tool.calculate', chat])
  const rootId = trace[0]!.start.id
  expect(trace.slice(1).every(({ start }) => start.parent_id === rootId)).toBe(true)
})

test('the root holds the task and its result', () => {
  expect(trace[0]!.start).toMatchObject({
    display_name: 'Task 7, trial 2',
    thread_id: 'airline-task-7-trial-2',
    attributes: { task_id: 7, trial: 2, dataset: 'tau-bench-airline' },
    inputs: { user_id: 'ada_1', instruction: 'Change the flight.', expected_actions: [{ name: 'book', kwargs: {} }] },
  })
  expect(trace[0]!.end!.output).toEqual({ reward: 1, last_message: recorded.traj.at(-1)! })
})

test('a model call holds the conversation so far, the recorded message and its tokens', () => {
  const { start, end } = trace[2]!
  expect(start.inputs).toEqual({ model: 'gpt-4o', messages: recorded.traj.slice(0, 4) })
  expect(end!.output).toMatchObject({ choices: [{ message: recorded.traj[4]!, finish_reason: 'tool_calls' }] })
  // 31, 27, 21 and 5 characters of prompt; 35 of tool name and arguments in the response.
  expect(end!.summary.usage).toEqual({
    'gpt-4o': { requests: 1, prompt_tokens: 8 + 7 + 6 + 2, completion_tokens: 9, total_tokens: 32 },
  })
})

test('a tool call holds its arguments and result, and fails if the result says so', () => {
  expect(trace[3]!.start.inputs).toEqual({ user_id: 'ada_1' })
  expect(trace[3]!.end).toMatchObject({ output: { name: 'Ada' } })
  expect(trace[3]!.end!.exception).toBeUndefined()
  expect(trace[5]!.end!.exception).toBe('Error: division by zero')
})

test('a turn lasts from one message of the traveller to the next', () => {
  const turns = trace.map(({ start }) => start.turn_id)
  const [first, second] = [trace[1]!.start.id, trace[2]!.start.id]
  expect(turns).toEqual([undefined, first, second, second, second, second, second])
})

describe('ids', () => {
  test('are the same on every run', () => {
    expect(toTrace(conversation!, 3, 'demo/airline')).toEqual(trace)
  })

  test('differ between trials', () => {
    const other = toTrace({ ...conversation!, trial: 3 }, 3, 'demo/airline')
    const ids = new Set([...trace, ...other].map(({ start }) => start.id))
    expect(ids.size).toBe(2 * trace.length)
  })
})

test('an invalid file is rejected with the location of the fault', () => {
  expect(() => parseConversations([{ ...recorded, trial: 'two' }])).toThrow('/0/trial')
})
