import * as weave from 'weave'
import { projectArgument, tellResult } from './run-program.ts'

const client = await weave.init(projectArgument())

const lookUp = weave.op(
  async function lookUp(word: string) {
    if (word === 'broken') throw new TypeError('no such word')
    return { word, meaning: `${word}!` }
  },
  { summarize: () => ({ usage: { 'gpt-4o-mini': { prompt_tokens: 10, completion_tokens: 5, requests: 1 } } }) },
)
const answer = weave.op(async function answer(words: string[]) {
  const found: unknown[] = []
  for (const word of words) found.push(await lookUp(word))
  return { found, unicode: 'ä 😀', nothing: null, fraction: 0.5 }
})
const count = weave.op(
  async function* count(to: number) {
    for (let n = 0; n < to; n++) yield n
  },
  {
    streamReducer: {
      initialStateFn: () => ({ sum: 0, seen: 0 }),
      reduceFn: (state: { sum: number; seen: number }, n: number) => ({ sum: state.sum + n, seen: state.seen + 1 }),
      finalizeFn: () => {},
    },
  },
)

const [, answered] = await answer.invoke(['one', 'two'])
// The package keeps one such object per op, which the op's next call reuses.
const answeredId = answered.id!
await client.waitForBatchProcessing()
await answered.setDisplayName('An answer')
const failure = await answer(['broken']).catch((cause: Error) => cause.message)
let streamed = 0
for await (const n of await count(5)) streamed += n
await weave.withAttributes({ run: 'night', nested: { depth: 2 } }, () => lookUp('attributed'))

const image = weave.op(async function image() {
  return weave.weaveImage({ data: Buffer.from('iVBORw0KGgo=', 'base64') })
})
await image()
await client.waitForBatchProcessing()

const call = await client.getCall(answeredId)
const roots = await client.getCalls({ trace_roots_only: true }, true)
const scoreId = await client.addScore(answeredId, call.id!, `weave:///${projectArgument()}/op/judge:abc`, {
  good: true,
})

tellResult({
  callId: answeredId,
  failure,
  streamed,
  readBack: { name: call.display_name, output: call.output },
  roots: roots.map(({ op_name, exception }) => [op_name, exception ?? null]),
  scoreId,
})
