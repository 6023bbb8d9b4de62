import { expect, test } from 'bun:test'
import { startStubModel } from '../../scripts/stub-model/server.ts'
import { createEvaluation, createObject, endOf, evaluate, statusOf } from '../conformance/support/evaluation-engine.ts'
import { Project } from '../conformance/support/project.ts'
import { makeTempFolder, removeFolder } from '../conformance/support/temp-folder.ts'
import { until } from '../conformance/support/until.ts'
import { Random, seedOr } from '../store/random.ts'
import { ServerChild } from './server-child.ts'

const livesMax = 5
const lifeMsMax = 900
const rowCount = 200
const answersPerLife = 30
const adminKey = 'c'.repeat(40)
const rows = Array.from({ length: rowCount }, (_, index) => ({
  question: `q${index}`,
  expected: `You said: q${index}`,
}))
const seed = seedOr(Math.floor(Math.random() * 2 ** 31))

test(`an evaluation survives repeated kills, with each row scored once (TRACELAKE_TEST_SEED=${seed})`, async () => {
  const data = await makeTempFolder()
  const stub = startStubModel()
  const random = new Random(seed)
  const env = { OPENAI_API_KEY: 'stub', TRACELAKE_OPENAI_BASE_URL: stub.url }
  const spawn = () => new ServerChild({ kind: 'plain', data, adminKey, env })
  let server = spawn()
  try {
    let project = new Project(await server.listening(), 'crash', 'evaluation')
    const model = await createObject(project, 'llm', 'LLMStructuredCompletionModel', { llm_model_id: 'gpt-4o' })
    const scorer = await createObject(project, 'exact', 'ExactMatchScorer', {})
    const id = await evaluate(project, { evaluation: await createEvaluation(project, rows, [scorer]), model })
    let kills = 0
    for (; kills < livesMax; kills++) {
      // The first kill hits the evaluation on any machine.
      await Bun.sleep(random.below(kills === 0 ? 200 : lifeMsMax))
      if ((await statusOf(project, id)).code === 'complete') break
      await server.kill()
      server = spawn()
      project = new Project(await server.listening(), 'crash', 'evaluation')
    }
    console.log(`evaluation: ${kills} kills, ${stub.requests.length} questions to the model for ${rowCount} rows`)
    expect(kills).toBeGreaterThan(0)
    for (;;) {
      const { code } = await statusOf(project, id)
      expect(['running', 'complete']).toContain(code)
      expect(['running', 'done']).toContain((await listedStates(project)).join())
      if (code === 'complete') break
      await Bun.sleep(20)
    }
    const calls = await project.query({ filter: { trace_ids: [id] } })
    const countOf = (name: string) => calls.filter(({ op_name }) => op_name === name).length
    expect(calls.filter(({ ended_at }) => ended_at === null)).toEqual([])
    expect(countOf('Evaluation.predict_and_score')).toBe(rowCount)
    expect(countOf('llm.predict')).toBe(rowCount)
    expect(countOf('exact.score')).toBe(rowCount)
    expect(countOf('Evaluation.summarize')).toBe(1)
    const run = calls.find((call) => call.id === id)
    expect(run?.output).toMatchObject({ exact: { match: { true_count: rowCount, true_fraction: 1 } } })
    const feedback = await project.client.post<{ result: unknown[] }>('/feedback/query', { project_id: project.id })
    expect(feedback.json.result).toHaveLength(rowCount)
    expect(await listedStates(project)).toEqual(['done'])
    // Requests in flight when the server died are retried, and nothing else is.
    expect(stub.requests.length).toBeLessThanOrEqual(rowCount + kills * 4)
  } finally {
    await server.kill()
    await stub.stop()
    await removeFolder(data)
  }
}, 600_000)

test(`a run that goes on after its limit survives kills, and pays no row twice (TRACELAKE_TEST_SEED=${seed})`, async () => {
  const data = await makeTempFolder()
  const stub = startStubModel()
  const random = new Random(seed + 1)
  const env = { OPENAI_API_KEY: 'stub', TRACELAKE_OPENAI_BASE_URL: stub.url }
  const spawn = () => new ServerChild({ kind: 'plain', data, adminKey, env })
  let server = spawn()
  try {
    let project = new Project(await server.listening(), 'crash', 'limited')
    const model_ref = await createObject(project, 'llm', 'LLMStructuredCompletionModel', { llm_model_id: 'gpt-4o' })
    const scorer = await createObject(project, 'exact', 'ExactMatchScorer', {})
    const evaluation_ref = await createEvaluation(project, rows, [scorer])
    const body = { project_id: project.id, evaluation_ref, model_ref, cost_limit: 1e-9, parallel: 1 }
    const { json } = await project.client.post<{ call_id: string }>('/evaluations/evaluate_model', body)
    await endOf(project, json.call_id)
    expect(await listedStates(project)).toEqual(['at_limit'])
    // What a limit stopped does not go on by itself.
    await server.kill()
    server = spawn()
    project = new Project(await server.listening(), 'crash', 'limited')
    expect(await listedStates(project)).toEqual(['at_limit'])
    const resume = { project_id: project.id, call_id: json.call_id, cost_limit: null, parallel: 4 }
    expect((await project.client.post('/evaluations/resume', resume)).status).toBe(200)
    let kills = 1
    for (; kills < livesMax && (await listedStates(project))[0] === 'running'; kills++) {
      await Bun.sleep(random.below(kills === 1 ? 200 : lifeMsMax))
      await server.kill()
      server = spawn()
      project = new Project(await server.listening(), 'crash', 'limited')
    }
    for (;;) {
      const [state] = await listedStates(project)
      expect(['running', 'done']).toContain(state ?? '')
      if (state === 'done') break
      await Bun.sleep(20)
    }
    const calls = await project.query({ filter: { trace_ids: [json.call_id] } })
    const countOf = (name: string) => calls.filter(({ op_name }) => op_name === name).length
    expect(['Evaluation.predict_and_score', 'llm.predict', 'exact.score'].map(countOf)).toEqual(Array(3).fill(rowCount))
    expect(stub.requests.length).toBeLessThanOrEqual(rowCount + kills * 4)
  } finally {
    await server.kill()
    await stub.stop()
    await removeFolder(data)
  }
}, 600_000)

test(`a paused run stays paused through kills, and pays no row twice (TRACELAKE_TEST_SEED=${seed})`, async () => {
  const data = await makeTempFolder()
  /** Requests that are answered before the next pause: so few that the run never ends before it. */
  let answeredMax = answersPerLife
  const hold = async () => {
    await Bun.sleep(5)
    await until(() => stub.requests.length <= answeredMax)
  }
  const stub = startStubModel({ hold })
  const random = new Random(seed + 2)
  const env = { OPENAI_API_KEY: 'stub', TRACELAKE_OPENAI_BASE_URL: stub.url }
  const spawn = () => new ServerChild({ kind: 'plain', data, adminKey, env })
  let server = spawn()
  try {
    let project = new Project(await server.listening(), 'crash', 'paused')
    const post = async (path: string, call_id: string) =>
      (await project.client.post(path, { project_id: project.id, call_id })).status
    const model = await createObject(project, 'llm', 'LLMStructuredCompletionModel', { llm_model_id: 'gpt-4o' })
    const scorer = await createObject(project, 'exact', 'ExactMatchScorer', {})
    const id = await evaluate(project, { evaluation: await createEvaluation(project, rows, [scorer]), model })
    let kills = 0
    let pauses = 0
    for (; kills < livesMax && (await listedStates(project))[0] === 'running'; kills++) {
      await Bun.sleep(random.below(150))
      expect(await post('/evaluations/pause', id)).toBe(200)
      pauses++
      const requested = stub.requests.length
      answeredMax = Number.POSITIVE_INFINITY
      // Killed while rows are in progress, or after they have ended.
      await Bun.sleep(random.below(2) * 60)
      await server.kill()
      server = spawn()
      project = new Project(await server.listening(), 'crash', 'paused')
      expect(await listedStates(project)).toEqual(['paused'])
      expect((await statusOf(project, id)).code).toBe('paused')
      await Bun.sleep(30)
      expect(stub.requests.length).toBeLessThanOrEqual(requested + 4)
      answeredMax = stub.requests.length + answersPerLife
      expect(await post('/evaluations/resume', id)).toBe(200)
    }
    answeredMax = Number.POSITIVE_INFINITY
    expect(pauses).toBeGreaterThan(0)
    expect((await endOf(project, id)).code).toBe('complete')
    expect(await listedStates(project)).toEqual(['done'])
    const calls = await project.query({ filter: { trace_ids: [id] } })
    const countOf = (name: string) => calls.filter(({ op_name }) => op_name === name).length
    expect(calls.filter(({ ended_at }) => ended_at === null)).toEqual([])
    expect(['Evaluation.predict_and_score', 'llm.predict', 'exact.score'].map(countOf)).toEqual(Array(3).fill(rowCount))
    expect(stub.requests.length).toBeLessThanOrEqual(rowCount + kills * 4)
  } finally {
    await server.kill()
    await stub.stop()
    await removeFolder(data)
  }
}, 600_000)

async function listedStates({ client, id }: Project): Promise<string[]> {
  const { json } = await client.post<{ runs: { state: string }[] }>('/evaluations/runs/query', { project_id: id })
  return json.runs.map(({ state }) => state)
}
