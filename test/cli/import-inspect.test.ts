import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { openImportTarget } from './import-command.ts'

const fixtures = join(import.meta.dir, '../import-sources/fixtures/inspect')
const { server, folder, imported: importedFrom, callsOf: queried } = await openImportTarget()

const imported = (place: string, project: string, ...options: string[]) =>
  importedFrom('inspect', place, project, ...options)

interface Call {
  id: string
  parent_id: string | null
  op_name: string
  display_name: string | null
  started_at: string
  ended_at: string
  exception: string | null
  inputs: Record<string, unknown>
  output: unknown
  attributes: Record<string, unknown>
  summary: { usage?: Record<string, Record<string, number>> }
}

const callsOf = (project: string) => queried<Call>(project)

/** Names of the calls below a call, as a tree. */
function treeBelow(calls: readonly Call[], id: string | null): unknown[] {
  const children = calls.filter(({ parent_id }) => parent_id === id)
  return children.map((call) => {
    const below = treeBelow(calls, call.id)
    const name = call.op_name.startsWith('inspect.') ? `${call.op_name} ${call.display_name}` : call.op_name
    return below.length === 0 ? name : [name, ...below]
  })
}

test('an .eval file becomes a dataset, an evaluation, and trials with their calls and scores', async () => {
  const { out, code } = await imported(join(fixtures, 'orders.eval'), 'inspect/orders')
  expect(out).toContain('Complete.')
  expect(code).toBe(0)
  const lines = [/^datasets +1 +1 +0/m, /^evaluations +1 +1 +0/m, /^scorers +2 +2 +0/m, /^feedback +8 +8 +0 +8$/m]
  for (const line of lines) expect(out).toMatch(line)
  const calls = await callsOf('inspect/orders')
  const [run] = treeBelow(calls, null) as [unknown[]]
  expect(run[0]).toBe('Evaluation.evaluate')
  expect(run).toHaveLength(6)
  expect(run.filter(Array.isArray)[0]).toEqual([
    'Evaluation.predict_and_score',
    [
      'mockllm-model.predict',
      'inspect.solver system_message',
      'inspect.solver use_tools',
      [
        'inspect.solver support',
        'inspect.model model',
        'inspect.tool find_order',
        'inspect.model model',
        ['inspect.tool courier', ['inspect.agent courier', 'inspect.model model']],
        'inspect.model model',
      ],
    ],
    'includes.score',
    'brevity.score',
  ])
  const models = calls.filter(({ op_name }) => op_name === 'inspect.model')
  expect(models[0]).toMatchObject({
    attributes: {
      kind: 'llm',
      provider: 'mockllm',
      model: 'model',
      import: { source: 'inspect', file: 'orders.eval' },
    },
    summary: {
      usage: { model: { input_tokens: 120, output_tokens: 30, cache_read_input_tokens: 50, reasoning_tokens: 5 } },
    },
  })
  // Long texts and shared messages are in place.
  const { messages } = models[0]!.inputs as { messages: { role: string; content: string }[] }
  expect(messages.map(({ role }) => role)).toEqual(['system', 'user'])
  expect(messages[0]!.content).toStartWith('You answer questions about orders.')
  const tools = calls.filter(({ op_name }) => op_name === 'inspect.tool')
  expect(tools.map(({ exception }) => exception)).toContain('The order does not exist')
})

test('results of an imported evaluation can be compared like others', async () => {
  await imported(join(fixtures, 'orders.eval'), 'inspect/results')
  const run = (await callsOf('inspect/results')).find(({ parent_id }) => parent_id === null)!
  expect(run.output).toMatchObject({ includes: { accuracy: 0.5 } })
  const { json } = await server.client.post('/v2/inspect/results/eval_results/query', {
    evaluation_call_ids: [run.id],
    include_raw_data_rows: true,
    resolve_row_refs: true,
    include_summary: true,
  })
  const { rows, summary } = json as {
    rows: { raw_data_row: unknown; evaluations: { trials: { model_output: unknown; scores: unknown }[] }[] }[]
    summary: { evaluations: { trial_count: number; scorer_stats: Record<string, unknown>[] }[] }
  }
  expect(rows).toHaveLength(2)
  const row = rows.find(({ raw_data_row }) => (raw_data_row as { id: number }).id === 1)!
  expect(row.raw_data_row).toMatchObject({ input: 'Where is order 1?', target: 'tomorrow' })
  expect(row.evaluations[0]!.trials).toHaveLength(2)
  expect(row.evaluations[0]!.trials[0]).toMatchObject({
    model_output: 'It arrives tomorrow.',
    scores: { includes: { value: 'C', score: 1, correct: true } },
  })
  expect(summary.evaluations[0]!.trial_count).toBe(4)
  const correct = summary.evaluations[0]!.scorer_stats.find(({ path }) => path === 'correct')
  expect(correct).toMatchObject({ scorer_key: 'includes', pass_rate: 0.5 })
})

test('a .json file with a failed sample, and a second import that adds nothing', async () => {
  const file = join(fixtures, 'failing.json')
  expect((await imported(file, 'inspect/failing')).out).toContain('Complete.')
  const calls = await callsOf('inspect/failing')
  const failed = calls.find(({ op_name, exception }) => op_name.endsWith('.predict') && exception !== null)!
  expect(failed.exception).toContain('The sandbox is gone')
  expect(failed.inputs['inputs']).toMatchObject({ id: 'second' })
  expect((await imported(file, 'inspect/failing')).out).toContain(`${calls.length} before, ${calls.length} after`)
})

test('a dry run counts and sends nothing; tasks that are not selected are left out', async () => {
  const { out, code } = await imported(fixtures, 'inspect/dry', '--select', 'failing', '--dry-run')
  expect(out).toMatch(/^evaluations +1$/m)
  expect(code).toBe(0)
  expect(await callsOf('inspect/dry')).toEqual([])
})

test('logs of a killed evaluation, with numbers that are not JSON, and of older versions', async () => {
  const place = join(folder, 'logs')
  await mkdir(place)
  const at = (second: number) => `2025-02-11T15:17:0${second}.5-05:00`
  const spec = { task: 'old', run_id: 'run', task_id: 'task', created: at(0), dataset: {}, model: 'openai/gpt-4o' }
  const answer = { message: { role: 'assistant', content: 'Hi' }, stop_reason: 'stop' }
  const tool = { event: 'tool', id: 't', function: 'web', arguments: { url: 'c' }, result: 'd', timestamp: at(2) }
  const log = {
    version: 2,
    eval: { ...spec, config: {} },
    samples: [
      {
        id: 1,
        epoch: 1,
        input: 'Hello',
        target: 'Hi',
        output: { choices: [answer] },
        scores: { match: { value: 'NOT-A-NUMBER', answer: 'NaN' } },
        events: [
          { event: 'step', action: 'begin', type: 'solver', name: 'generate', timestamp: at(1) },
          {
            event: 'subtask',
            name: 'search',
            input: { query: 'a' },
            result: 'b',
            timestamp: at(1),
            completed: at(2),
            events: [tool],
          },
          {
            event: 'model',
            model: 'openai/gpt-4o',
            input: [{ role: 'user', content: 'Hello' }],
            output: { choices: [], time: 2, usage: { input_tokens: 3, output_tokens: 1, total_tokens: 4 } },
            timestamp: at(4),
          },
          { event: 'info', data: 'noted', timestamp: at(4) },
          { event: 'step', action: 'end', type: 'solver', name: 'generate', timestamp: at(5) },
        ],
      },
      // Without events.
      { id: 2, epoch: 1, input: 'Hello', target: '', messages: [answer.message], output: { choices: [answer] } },
      { id: 3, epoch: 1, input: 'Bye', target: '', messages: [], output: {} },
    ],
  }
  const text = JSON.stringify(log, undefined, 2).replace('"NOT-A-NUMBER"', 'NaN')
  await writeFile(join(place, 'old.json'), text)
  expect((await imported(place, 'inspect/old')).out).toContain('Complete.')
  const calls = await callsOf('inspect/old')
  const [run] = treeBelow(calls, null) as [unknown[]]
  expect(run[0]).toBe('Evaluation.evaluate')
  expect(run).toContainEqual([
    'Evaluation.predict_and_score',
    [
      'openai-gpt-4o.predict',
      ['inspect.solver generate', ['inspect.subtask search', 'inspect.tool web'], 'inspect.model gpt-4o'],
    ],
    'match.score',
  ])
  expect(run).toContainEqual(['Evaluation.predict_and_score', ['openai-gpt-4o.predict', 'inspect.model gpt-4o']])
  expect(run).toContainEqual(['Evaluation.predict_and_score', 'openai-gpt-4o.predict'])
  expect(calls.find(({ parent_id }) => parent_id === null)!.ended_at).toBeNull()
  const model = calls.find(({ op_name, summary }) => op_name === 'inspect.model' && summary.usage !== undefined)!
  expect(model).toMatchObject({ started_at: '2025-02-11T20:17:02.500000Z', ended_at: '2025-02-11T20:17:04.500000Z' })
  const solver = calls.find(({ op_name }) => op_name === 'inspect.solver')!
  expect(solver.attributes['events']).toMatchObject([{ event: 'info', data: 'noted' }])
  expect(calls.find(({ op_name }) => op_name === 'match.score')!.output).toEqual({ value: null, answer: 'NaN' })
})

test('files that are no logs are clear errors', async () => {
  await writeFile(join(folder, 'other.json'), '{"a": 1}')
  expect((await imported(join(folder, 'other.json'), 'inspect/errors')).err).toContain('is not an Inspect log')
  const damaged = join(folder, 'damaged.eval')
  await cp(join(fixtures, 'orders.eval'), damaged)
  await writeFile(damaged, (await readFile(damaged)).subarray(0, 9_000))
  const { err, code } = await imported(damaged, 'inspect/errors')
  expect(code).not.toBe(0)
  expect(err).not.toContain('    at ')
  expect(await callsOf('inspect/errors')).toEqual([])
})

const realFiles = join(process.env['TRACELAKE_TEST_IMPORTS'] ?? '/none', 'inspect')

test.skipIf(!existsSync(realFiles))('real files: logs of several versions', async () => {
  const { out } = await imported(realFiles, 'inspect/real')
  expect(out).toMatch(/^evaluations +10 +10 +0/m)
  expect(out).toContain('Complete.')
})
