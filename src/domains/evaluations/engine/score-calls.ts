import { Type } from '@sinclair/typebox'
import { forEachConcurrent } from '../../../lib/concurrency.ts'
import { methodName } from '../../../lib/evaluation-ops.ts'
import { derivedId } from '../../../lib/ids.ts'
import { isJsonObject } from '../../../lib/json-value.ts'
import { jobLimits } from '../../../lib/limits/jobs.ts'
import { formatTime } from '../../../lib/time.ts'
import type { ProjectWriter } from '../../access/index.ts'
import type { Job } from '../../jobs/index.ts'
import { callMembers } from '../evaluation-calls.ts'
import { type EngineDeps, loadScorers, writerOf } from './engine-deps.ts'
import type { RunnableScorer } from './runnable.ts'

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

interface ScoredCall {
  readonly id: string
  readonly inputs: Readonly<Record<string, unknown>>
  readonly output: unknown
  readonly hasEnded: boolean
}

/**
 * Runs scorers on calls: each score gets a call of its own, and feedback on the scored call.
 * Missing calls are skipped.
 */
export async function scoreCalls(
  deps: EngineDeps,
  job: Scoring,
  signal: AbortSignal,
  progressed: () => Promise<void>,
): Promise<void> {
  const { call_ids, scorer_refs } = job
  const writer = writerOf(job)
  const scorers = await loadScorers(deps, writer, scorer_refs)
  const done = await finishedScores(deps, writer, job, scorers, signal)
  await forEachConcurrent(callsToScore(deps, writer, call_ids, signal), jobLimits.trialsAtOnce, async (call) => {
    for (const scorer of scorers) {
      signal.throwIfAborted()
      if (done.has(scoreId(job, call.id, scorer))) continue
      await scoreCall(deps, { writer, job, call, scorer, signal })
      await progressed()
    }
  })
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

async function* callsToScore(
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
  }: {
    readonly writer: ProjectWriter
    readonly job: Scoring
    readonly call: ScoredCall
    readonly scorer: RunnableScorer
    readonly signal: AbortSignal
  },
): Promise<void> {
  const id = scoreId(job, call.id, scorer)
  const { inputs, output } = call
  const { projectId } = writer
  const startedAt = formatTime(clock.nowMs() * 1000)
  // A call without an output cannot be scored.
  const said = call.hasEnded
    ? await scorer.score({ inputs, output }, signal)
    : { error: `The call "${call.id}" has not ended yet` }
  signal.throwIfAborted()
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
}
