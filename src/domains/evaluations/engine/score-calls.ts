import { Type } from '@sinclair/typebox'
import { forEachConcurrent } from '../../../lib/concurrency.ts'
import { methodName } from '../../../lib/evaluation-ops.ts'
import { derivedId } from '../../../lib/ids.ts'
import { isJsonObject } from '../../../lib/json-value.ts'
import { jobLimits } from '../../../lib/limits/jobs.ts'
import { formatTime } from '../../../lib/time.ts'
import type { ProjectWriter } from '../../access/index.ts'
import type { PriceBook } from '../../costs/index.ts'
import type { Job } from '../../jobs/index.ts'
import { callMembers } from '../evaluation-calls.ts'
import { type EngineDeps, loadScorers, writerOf } from './engine-deps.ts'
import type { RunnableScorer, Score } from './runnable.ts'

export interface ScoreCallsRequest {
  readonly call_ids: readonly string[]
  readonly scorer_refs: readonly string[]
}

/** Describes it as the request of a job. */
export const scoreCallsRequest = Type.Object({
  call_ids: Type.Array(Type.String()),
  scorer_refs: Type.Array(Type.String()),
})

/**
 * A scorer and the calls that it scores. `id` is a UUID from which the ids of the scores are
 * derived.
 */
export interface Scoring extends ScoreCallsRequest, Pick<Job, 'id' | 'projectId' | 'userId' | 'userName'> {}

/** What may be spent on scores, in USD. */
export interface ScoreBudget {
  /** Whether it can be spent at all: it only counts otherwise. */
  readonly isLimited: boolean
  readonly isSpent: () => boolean
  /** Durable when this returns, if it has to be. */
  readonly add: (cost: number) => Promise<void>
}

/** What became of the calls. */
export interface ScoredCalls {
  /** Calls that got a score. */
  readonly scored: number
  /** Scorers that failed. */
  readonly failed: number
  /** Calls that were not scored, or not by all scorers, because nothing was left to spend. */
  readonly passed: number
}

export interface ScoredCall {
  readonly id: string
  readonly inputs: Readonly<Record<string, unknown>>
  readonly output: unknown
  readonly hasEnded: boolean
}

/**
 * Runs scorers on calls: each score gets a call of its own, and feedback on the scored call.
 * Missing calls are skipped.
 *
 * @param budget is asked before each score; calls are then scored one after the other, so that it
 *   is exceeded by one score at most
 */
export async function scoreCalls(
  deps: EngineDeps,
  job: Scoring,
  signal: AbortSignal,
  progressed: () => Promise<void>,
  budget?: ScoreBudget,
): Promise<ScoredCalls> {
  const { call_ids, scorer_refs } = job
  const writer = writerOf(job)
  const scorers = await loadScorers(deps, writer, scorer_refs)
  const done = await finishedScores(deps, writer, job, scorers, signal)
  const costOf = scoreCosts(deps, writer)
  const outcome = { scored: 0, failed: 0, passed: 0 }
  const atOnce = budget?.isLimited ? 1 : jobLimits.trialsAtOnce
  await forEachConcurrent(callsToScore(deps, writer, call_ids, signal), atOnce, async (call) => {
    let isNew = false
    for (const scorer of scorers) {
      signal.throwIfAborted()
      if (done.has(scoreId(job, call.id, scorer))) continue
      if (budget?.isSpent()) {
        outcome.passed++
        break
      }
      const score = await scoreCall(deps, {
        writer,
        job,
        call,
        scorer,
        signal,
        spend: async (said) => await budget?.add(await costOf(said)),
      })
      if ('error' in score) outcome.failed++
      isNew = true
      await progressed()
    }
    if (isNew) outcome.scored++
  })
  return outcome
}

/** What the models of a scorer cost, at the prices of now; nothing for those without a price. */
export function scoreCosts({ prices, clock }: EngineDeps, writer: ProjectWriter): (said: Score) => Promise<number> {
  let book: Promise<PriceBook> | undefined
  return async (said) => {
    // Most scorers use no model, and need no prices.
    if ('error' in said || said.usage === undefined) return 0
    book ??= prices(writer)
    return (await book).totalCost(JSON.stringify(said.usage), clock.nowMs() * 1000) ?? 0
  }
}

const scoreId = (job: Pick<Scoring, 'id'>, callId: string, scorer: RunnableScorer): string =>
  derivedId(job.id, 'score', callId, scorer.ref)

async function finishedScores(
  { calls }: EngineDeps,
  writer: ProjectWriter,
  job: Scoring,
  scorers: readonly RunnableScorer[],
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const { call_ids } = job
  const finished = new Set<string>()
  for (const scorer of scorers) {
    const request = {
      filter: { call_ids: call_ids.map((id) => scoreId(job, id, scorer)) },
      columns: ['id', 'ended_at'],
    }
    for await (const { id, ended_at } of callMembers(calls, writer, request, signal)) {
      if (ended_at !== null) finished.add(id)
    }
  }
  return finished
}

/** Calls with what scorers look at. */
export async function* callsToScore(
  { calls }: EngineDeps,
  writer: ProjectWriter,
  callIds: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<ScoredCall> {
  const request = { filter: { call_ids: [...callIds] }, columns: ['id', 'inputs', 'output', 'ended_at'] }
  for await (const { id, inputs, output, ended_at } of callMembers(calls, writer, request, signal)) {
    yield { id, inputs: argumentsIn(inputs), output: output ?? null, hasEnded: ended_at !== null }
  }
}

/**
 * Arguments of the traced function; in prediction calls they are one level down, beside the model.
 */
function argumentsIn(inputs: unknown): Readonly<Record<string, unknown>> {
  if (!isJsonObject(inputs)) return {}
  const { self, inputs: inner } = inputs
  return self !== undefined && isJsonObject(inner) ? inner : inputs
}

async function scoreCall(
  { calls, clock, feedback, namespace }: EngineDeps,
  {
    writer,
    job,
    call,
    scorer,
    signal,
    spend,
  }: {
    readonly writer: ProjectWriter
    readonly job: Scoring
    readonly call: ScoredCall
    readonly scorer: RunnableScorer
    readonly signal: AbortSignal
    /** Notes what the score cost. */
    readonly spend: (said: Score) => Promise<void>
  },
): Promise<Score> {
  const id = scoreId(job, call.id, scorer)
  const { inputs, output } = call
  const { projectId } = writer
  const startedAt = formatTime(clock.nowMs() * 1000)
  const said = await scoreOf(scorer, call, signal)
  signal.throwIfAborted()
  // First: a score that is lost in a crash is paid for again.
  await spend(said)
  // Before the score counts as done, so that a crash cannot leave one without the other.
  const score = await feedback.record(writer, { scorer, said, scoreCallId: id, callId: call.id })
  await calls.writer.complete(writer, [
    {
      project_id: projectId,
      id,
      trace_id: id,
      op_name: methodName(scorer.name, 'score'),
      started_at: startedAt,
      ended_at: formatTime(clock.nowMs() * 1000),
      attributes: { [namespace]: { score: 'true', prediction_id: call.id, scorer: scorer.ref } },
      inputs: { self: scorer.ref, inputs, output },
      ...('error' in score
        ? { exception: score.error, summary: {} }
        : { output: score.value, summary: score.usage === undefined ? {} : { usage: score.usage } }),
    },
  ])
  return score
}

/** What a scorer says about a call; one without an output cannot be scored. */
export const scoreOf = async (
  scorer: RunnableScorer,
  { id, inputs, output, hasEnded }: ScoredCall,
  signal: AbortSignal,
): Promise<Score> =>
  hasEnded ? await scorer.score({ inputs, output }, signal) : { error: `The call "${id}" has not ended yet` }
