import { expect, test } from 'bun:test'
import { toolCommands } from '../../src/cli/agent-tools/words.ts'
import { freshProject, ownServer } from '../conformance/support/target.ts'
import { CommandChild } from './command.ts'

const server = await ownServer()
const project = freshProject(server.client)
const at = (second: number) => `2024-05-01T10:00:0${second}.500000Z`

await project.add(
  { id: 'root', trace_id: 't', thread_id: 'talk', op_name: 'answer', started_at: at(0), ended_at: at(9) },
  {
    ...{ id: 'llm', trace_id: 't', parent_id: 'root', op_name: 'chat', started_at: at(1), ended_at: at(3) },
    summary: { usage: { 'gpt-4o': { prompt_tokens: 1000, completion_tokens: 100, requests: 1 } } },
  },
  {
    ...{ id: 'tool', trace_id: 't', parent_id: 'root', op_name: 'tool.pay', started_at: at(4), ended_at: at(5) },
    ...{ exception: 'card declined', inputs: { order: { number: 17 } } },
  },
)

const env = () => ({
  TRACELAKE_URL: server.client.address,
  TRACELAKE_KEY: server.adminKey,
  TRACELAKE_PROJECT: project.id,
})

const answerOf = (...words: string[]) => new CommandChild(words, env()).ended()

/** What each word is asked, and what its answer contains. */
const cases: Readonly<Record<string, readonly (readonly [words: string[], found: string | RegExp])[]>> = {
  overview: [[[], '3 calls from 2024-05-01 10:00:00']],
  calls: [
    [['--status', 'error', '--op', 'tool.pay', '--limit', '3'], 'error: card declined'],
    [['card', 'declined'], 'exception: card declined'],
    [['--query', '{"$expr": {"$eq": [{"$getField": "op_name"}, {"$literal": "chat"}]}}'], '1 of 1 matching calls'],
  ],
  trace: [[['t', '--depth', '2'], /Next: tracelake call tool .*# /]],
  call: [
    [['tool'], 'Error: card declined'],
    [['tool', 'inputs.order.number'], '17'],
  ],
  stats: [[['--group-by', 'model'], /gpt-4o: 1 calls .*1000\+100 tokens {2}\$0\.0035/]],
  compare: [[[], 'evaluations']],
  query: [[['SELECT count(*) AS calls FROM calls'], /calls\D+3/]],
  schema: [[['calls'], 'op_name']],
  feedback: [[['llm', '--note', 'well done'], 'llm']],
  dataset: [[['failures', 'tool', 'llm'], 'failures']],
  docs: [[['query', 'language'], '$expr']],
}

test('every word is tested', () => {
  expect(Object.keys(cases).sort()).toEqual(toolCommands.map(({ name }) => name).sort())
})

test.each(Object.entries(cases))(
  '"%s" answers as its tool does',
  async (name, asked) => {
    const answers = await Promise.all(asked.map(([words]) => answerOf(name, ...words)))
    for (const [index, { out, err, code }] of answers.entries()) {
      expect([code, err]).toEqual([0, ''])
      const found = asked[index]![1]
      if (typeof found === 'string') expect(out).toContain(found)
      else expect(out).toMatch(found)
    }
  },
  120_000,
)

test('what the writing words do is stored', async () => {
  await Promise.all([answerOf('feedback', 'llm', '--note', 'well said'), answerOf('dataset', 'kept', 'tool', 'llm')])
  const feedback = await server.client.post('/feedback/query', { project_id: project.id })
  expect(feedback.text).toContain('well said')
  const objects = await server.client.post('/objs/query', { project_id: project.id })
  expect(objects.text).toContain('"kept"')
}, 120_000)

test('the next steps of an answer are commands that work', async () => {
  const { out } = await answerOf('calls', '--status', 'error')
  const step = /^Next: tracelake (trace .+?) {3}#/m.exec(out)?.[1]
  const { out: trace, code } = await answerOf(...(step ?? out).split(' '))
  expect(code).toBe(0)
  expect(trace).toContain('Error of tool: card declined')
}, 120_000)

test.each([
  ['without a key', ['overview'], { TRACELAKE_URL: server.client.address }, 'an API key is required', 2],
  ['with a wrong key', ['overview', '--key', 'wrong'], {}, 'the API key is not valid', 2],
  ['without a server', ['overview', '--url', 'http://127.0.0.1:9'], {}, 'Cannot reach the server at', 1],
  ['about an unknown call', ['call', 'nothing'], {}, 'nothing', 2],
  ['with a limit that is no number', ['calls', '--limit', 'many'], {}, 'takes an integer', 2],
  ['with a query that is no JSON', ['calls', '--query', '{'], {}, 'takes JSON', 2],
])(
  'a word %s says what is wrong',
  async (why, words, given, message, code) => {
    const { err, ...ended } = await new CommandChild(
      words,
      why === 'without a key' ? given : { ...env(), ...given },
    ).ended()
    expect(err).toContain(message)
    expect(err.trim().split('\n')).toHaveLength(1)
    expect(ended.code).toBe(code)
  },
  120_000,
)
