import { expect, test } from 'bun:test'
import { yieldToEventLoop } from '../../runtime/platform/event-loop.ts'
import { payloadPaths } from './payload-paths.ts'

test('lists leaf paths with their types, sorted', async () => {
  const payloads = [
    { b: { c: true }, a: 1, list: [1], none: null, 'a.b': 1, 'c d': 1, é: 1 },
    { a: 'x', b: 2 },
  ]
  expect(await payloadPaths(payloads.map((payload) => JSON.stringify(payload)))).toEqual([
    { json_path: 'a', value_type: 'categorical' },
    { json_path: 'b', value_type: 'numeric' },
    { json_path: 'b.c', value_type: 'boolean' },
  ])
})

test('scanning many large payloads yields to other requests', async () => {
  const payload = JSON.stringify({ words: Array.from({ length: 20_000 }, (_, n) => `word ${n}`) })
  let isDone = false
  let turns = 0
  const others = (async () => {
    for (; !isDone; turns++) await yieldToEventLoop()
  })()
  await payloadPaths(Array.from({ length: 400 }, () => payload))
  isDone = true
  await others
  expect(turns).toBeGreaterThan(3)
})
