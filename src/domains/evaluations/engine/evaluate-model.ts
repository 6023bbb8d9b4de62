import { Type } from '@sinclair/typebox'
import { DomainError } from '../../../lib/errors.ts'
import { isJsonObject } from '../../../lib/json-value.ts'
import { jobLimits } from '../../../lib/limits/jobs.ts'
import type { ProjectReader } from '../../access/index.ts'
import { type Job, requestOf } from '../../jobs/index.ts'
import { type DatasetRow, type EngineDeps, loadScorers, writerOf } from './engine-deps.ts'
import type { ObjectSource } from './object-source.ts'
import { prepareModel } from './prepare-model.ts'
import { RunCalls } from './run-calls.ts'
import { runTrials, type TrialOfRow } from './run-trials.ts'
import type { Prediction, RunnableModel } from './runnable.ts'

/** A parsed evaluation object. */
interface LoadedEvaluation {
  readonly ref: string
  readonly name: string
  readonly datasetRef: string
  readonly scorerRefs: readonly string[]
  /** Number of trials per row. */
  readonly trials: number
  /** Whether an op transforms rows before they reach the model. */
  readonly preprocesses: boolean
}

/** @throws DomainError InvalidRequest if the object is not an evaluation; NotFound */
async function loadEvaluation(objects: ObjectSource, reader: ProjectReader, ref: string): Promise<LoadedEvaluation> {
  const { val, name, ref: resolved, baseClassName, className } = await objects.read(reader, ref)
  if (!isJsonObject(val) || (baseClassName !== 'Evaluation' && className !== 'Evaluation')) {
    throw new DomainError('InvalidRequest', `The object "${name}" is not an Evaluation`)
  }
  const { dataset, scorers, trials, preprocess_model_input: preprocess } = val
  if (typeof dataset !== 'string') {
    throw new DomainError('InvalidRequest', `Invalid evaluation "${name}": \`dataset\` must be a dataset ref`)
  }
  const scorerRefs = Array.isArray(scorers) ? scorers : []
  if (!scorerRefs.every((scorer) => typeof scorer === 'string')) {
    throw new DomainError('InvalidRequest', `Invalid evaluation "${name}": \`scorers\` must be scorer refs`)
  }
  const repetitions = typeof trials === 'number' ? trials : 1
  if (!Number.isInteger(repetitions) || repetitions < 1) {
    throw new DomainError('InvalidRequest', `Invalid evaluation "${name}": \`trials\` must be an integer of at least 1`)
  }
  return { ref: resolved, name, datasetRef: dataset, scorerRefs, trials: repetitions, preprocesses: preprocess != null }
}

/** @throws DomainError InvalidRequest if the evaluation needs a client to run */
function checkRunnable({ name, trials, preprocesses }: LoadedEvaluation): void {
  if (preprocesses) {
    throw new DomainError(
      'InvalidRequest',
      `The evaluation "${name}" is not runnable on the server: \`preprocess_model_input\` is user code; ` +
        'run the evaluation with a client SDK instead',
    )
  }
  if (trials > jobLimits.evaluationTrialsMax) {
    throw new DomainError(
      'InvalidRequest',
      `Invalid evaluation "${name}": \`trials\` must be from 1 to ${jobLimits.evaluationTrialsMax}`,
    )
  }
}

export interface EvaluateModelRequest {
  readonly evaluation_ref: string
  readonly model_ref: string
  /** Display name of the run. */
  readonly display_name?: string | null
}

const evaluateModelRequest = Type.Object({
  evaluation_ref: Type.String(),
  model_ref: Type.String(),
  display_name: Type.Optional(Type.Union([Type.String(), Type.Null()])),
})

/** The calls of the run that the job executes. */
export function runOfModel(deps: EngineDeps, job: Job): RunCalls {
  const { evaluation_ref, model_ref, display_name } = requestOf(job, evaluateModelRequest)
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
  const { evaluation_ref, model_ref } = requestOf(job, evaluateModelRequest)
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
