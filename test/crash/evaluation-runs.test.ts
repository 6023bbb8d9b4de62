import { expect, test } from 'bun:test'
import type { CallRecord } from '../conformance/support/call-shapes.ts'
import type { Client } from '../conformance/support/client.ts'
import { queryResults } from '../conformance/support/eval-results.ts'
import {
  EvaluationClient,
  type PredictionRecord,
  type RunRecord,
  type ScoreRecord,
} from '../conformance/support/evaluations.ts'
import { queryFeedback } from '../conformance/support/feedback.ts'
import { Project } from '../conformance/support/project.ts'
import { makeTempFolder, removeFolder } from '../conformance/support/temp-folder.ts'
import { tableFolder } from '../store/folder-state.ts'
import { findLastingFaults } from '../store/lasting-faults.ts'
import { Random, seedOr } from '../store/random.ts'
import { letLoadRun } from './let-load-run.ts'
import { ServerChild } from './server-child.ts'

const lives = 4
const loadMsMax = 900
const adminKey = 'c'.repeat(40)
const seed = seedOr(Math.floor(Math.random() * 2 ** 31))

type State = 'there' | 'maybe' | 'gone'

/** What was acknowledged about one prediction; `maybe` if a deletion was not acknowledged. */
interface KnownPrediction {
  readonly id: string
  readonly run: string
  readonly output: string
  readonly scores: Map<string, number>
  isFinished: boolean
  state: State
}

interface Known {
  readonly runs: Map<string, 'running' | 'completed' | 'maybe'>
  readonly predictions: KnownPrediction[]
}

/** Creates, finishes and deletes runs with predictions and scores until the server dies. */
async function evaluate(evals: EvaluationClient, { runs, predictions }: Known, random: Random): Promise<void> {
  for (;;) {
    const run = await evals.run()
    runs.set(run, 'running')
    for (let row = 0; row < random.between(1, 4); row++) {
      const output = `${run} ${row}`
      const id = await evals.predict({ inputs: { row }, output, evaluation_run_id: run })
      const known: KnownPrediction = { id, run, output, scores: new Map(), isFinished: false, state: 'there' }
      predictions.push(known)
      for (const scorer of ['exact', 'length']) {
        const value = random.below(100)
        const score = await evals.score(id, scorer, value, run)
        known.scores.set(score, value)
      }
      await evals.finish('predictions', id)
      known.isFinished = true
      if (random.chance(0.8)) continue
      known.state = 'maybe'
      expect(await evals.delete('predictions', 'prediction_ids', id)).toBe(1)
      known.state = 'gone'
    }
    runs.set(run, 'maybe')
    await evals.finish('evaluation_runs', run)
    runs.set(run, 'completed')
  }
}

/** Retries unacknowledged requests, as clients do. */
async function deleteAgain(evals: EvaluationClient, { predictions }: Known): Promise<void> {
  for (const known of predictions.filter(({ state }) => state === 'maybe')) {
    expect([0, 1]).toContain(await evals.delete('predictions', 'prediction_ids', known.id))
    known.state = 'gone'
  }
}

async function check(evals: EvaluationClient, { runs, predictions }: Known): Promise<void> {
  const listed = new Map((await evals.list<RunRecord>('evaluation_runs')).map((run) => [run.evaluation_run_id, run]))
  for (const [id, state] of runs) {
    expect(listed.has(id)).toBe(true)
    if (state !== 'maybe') expect([id, listed.get(id)!.status]).toEqual([id, state])
  }
  const shown = new Map((await evals.list<PredictionRecord>('predictions')).map((one) => [one.prediction_id, one]))
  const scores = new Map((await evals.list<ScoreRecord>('scores')).map((score) => [score.score_id, score]))
  const feedback = new Set((await queryFeedback(evals.project)).map((entry) => entry['id']))
  for (const known of predictions) {
    expect([known.id, shown.has(known.id)]).toEqual([known.id, known.state === 'there'])
    for (const [id, value] of known.scores) {
      expect([id, scores.get(id)?.value]).toEqual([id, known.state === 'there' ? value : undefined])
      expect([id, feedback.has(id)]).toEqual([id, known.state === 'there'])
    }
    if (known.state === 'there')
      expect(shown.get(known.id)).toMatchObject({ output: known.output, evaluation_run_id: known.run })
  }
  await checkTrees(evals, shown)
  for (const run of runs.keys()) {
    const there = predictions.filter((known) => known.run === run && known.state === 'there' && known.isFinished)
    const { rows } = await queryResults(evals.project, [run])
    const trials = new Map(
      rows.flatMap((row) => row.evaluations[0]!.trials).map((trial) => [trial.predict_call_id, trial]),
    )
    for (const { id, output, scores: given } of there) {
      expect(trials.get(id)).toMatchObject({ model_output: output })
      expect(Object.values(trials.get(id)!.scores)).toEqual([...given.values()])
    }
  }
}

/** A prediction and its trial exist both, or neither. */
async function checkTrees(evals: EvaluationClient, shown: ReadonlyMap<string, PredictionRecord>): Promise<void> {
  const calls = new Map((await evals.project.query()).map((call) => [call.id, call]))
  const markOf = (call: CallRecord | undefined) => (call?.attributes['ext'] ?? {}) as Record<string, unknown>
  for (const id of shown.keys()) expect(markOf(calls.get(calls.get(id)!.parent_id!))['predict_call_id']).toBe(id)
  for (const call of calls.values()) {
    const prediction = markOf(call)['predict_call_id']
    if (prediction !== undefined) expect([call.id, calls.has(prediction as string)]).toEqual([call.id, true])
  }
}

test(`runs, predictions and scores survive ${lives} kills (TRACELAKE_TEST_SEED=${seed})`, async () => {
  const data = await makeTempFolder()
  const random = new Random(seed)
  const known: Known = { runs: new Map(), predictions: [] }
  const evalsOn = (client: Client) => new EvaluationClient(new Project(client, 'crash', 'evaluations'))
  for (let life = 0; life < lives; life++) {
    const server = new ServerChild({ kind: random.chance(0.7) ? 'flushing' : 'plain', data, adminKey })
    try {
      const evals = evalsOn(await server.listening())
      for (const table of ['calls', 'feedback', 'objects'])
        expect(await findLastingFaults(tableFolder(data, table), ['project_id', 'id'])).toEqual([])
      await deleteAgain(evals, known)
      await check(evals, known)
      server.beginFlushing()
      const working = evaluate(evals, known, random).catch((cause: unknown) => cause)
      await letLoadRun(300 + random.below(loadMsMax), working, () => known.predictions.length > 0)
      await server.kill()
      // Only the kill may end the work: the text of an error response begins with its status.
      expect(String(await working)).not.toMatch(/^Error: \d{3}:|expect\(/)
    } finally {
      await server.kill()
    }
  }
  const last = new ServerChild({ kind: 'plain', data, adminKey })
  try {
    const evals = evalsOn(await last.listening())
    await deleteAgain(evals, known)
    await check(evals, known)
    expect(await last.stop()).toBe(0)
  } finally {
    await last.kill()
  }
  expect(known.predictions.length).toBeGreaterThan(0)
  await removeFolder(data)
}, 300_000)
