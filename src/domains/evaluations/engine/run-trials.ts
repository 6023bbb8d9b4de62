import { forEachConcurrent } from '../../../lib/concurrency.ts'
import { isJsonObject } from '../../../lib/json-value.ts'
import { jobLimits } from '../../../lib/limits/jobs.ts'
import type { ProjectWriter } from '../../access/index.ts'
import type { JobOutcome } from '../../jobs/index.ts'
import type { RunCalls } from './run-calls.ts'
import type { Prediction, RunnableScorer, Score } from './runnable.ts'
import type { ScoreFeedback } from './score-feedback.ts'
import type { EarlierAttempt, Trial } from './stored-trials.ts'

/**
 * Summarizes JSON values of the same shape leaf by leaf: booleans as `{true_count, true_fraction}`,
 * numbers as `{mean}`, object members separately; strings, arrays and nulls are ignored.
 */
export class Summary {
  private trues = 0
  private falses = 0
  private numbers = 0
  private sum = 0
  private readonly members = new Map<string, Summary>()

  add(value: unknown): void {
    if (typeof value === 'boolean') {
      if (value) this.trues++
      else this.falses++
    } else if (typeof value === 'number') {
      this.numbers++
      this.sum += value
    } else if (isJsonObject(value)) {
      for (const [key, member] of Object.entries(value)) {
        const summary = this.members.get(key) ?? new Summary()
        this.members.set(key, summary)
        summary.add(member)
      }
    }
  }

  /**
   * The summary; null if there was nothing to summarize. Booleans among numbers count as 0 and 1.
   */
  result(): Record<string, unknown> | null {
    if (this.members.size > 0) {
      const entries = [...this.members].map(([key, summary]) => [key, summary.result()] as const)
      const known = entries.filter(([, result]) => result !== null)
      if (known.length > 0) return Object.fromEntries(known)
    }
    const truths = this.trues + this.falses
    if (this.numbers > 0) return { mean: (this.sum + this.trues) / (this.numbers + truths) }
    return truths === 0 ? null : { true_count: this.trues, true_fraction: this.trues / truths }
  }
}

/** A trial with its row. */
export interface TrialOfRow {
  readonly trial: Trial
  readonly row: Readonly<Record<string, unknown>>
  /** Why the row is missing; then it cannot be scored. */
  readonly missing?: string | undefined
}

export interface TrialsOptions<Item extends TrialOfRow = TrialOfRow> {
  readonly calls: RunCalls
  readonly writer: ProjectWriter
  readonly trials: AsyncIterable<Item>
  readonly scorers: readonly RunnableScorer[]
  readonly feedback: ScoreFeedback
  readonly signal: AbortSignal
  /** Called after each trial. */
  readonly progressed: () => Promise<void>
  /** Rows processed concurrently. */
  readonly atOnce?: number | undefined
  /** Ends the run early when it is spent. */
  readonly budget?: Budget | undefined
  /** Whether to begin no further rows. */
  readonly wantsPause?: (() => boolean) | undefined
  /** Makes the call of the model and returns its outcome. */
  readonly predict: (item: Item) => Promise<Prediction & { readonly latencySeconds: number | null }>
}

/** What a run may spend on models, in USD. */
export class Budget {
  readonly limit: number
  private spent: number
  private readonly costOf: (usage: Readonly<Record<string, unknown>>) => number

  /** @param spent before, by earlier attempts */
  constructor(limit: number, spent: number, costOf: (usage: Readonly<Record<string, unknown>>) => number) {
    this.limit = limit
    this.spent = spent
    this.costOf = costOf
  }

  add(usage: Readonly<Record<string, unknown>> | undefined): void {
    if (usage !== undefined) this.spent += this.costOf(usage)
  }

  get isSpent(): boolean {
    return this.spent >= this.limit
  }
}

/**
 * Runs the trials that no earlier attempt finished, several at a time, then ends the run with their
 * summary.
 *
 * @returns `paused` if trials are left, because the run is to pause; then it does not end
 */
export async function runTrials<Item extends TrialOfRow>(options: TrialsOptions<Item>): Promise<JobOutcome> {
  const { calls, writer, signal, wantsPause = () => false } = options
  const earlier = await calls.earlierAttempt(writer, signal)
  let isStopped = false
  let isPaused = false
  async function* untilPaused(): AsyncGenerator<Item> {
    for await (const item of options.trials) {
      if (calls.isFinished(earlier, item.trial)) continue
      isPaused = wantsPause()
      if (isPaused) return
      yield item
    }
  }
  await forEachConcurrent(untilPaused(), options.atOnce ?? jobLimits.trialsAtOnce, async (item) => {
    signal.throwIfAborted()
    if (options.budget?.isSpent) {
      isStopped = true
      return
    }
    await runTrial(options, item, earlier)
    await options.progressed()
  })
  signal.throwIfAborted()
  if (isPaused) return 'paused'
  await summariseRun(options, isStopped)
  return 'done'
}

async function runTrial<Item extends TrialOfRow>(
  options: TrialsOptions<Item>,
  item: Item,
  { failures }: EarlierAttempt,
): Promise<void> {
  const { calls } = options
  const { trial, row } = item
  await calls.startTrial(trial)
  const failure = failures.get(calls.predictionId(trial))
  const { latencySeconds, ...prediction } =
    failure === undefined ? await options.predict(item) : { error: failure, latencySeconds: null }
  // An interrupted model call has not failed: the next attempt repeats it.
  options.signal.throwIfAborted()
  if (!('error' in prediction)) options.budget?.add(prediction.usage)
  const output = 'error' in prediction ? null : prediction.output
  const scores: [string, unknown][] = []
  for (const scorer of 'error' in prediction ? [] : options.scorers) {
    const hasFailed = failures.has(calls.scoreId(trial, scorer))
    const score = hasFailed ? null : await runScorer(options, scorer, item, { inputs: row, output })
    scores.push([scorer.name, score])
  }
  await calls.endTrial(trial, { output, scores: Object.fromEntries(scores), model_latency: latencySeconds })
}

async function runScorer(
  {
    calls,
    writer,
    feedback,
    signal,
    budget,
  }: Pick<TrialsOptions, 'calls' | 'writer' | 'feedback' | 'signal' | 'budget'>,
  scorer: RunnableScorer,
  { trial, missing }: Pick<TrialOfRow, 'trial' | 'missing'>,
  example: { readonly inputs: Readonly<Record<string, unknown>>; readonly output: unknown },
): Promise<unknown> {
  const id = await calls.startScore(trial, scorer, example)
  const said: Score = missing === undefined ? await scorer.score(example, signal) : { error: missing }
  signal.throwIfAborted()
  if (!('error' in said)) budget?.add(said.usage)
  // Before the score counts as done, so that a crash cannot leave one without the other.
  const score = await feedback.record(writer, { scorer, said, scoreCallId: id, callId: calls.predictionId(trial) })
  await calls.endScore(id, score)
  return 'error' in score ? null : score.value
}

async function summariseRun(
  { calls, writer, signal, scorers, budget }: Pick<TrialsOptions, 'calls' | 'writer' | 'signal' | 'scorers' | 'budget'>,
  isStopped: boolean,
): Promise<void> {
  const scores = new Summary()
  const outputs = new Summary()
  const latency = new Summary()
  let failed = 0
  let succeeded = 0
  for await (const trial of calls.trialOutputs(writer, signal)) {
    const { output, scores: given, model_latency } = trial
    if (output === null) failed++
    else succeeded++
    scores.add(given)
    outputs.add(output)
    latency.add(model_latency)
  }
  const byScorer = scores.result() ?? {}
  const outputSummary = outputs.result()
  await calls.endRun(
    {
      ...Object.fromEntries(scorers.map(({ name }) => [name, byScorer[name] ?? null])),
      ...(outputSummary === null ? {} : { output: outputSummary }),
      model_latency: latency.result(),
    },
    {
      status_counts: { success: succeeded, error: failed },
      ...(isStopped && { stopped: 'cost_limit' }),
      ...(budget !== undefined && { cost_limit: budget.limit }),
    },
  )
}
