import { SeededRandom } from '../../../src/demo/traces/seeded-random.ts'
import type { BenchRun } from '../bench-run.ts'
import { postRequest, sendAll, type Target } from '../http/requests.ts'
import { callId, startedMs } from '../payload/calls.ts'
import { wordSalad } from '../payload/word-salad.ts'

export const project = 'bench/evaluations'

/** How large the compared evaluations are. */
export interface EvaluationSize {
  readonly evaluations: number
  readonly rows: number
}

const scorers = ['exact_match', 'similarity', 'fluency', 'judge', 'length'] as const

/** Calls of one trial: itself, the prediction, and the scorers. */
const callsPerTrial = 2 + scorers.length

const ref = (tail: string): string => `ext:///${project}/${tail}`
const digestLetters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Digest of a row: 43 letters and digits, the same for the same row in every evaluation. */
function rowDigest(row: number): string {
  const random = new SeededRandom(row + 1)
  return Array.from({ length: 43 }, () => digestLetters[random.integer(0, digestLetters.length - 1)]).join('')
}

/**
 * Id of the root of an evaluation. Roots and trials share one sequence, so that ids follow time, as
 * UUIDv7 do.
 */
export const evaluationId = (evaluation: number, { rows }: EvaluationSize): string =>
  callId(evaluation * (rows * callsPerTrial + 1))

/** Finished calls of one evaluation, as client packages trace it: the root, then trial by trial. */
function* evaluationCalls(evaluation: number, size: EvaluationSize): Generator<object> {
  const first = evaluation * (size.rows * callsPerTrial + 1)
  const root = evaluationId(evaluation, size)
  const model = ref(`object/Model-${evaluation}:m1`)
  const base = { project_id: project, trace_id: root, attributes: {} }
  const times = (index: number, ms: number) => {
    const start = startedMs(first + index)
    return { started_at: new Date(start).toISOString(), ended_at: new Date(start + ms).toISOString() }
  }
  yield {
    ...base,
    id: root,
    op_name: ref('op/Evaluation.evaluate:e1'),
    ...times(0, 3_600_000),
    inputs: { self: ref('object/quiz:q1'), model },
    output: {},
    summary: {},
  }
  for (let row = 0; row < size.rows; row++) {
    const index = 1 + row * callsPerTrial
    const trial = callId(first + index)
    const random = new SeededRandom(first + index)
    const question = ref(`object/questions:d1/attr/rows/id/${rowDigest(row)}`)
    const output = { answer: wordSalad(random, 200), tokens: random.integer(10, 90) }
    const scores = scoresOf(random)
    yield {
      ...base,
      id: trial,
      parent_id: root,
      op_name: ref('op/Evaluation.predict_and_score:p1'),
      ...times(index, 3000),
      inputs: { self: ref('object/quiz:q1'), model, example: question },
      output: { output, scores, model_latency: { mean: 1.5 } },
      summary: {},
    }
    const tokens = random.integer(50, 500)
    yield {
      ...base,
      id: callId(first + index + 1),
      parent_id: trial,
      op_name: ref('op/Model.predict:g1'),
      ...times(index + 1, 1500),
      inputs: { self: model, question: wordSalad(random, 200) },
      output,
      summary: {
        usage: { 'gpt-4o': { prompt_tokens: tokens, completion_tokens: 50, total_tokens: tokens + 50, requests: 1 } },
      },
    }
    for (const [place, scorer] of scorers.entries()) {
      yield {
        ...base,
        id: callId(first + index + 2 + place),
        parent_id: trial,
        op_name: ref(`op/${scorer}:s1`),
        ...times(index + 2 + place, 20),
        inputs: { output, expected: 'something' },
        output: scores[scorer],
        summary: {},
      }
    }
  }
}

function scoresOf(random: SeededRandom): Record<(typeof scorers)[number], unknown> {
  return {
    exact_match: random.integer(0, 1) === 1,
    similarity: random.integer(0, 1000) / 1000,
    fluency: { points: random.integer(1, 5), why: wordSalad(random, 40) },
    judge: { passed: random.integer(0, 1) === 1, confidence: random.integer(0, 100) / 100 },
    length: random.integer(10, 400),
  }
}

const callsPerRequest = 1_000

/**
 * Fills a data folder with evaluations over HTTP and stops the server, so that everything is in
 * Parquet.
 */
export async function buildStoreOfEvaluations(bench: BenchRun, size: EvaluationSize): Promise<string> {
  const data = bench.newFolder('evaluations')
  bench.note(`filling a store with ${size.evaluations * (size.rows * callsPerTrial + 1)} calls over HTTP`)
  await using server = await bench.startServer(data)
  const load = await sendAll(server.url, requests(server, size), 2)
  bench.note(`filled in ${load.seconds.toFixed(0)} s`)
  return data
}

/** Generated while they are sent: more than a million calls need not fit in memory. */
function* requests(target: Target, size: EvaluationSize): Generator<Uint8Array> {
  let batch: object[] = []
  const take = () => {
    const request = postRequest(target, `/v2/${project}/calls/complete`, JSON.stringify({ batch }))
    batch = []
    return request
  }
  for (let evaluation = 0; evaluation < size.evaluations; evaluation++) {
    for (const call of evaluationCalls(evaluation, size)) {
      batch.push(call)
      if (batch.length === callsPerRequest) yield take()
    }
  }
  if (batch.length > 0) yield take()
}
