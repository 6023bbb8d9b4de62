import { expect, test } from 'bun:test'
import { joinResults, type Message, type MessagePart } from './messages.ts'

const message = (role: string, ...parts: MessagePart[]): Message => ({ source: 'inputs', role, name: null, parts })
const toolCall = (id: string | null, name: string): MessagePart => ({ type: 'tool_call', id, name, arguments: '{}' })
const result = (id: string | null, name: string | null, content: string): MessagePart => ({
  type: 'tool_result',
  id,
  name,
  content,
  is_error: false,
})

test('results join the calls they answer, by id and else by name and order', () => {
  const shown = joinResults([
    message('user', { type: 'text', text: 'hi' }),
    message('assistant', toolCall('1', 'a'), toolCall('2', 'b')),
    message('tool', result('2', 'b', 'two')),
    message('tool', result('1', 'a', 'one')),
    message('assistant', toolCall(null, 'c'), toolCall(null, 'c')),
    message('tool', result(null, 'c', 'first')),
    message('tool', result(null, 'c', 'second')),
    message('tool', result('9', 'd', 'of nobody')),
  ])
  expect(shown.map(({ role }) => role)).toEqual(['user', 'assistant', 'assistant', 'tool'])
  const answers = shown
    .flatMap(({ parts }) => parts)
    .map((part) => (part.type === 'tool_call' ? part.result?.content : ''))
  expect(answers).toEqual(['', 'one', 'two', 'first', 'second', ''])
})
