import type { Job } from '../jobs/job.ts'
import { type EngineParties, loadScorers, writerOf } from './engine-parties.ts'
import { RunCalls } from './run-calls.ts'
import { runTrials } from './run-trials.ts'
import { findSourceRun, sourceTrials } from './source-run.ts'

export interface RescoreRequest {
  readonly source_evaluation_run_id: string
  readonly scorer_refs: readonly string[]
}

/** Scores the predictions of an earlier run with other scorers, as a run of its own. The model is not asked again. */
export async function rescore(parties: EngineParties, job: Job, signal: AbortSignal): Promise<void> {
  const { source_evaluation_run_id: sourceId, scorer_refs } = job.request as RescoreRequest
  const writer = writerOf(job)
  const source = await findSourceRun(parties.calls, writer, sourceId)
  const { evaluationRef, modelRef } = source
  const calls = new RunCalls(parties, writer, { id: job.id, evaluationRef, modelRef })
  await calls.startRun({ source_evaluation_run_id: sourceId })
  await runTrials({
    calls,
    writer,
    signal,
    scorers: await loadScorers(parties, writer, scorer_refs),
    feedback: parties.feedback,
    trials: sourceTrials(parties, writer, source, signal),
    predict: async ({ trial, row, output, latencySeconds, error }) => {
      const prediction = error === undefined ? { output } : { error }
      await calls.startPrediction(trial, { ref: modelRef, name: source.modelName }, row)
      await calls.endPrediction(trial, prediction)
      return { ...prediction, latencySeconds }
    },
  })
}
