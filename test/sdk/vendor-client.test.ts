import { expect, test } from 'bun:test'
import { freshProject, ownServer } from '../conformance/support/target.ts'
import { runProgram } from './vendor/run-program.ts'

const server = await ownServer({ env: { TRACELAKE_DIALECT: 'weave' } })
const { client } = server
const shortName = (opName: string): string => opName.split('/').at(-1)!.split(':')[0]!

test('the weave client traces ops: nested, failing, streaming, with attributes, usage, images and scores', async () => {
  const project = freshProject(client)
  const told = await runProgram<Record<string, unknown>>('trace-program', client, project.id)
  expect(told).toMatchObject({
    failure: 'no such word',
    streamed: 10,
    readBack: { name: 'An answer', output: { unicode: 'ä 😀', nothing: null, fraction: 0.5 } },
  })
  const calls = await project.query({ sort_by: [{ field: 'started_at', direction: 'asc' }] })
  const names = calls.map(({ op_name }) => shortName(op_name as string))
  expect(names.toSorted()).toEqual(['answer', 'answer', 'count', 'image', 'lookUp', 'lookUp', 'lookUp', 'lookUp'])
  const root = calls.find(({ id }) => id === told['callId'])!
  const children = calls.filter(({ parent_id }) => parent_id === root.id)
  expect(children.map(({ output }) => output)).toEqual([
    { word: 'one', meaning: 'one!' },
    { word: 'two', meaning: 'two!' },
  ])
  expect(children.every(({ trace_id }) => trace_id === root.trace_id)).toBe(true)
  expect(root.summary).toMatchObject({
    usage: { 'gpt-4o-mini': { prompt_tokens: 20, completion_tokens: 10, requests: 2 } },
    weave: { status: 'success', display_name: 'An answer' },
  })
  const failed = calls.filter(({ exception }) => exception !== null)
  expect(failed.map(({ op_name }) => shortName(op_name as string)).toSorted()).toEqual(['answer', 'lookUp'])
  expect(failed[0]!.exception).toContain('no such word')
  expect(calls.find(({ op_name }) => shortName(op_name as string) === 'count')!.output).toEqual({ sum: 10, seen: 5 })
  const attributed = calls.find(({ inputs }) => JSON.stringify(inputs).includes('attributed'))!
  expect(attributed.attributes).toMatchObject({ run: 'night', nested: { depth: 2 } })

  const picture = calls.find(({ op_name }) => shortName(op_name as string) === 'image')!.output as {
    weave_type: unknown
    files: Record<string, string>
  }
  const [digest] = Object.values(picture.files)
  const file = await client.post('/file/content', { project_id: project.id, digest })
  expect(Buffer.from(file.bytes).toString('base64')).toBe('iVBORw0KGgo=')

  const feedback = await client.post<{ result: Record<string, unknown>[] }>('/feedback/query', {
    project_id: project.id,
  })
  expect(feedback.json.result).toMatchObject([
    { id: told['scoreId'], feedback_type: 'wandb.runnable.judge', payload: { output: { good: true } } },
  ])
}, 120_000)

test('the weave client publishes objects, datasets and prompts, and reads them back', async () => {
  const project = freshProject(client)
  const told = await runProgram<Record<string, unknown>>('object-program', client, project.id)
  expect(told['again']).toBe(told['plain'])
  expect(told['changed']).not.toBe(told['plain'])
  expect(told).toMatchObject({
    first: { list: [1, 2.5, 'ä'], nested: { deep: [{ a: null }] }, flag: true },
    latest: { list: [] },
    rows: [
      { question: 'one plus one', answer: 2 },
      { question: 'two plus two', answer: 4 },
      { question: 'π', answer: 3.14 },
    ],
    length: 3,
    text: 'Hello you',
    messages: [
      { role: 'system', content: 'You are kind' },
      { role: 'user', content: 'Hi' },
    ],
  })
  const objects = await client.post<{ objs: Record<string, unknown>[] }>('/objs/query', {
    project_id: project.id,
    filter: { latest_only: true },
  })
  expect(objects.json.objs.map(({ object_id }) => object_id).toSorted()).toEqual([
    'chat',
    'greeting',
    'questions',
    'settings',
  ])
}, 120_000)

test('the weave client runs evaluations, and their results can be queried', async () => {
  const project = freshProject(client)
  const { summary } = await runProgram<{ summary: Record<string, unknown> }>('evaluation-program', client, project.id)
  expect(summary).toMatchObject({ isExact: { true_count: 2 } })
  const calls = await project.query({})
  const named = (name: string) => calls.filter(({ op_name }) => shortName(op_name as string) === name)
  const [evaluate, byHand] = named('Evaluation.evaluate')
  expect(evaluate!.exception).toBeNull()
  expect(byHand!.exception).toBeNull()

  const results = await client.post<{
    rows: { raw_data_row: unknown; evaluations: { trials: { model_output: unknown; scores: unknown }[] }[] }[]
    total_rows: number
  }>(`/v2/${project.id}/eval_results/query`, {
    evaluation_call_ids: [evaluate!.id],
    include_raw_data_rows: true,
    resolve_row_refs: true,
  })
  expect(`${results.status} ${results.text.slice(0, 300)}`).toStartWith('200 ')
  const trials = results.json.rows.map(({ evaluations }) => evaluations[0]!.trials[0]!)
  expect(trials.map(({ model_output }) => model_output).toSorted()).toEqual([2, 4, 6])
  expect(results.json.rows.map(({ raw_data_row }) => raw_data_row)).toContainEqual({ question: '3+3', expected: 7 })
  expect(results.json.total_rows).toBe(3)
  const wrong = trials.find(({ model_output }) => model_output === 6)!
  expect(wrong.scores).toEqual({ isExact: false, distance: { absolute: 1 } })
}, 120_000)
