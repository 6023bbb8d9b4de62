import { itemAt } from '../../lib/present.ts'
import { seededRandom } from '../../lib/seeded-random.ts'
import { post } from '../api/client.ts'
import { storeHumanLabels, storeLeaderboard } from './demo-boards.ts'
import { type DemoRow, rowsOfDataset } from './demo-dataset.ts'
import { storeObject } from './store-object.ts'

/** A run of the demo: who answers, over what, and how it went. */
interface DemoRun {
  readonly model: string
  /** Numbers of the versions of prompt and dataset; of the judge, if it has one. */
  readonly prompt: number
  readonly dataset: number
  readonly judge?: number
  readonly daysAgo: number
  /** Share of rows that it solves, about. */
  readonly skill: number
  /** Rows whose model call fails, one in so many. */
  readonly failsOneIn?: number
  readonly trials?: number
  /** Ends after so many rows, with this exception; without one it never ended. */
  readonly stopsAfter?: number
  readonly exception?: string
}

/** The oldest first. */
const runs: readonly DemoRun[] = [
  { model: 'gpt-4o', prompt: 0, dataset: 0, daysAgo: 13, skill: 0.36 },
  { model: 'gpt-4o', prompt: 1, dataset: 0, daysAgo: 9.2, skill: 0.44 },
  { model: 'gpt-4o-mini', prompt: 1, dataset: 0, daysAgo: 9.1, skill: 0.3, failsOneIn: 36 },
  { model: 'gpt-4o', prompt: 1, dataset: 1, judge: 0, daysAgo: 5, skill: 0.45 },
  { model: 'gpt-4o', prompt: 2, dataset: 1, judge: 0, daysAgo: 3, skill: 0.55, trials: 3 },
  {
    model: 'claude-sonnet-4-5',
    prompt: 2,
    dataset: 1,
    judge: 0,
    daysAgo: 2.9,
    skill: 0.5,
    stopsAfter: 11,
    exception: 'Cancelled',
  },
  {
    model: 'claude-haiku-4-5',
    prompt: 2,
    dataset: 1,
    judge: 0,
    daysAgo: 2.8,
    skill: 0,
    stopsAfter: 0,
    exception: 'No secret for provider anthropic. Nothing was sent.',
  },
  { model: 'gpt-4o', prompt: 3, dataset: 1, judge: 0, daysAgo: 1.6, skill: 0.8, stopsAfter: 17 },
  { model: 'gpt-4o', prompt: 3, dataset: 1, judge: 0, daysAgo: 0.22, skill: 0.84, failsOneIn: 40 },
  { model: 'gpt-4o-mini', prompt: 3, dataset: 1, judge: 0, daysAgo: 0.2, skill: 0.42, failsOneIn: 7 },
  { model: 'claude-sonnet-4-5', prompt: 3, dataset: 1, judge: 1, daysAgo: 0.18, skill: 0.72 },
  { model: 'gpt-4o-mini', prompt: 2, dataset: 1, judge: 0, daysAgo: 0.1, skill: 0.4 },
]

const evaluationName = 'airline-solve'
/** Which of the runs people have labelled. */
const labelledRun = 8
const dayMs = 86_400_000
const limitReached = '429 Rate limit reached for the model in organization org-demo: limit 800,000 tokens per min'

/** How models differ: tokens that they read and write, and seconds they take. */
const habits: Readonly<Record<string, { readonly read: number; readonly wrote: number; readonly seconds: number }>> = {
  'gpt-4o': { read: 2_900, wrote: 210, seconds: 7.4 },
  'gpt-4o-mini': { read: 2_900, wrote: 180, seconds: 3.9 },
  'claude-sonnet-4-5': { read: 3_300, wrote: 260, seconds: 6.1 },
}

const stored = (className: string, base: string, members: object) => ({
  ...members,
  _type: className,
  _class_name: className,
  _bases: base === '' ? ['Object', 'BaseModel'] : [base, 'Object', 'BaseModel'],
})

/** Refs of what the runs are made of. */
interface DemoParts {
  readonly scorers: readonly string[]
  readonly judges: readonly string[]
  readonly datasets: readonly { readonly ref: string; readonly rows: readonly DemoRow[] }[]
}

async function storeParts(projectId: string, datasets: readonly string[]): Promise<DemoParts> {
  const named = { pattern: '\\$\\d', ignore_case: false }
  const scorers = [
    await storeObject(projectId, 'solved', { expected_column: 'expected' }, 'ContainsScorer'),
    await storeObject(projectId, 'names_amount', named, 'RegexScorer'),
  ]
  const judges: string[] = []
  for (const ask of ['Does the answer follow the policy?', 'Does the answer follow the policy, and ask first?']) {
    const scoring_prompt = `${ask} Task: {task}. Answer: {output}. Reply as JSON: {"grade": 1 to 5, "reason": text}.`
    const model = { llm_model_id: 'gpt-4o', default_params: { response_format: 'json_object' } }
    judges.push(await storeObject(projectId, 'policy_judge', { scoring_prompt, model }, 'LLMAsAJudgeScorer'))
  }
  const rows = await Promise.all(datasets.map((ref) => rowsOfDataset(projectId, ref)))
  return { scorers, judges, datasets: datasets.map((ref, index) => ({ ref, rows: itemAt(rows, index) })) }
}

interface Ready extends DemoRun {
  readonly index: number
  readonly evaluationRef: string
  readonly modelRef: string
  readonly scorerRefs: readonly string[]
  readonly rows: readonly DemoRow[]
}

async function prepare(projectId: string, run: DemoRun, index: number, parts: DemoParts, prompts: readonly string[]) {
  const { ref: dataset, rows } = itemAt(parts.datasets, run.dataset)
  const scorerRefs = [...parts.scorers, ...(run.judge === undefined ? [] : [itemAt(parts.judges, run.judge)])]
  const evaluation = { name: evaluationName, dataset, scorers: scorerRefs, trials: run.trials ?? 1 }
  const prompt = itemAt(prompts, run.prompt)
  const model = { llm_model_id: run.model, default_params: { prompt, temperature: 0 } }
  const name = `airline_policy-${run.model}`
  const ready: Ready = {
    ...run,
    index,
    rows,
    scorerRefs,
    evaluationRef: await storeObject(projectId, evaluationName, stored('Evaluation', '', evaluation)),
    modelRef: await storeObject(projectId, name, model, 'LLMStructuredCompletionModel'),
  }
  return ready
}

/** Name of the object that a ref names. */
const nameIn = (ref: string): string => ref.split('/').at(-1)?.split(':')[0] ?? ''

/** Results of the scorers, by their names. */
interface Scores {
  readonly solved: { readonly contains: boolean }
  readonly [scorer: string]: unknown
}

/** The scores of a row: rows that are hard for one run are hard for all. */
function scoresOf({ skill, judge }: Ready, ease: number, random: () => number): Scores {
  const isSolved = random() < Math.min(0.97, Math.max(0.03, skill + (ease - 0.5) * 0.7))
  const grade = Math.min(5, Math.max(1, Math.round((isSolved ? 4.3 : 2.7) + (random() - 0.5) * 2)))
  const reason = isSolved ? 'Asked before the change, and named the amount.' : 'Changed the booking without a yes.'
  return {
    solved: { contains: isSolved },
    names_amount: { match: random() < (isSolved ? 0.96 : 0.8) },
    // A judge does not always answer with a grade.
    ...(judge !== undefined && { policy_judge: random() < 0.02 ? null : { grade, reason } }),
  }
}

/** A call as the server takes it, unless it is still running. */
interface RunCall {
  readonly running?: true
  readonly [member: string]: unknown
}

/** The calls of a run, as the server writes them. */
function callsOfRun(projectId: string, run: Ready, nowMs: number): RunCall[] {
  const { index, evaluationRef, modelRef, scorerRefs, rows, trials = 1, failsOneIn = 0, stopsAfter = rows.length } = run
  const random = seededRandom(index * 977 + 5)
  const { read, wrote, seconds } = habits[run.model] ?? { read: 0, wrote: 0, seconds: 0 }
  const runId = crypto.randomUUID()
  const startedMs = nowMs - run.daysAgo * dayMs
  const base = { project_id: projectId, trace_id: runId, summary: {} }
  const at = (ms: number) => new Date(startedMs + ms).toISOString()
  const calls: RunCall[] = []
  let passed = 0
  for (const [place, { ref: example, val }] of rows.slice(0, stopsAfter).entries()) {
    const ease = seededRandom(place * 31 + 3)()
    for (let trial = 0; trial < trials; trial++) {
      const [id, predictId] = [crypto.randomUUID(), crypto.randomUUID()]
      const isFailed = failsOneIn > 0 && place % failsOneIn === Math.min(5, failsOneIn - 1)
      const ms = Math.round(seconds * 1_000 * (0.5 + random()))
      const started_at = at(passed)
      const latency = ms / 1_000
      const scores = scoresOf(run, ease, random)
      const isSolved = scores.solved.contains
      const output = isSolved ? `Done. ${val['expected']}` : 'I have changed the booking as you asked.'
      passed += ms + 240
      calls.push({
        ...base,
        id,
        parent_id: runId,
        op_name: 'Evaluation.predict_and_score',
        started_at,
        ended_at: at(passed),
        attributes: { ext: { predict_call_id: predictId } },
        inputs: { self: evaluationRef, model: modelRef, example },
        output: isFailed
          ? { output: null, scores: {}, model_latency: latency }
          : { output, scores, model_latency: latency },
      })
      const usage = {
        requests: 1,
        prompt_tokens: read + Math.floor(random() * 900),
        completion_tokens: wrote + Math.floor(random() * 80),
      }
      calls.push({
        ...base,
        id: predictId,
        parent_id: id,
        op_name: `${nameIn(modelRef)}.predict`,
        started_at,
        ended_at: at(passed - 240),
        attributes: { ext: { prediction: 'true', model: modelRef, evaluation_run_id: runId } },
        inputs: { self: modelRef, inputs: val },
        output: isFailed ? null : output,
        ...(isFailed && { exception: limitReached }),
        summary: isFailed
          ? {}
          : { usage: { [run.model]: { ...usage, total_tokens: usage.prompt_tokens + usage.completion_tokens } } },
      })
      if (isFailed) continue
      for (const scorer of scorerRefs) {
        const name = nameIn(scorer)
        const judged = { requests: 1, prompt_tokens: 620, completion_tokens: 45, total_tokens: 665 }
        calls.push({
          ...base,
          id: crypto.randomUUID(),
          parent_id: id,
          op_name: `${name}.score`,
          started_at: at(passed - 200),
          ended_at: at(passed - 40),
          attributes: { ext: { score: 'true', prediction_id: predictId, scorer, evaluation_run_id: runId } },
          inputs: { self: scorer, output },
          output: scores[name],
          summary: name === 'policy_judge' ? { usage: { 'gpt-4o': judged } } : {},
        })
      }
    }
  }
  const root = {
    ...base,
    id: runId,
    op_name: 'Evaluation.evaluate',
    display_name: evaluationName,
    started_at: at(-200),
    attributes: { ext: { evaluation_run: 'true', evaluation: evaluationRef, model: modelRef } },
    inputs: { self: evaluationRef, model: modelRef },
  }
  // Without an end it is a run that was left behind.
  if (stopsAfter < rows.length && run.exception === undefined) return [...calls, { ...root, running: true }]
  const ended_at = at(passed + 300)
  if (run.exception !== undefined) return [...calls, { ...root, ended_at, output: null, exception: run.exception }]
  const end = { started_at: at(passed), ended_at, inputs: { self: evaluationRef }, output: {} }
  const last = {
    ...base,
    ...end,
    id: crypto.randomUUID(),
    parent_id: runId,
    op_name: 'Evaluation.summarize',
    attributes: {},
  }
  return [...calls, last, { ...root, ended_at, output: {} }]
}

const callsPerRequest = 1_000

/**
 * Stores twelve runs of one evaluation, labels of people and a leaderboard. The runs have failed
 * rows, three trials, another version of the dataset and of a scorer; one was left behind, one was
 * cancelled, and one failed.
 *
 * @param prompts refs of the versions of the agent's prompt
 * @param datasets refs of the versions of its dataset
 * @throws {Problem}
 */
export async function storeDemoEvaluations(
  projectId: string,
  prompts: readonly string[],
  datasets: readonly string[],
  nowMs: number,
): Promise<void> {
  const parts = await storeParts(projectId, datasets)
  const ready: Ready[] = []
  // One after the other: their versions are numbered in this order.
  for (const [index, run] of runs.entries()) ready.push(await prepare(projectId, run, index, parts, prompts))
  const ofRuns = ready.map((run) => callsOfRun(projectId, run, nowMs))
  const calls = ofRuns.flat()
  const ended = calls.filter(({ running }) => !running)
  const path = `/v2/${projectId.split('/').map(encodeURIComponent).join('/')}/calls/complete`
  for (let at = 0; at < ended.length; at += callsPerRequest)
    await post(path, { batch: ended.slice(at, at + callsPerRequest) })
  const started = calls.flatMap(({ running, ...start }) => (running ? [{ mode: 'start', req: { start } }] : []))
  await post('/call/upsert_batch', { batch: started })
  await storeHumanLabels(projectId, itemAt(ofRuns, labelledRun))
  await storeLeaderboard(projectId, evaluationName)
}
