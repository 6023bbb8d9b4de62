import type { Job } from '../../jobs/job.ts'
import type { DatasetRow } from './dataset-source.ts'
import { type EngineDeps, loadScorers, writerOf } from './engine-deps.ts'
import { checkRunnable, loadEvaluation } from './load-evaluation.ts'
import { prepareModel } from './prepare-model.ts'
import { RunCalls } from './run-calls.ts'
import { runTrials, type TrialOfRow } from './run-trials.ts'
import type { Prediction, RunnableModel } from './runnable.ts'

export interface EvaluateModelRequest {
  readonly evaluation_ref: string
  readonly model_ref: string
  /** Display name of the run. */
  readonly display_name?: string | null
}

/** The calls of the run that the job executes. */
export function runOfModel(deps: EngineDeps, job: Job): RunCalls {
  const { evaluation_ref, model_ref, display_name } = job.request as EvaluateModelRequest
  const run = { id: job.id, evaluationRef: evaluation_ref, modelRef: model_ref, displayName: display_name }
  return new RunCalls(deps, writerOf(job), run)
}

/**
 * Runs all rows of an evaluation's dataset through a model and the scorers. The job id is the id of
 * the run.
 */
export async function evaluateModel(
  deps: EngineDeps,
  job: Job,
  signal: AbortSignal,
  progressed: () => Promise<void>,
): Promise<void> {
  const { evaluation_ref, model_ref } = job.request as EvaluateModelRequest
  const writer = writerOf(job)
  const { objects, datasets, clock } = deps
  const calls = runOfModel(deps, job)
  await calls.startRun()
  const evaluation = await loadEvaluation(objects, writer, evaluation_ref)
  checkRunnable(evaluation)
  const model = await prepareModel(await objects.read(writer, model_ref), deps.models, writer)
  const scorers = await loadScorers(deps, writer, evaluation.scorerRefs)
  await runTrials({
    calls,
    writer,
    scorers,
    signal,
    progressed,
    feedback: deps.feedback,
    trials: trialsOf(datasets.rows(writer, evaluation.datasetRef, signal), evaluation.trials),
    predict: (trial) => predict({ calls, model, trial, signal, nowMs: () => clock.nowMs() }),
  })
}

async function* trialsOf(rows: AsyncIterable<DatasetRow>, repetitions: number): AsyncGenerator<TrialOfRow> {
  let at = 0
  for await (const { example, row } of rows) {
    for (let repetition = 0; repetition < repetitions; repetition++)
      yield { trial: { row: at, repetition, example }, row }
    at++
  }
}

async function predict(options: {
  readonly calls: RunCalls
  readonly model: RunnableModel
  readonly trial: TrialOfRow
  readonly signal: AbortSignal
  readonly nowMs: () => number
}): Promise<Prediction & { readonly latencySeconds: number }> {
  const { calls, model, signal, nowMs } = options
  const { trial, row } = options.trial
  await calls.startPrediction(trial, model, row)
  const startedMs = nowMs()
  const prediction = await model.predict(row, signal)
  signal.throwIfAborted()
  const latencySeconds = (nowMs() - startedMs) / 1000
  await calls.endPrediction(trial, prediction)
  return { ...prediction, latencySeconds }
}
