import { Type } from '@sinclair/typebox'
import { type Job, type JobOutcome, requestOf } from '../../jobs/index.ts'
import { type EngineDeps, loadScorers, writerOf } from './engine-deps.ts'
import { RunCalls } from './run-calls.ts'
import { runTrials } from './run-trials.ts'
import { findSourceRun, type SourceRun, sourceTrials } from './source-run.ts'

/** An earlier run, and the scorers that should score its predictions. */
export interface RescoreRequest {
  readonly source_evaluation_run_id: string
  readonly scorer_refs: readonly string[]
}

const rescoreRequest = Type.Object({ source_evaluation_run_id: Type.String(), scorer_refs: Type.Array(Type.String()) })

/** The calls of the run that the job executes. */
export const runOfSource = (deps: EngineDeps, job: Job, { id, evaluationRef, modelRef, chosen }: SourceRun): RunCalls =>
  new RunCalls(deps, writerOf(job), { id: job.id, evaluationRef, modelRef, chosen, sourceRunId: id })

/**
 * Scores the predictions of an earlier run with other scorers in a new run. The model is not called
 * again.
 */
export async function rescore(
  deps: EngineDeps,
  job: Job,
  signal: AbortSignal,
  progressed: () => Promise<void>,
): Promise<JobOutcome> {
  const { source_evaluation_run_id: sourceId, scorer_refs } = requestOf(job, rescoreRequest)
  const writer = writerOf(job)
  const source = await findSourceRun(deps.calls, writer, sourceId)
  const { modelRef } = source
  const calls = runOfSource(deps, job, source)
  await calls.startRun()
  return await runTrials({
    calls,
    writer,
    signal,
    progressed,
    scorers: await loadScorers(deps, writer, scorer_refs),
    feedback: deps.feedback,
    trials: sourceTrials(deps, writer, source, signal),
    predict: async ({ trial, row, output, latencySeconds, error }) => {
      const prediction = { ...(error === undefined ? { output } : { error }), latencySeconds }
      await calls.copyPrediction(trial, { ref: modelRef, name: source.modelName }, row, prediction)
      return prediction
    },
  })
}
