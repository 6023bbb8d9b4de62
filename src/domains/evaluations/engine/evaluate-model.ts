import { Type } from '@sinclair/typebox'
import { DomainError } from '../../../lib/errors.ts'
import { isJsonObject, plainNumbers } from '../../../lib/json-value.ts'
import { jobLimits } from '../../../lib/limits/jobs.ts'
import type { ProjectReader, ProjectWriter } from '../../access/index.ts'
import { type Job, type JobOutcome, requestOf } from '../../jobs/index.ts'
import { callMembers } from '../evaluation-calls.ts'
import { RowChoice } from '../model/row-choice.ts'
import { type DatasetRow, type EngineDeps, loadScorers, writerOf } from './engine-deps.ts'
import type { ObjectSource } from './object-source.ts'
import { prepareModel } from './prepare-model.ts'
import { markOfChoice } from './row-selection.ts'
import { RunCalls } from './run-calls.ts'
import { Budget, runTrials, type TrialOfRow } from './run-trials.ts'
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

/** Reads an evaluation. @throws DomainError InvalidRequest if the object is not one; NotFound */
export async function loadEvaluation(
  objects: ObjectSource,
  reader: ProjectReader,
  ref: string,
): Promise<LoadedEvaluation> {
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
  /** Rows processed concurrently. */
  readonly parallel?: number | null | undefined
  /** What it may spend on models, in USD. */
  readonly cost_limit?: number | null | undefined
  /** Rows of the dataset; all without, and how many they are. */
  readonly rows?: RowChoice | null | undefined
  readonly row_count?: number
  /** How often it was continued, and whether it then retries failed rows. */
  readonly attempt?: number
  readonly retry_failed?: boolean
}

/** Describes it as the request of a job. */
export const evaluateModelRequest = Type.Object({
  evaluation_ref: Type.String(),
  model_ref: Type.String(),
  display_name: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  parallel: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
  cost_limit: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
  rows: Type.Optional(Type.Union([RowChoice, Type.Null()])),
  row_count: Type.Optional(Type.Integer()),
  attempt: Type.Optional(Type.Integer()),
  retry_failed: Type.Optional(Type.Boolean()),
})

/** The calls of the run that the job executes. */
export function runOfModel(deps: EngineDeps, job: Job): RunCalls {
  const { evaluation_ref, model_ref, display_name, cost_limit, rows, row_count } = requestOf(job, evaluateModelRequest)
  const named = { evaluationRef: evaluation_ref, modelRef: model_ref, displayName: display_name }
  const chosen = rows == null || row_count === undefined ? undefined : { ...markOfChoice(rows), row_count }
  const run = { ...named, id: job.id, costLimit: cost_limit, chosen }
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
  wantsPause: () => boolean,
): Promise<JobOutcome> {
  const request = requestOf(job, evaluateModelRequest)
  const { evaluation_ref, model_ref, attempt = 0, retry_failed: retriesFailed = false } = request
  const writer = writerOf(job)
  const { objects, datasets, clock } = deps
  const calls = runOfModel(deps, job)
  await calls.startRun()
  const evaluation = await loadEvaluation(objects, writer, evaluation_ref)
  checkRunnable(evaluation)
  const model = await prepareModel(await objects.read(writer, model_ref), deps.models, writer)
  const scorers = await loadScorers(deps, writer, evaluation.scorerRefs)
  const kept = attempt === 0 ? undefined : await calls.clearEarlier(writer, { attempt, retriesFailed }, signal)
  const rows = datasets.rows(writer, evaluation.datasetRef, request.rows ?? {}, signal)
  const trials = trialsOf(rows, evaluation.trials)
  return await runTrials({
    calls,
    writer,
    scorers,
    signal,
    atOnce: request.parallel ?? undefined,
    budget: request.cost_limit == null ? undefined : await budgetOf(deps, writer, job.id, request.cost_limit, signal),
    progressed,
    wantsPause,
    feedback: deps.feedback,
    trials: kept === undefined ? trials : remaining(trials, new Map(kept), attempt),
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

/** The trials that earlier attempts did not finish. @param kept how many did, by row */
async function* remaining(
  trials: AsyncIterable<TrialOfRow>,
  kept: Map<unknown, number>,
  attempt: number,
): AsyncGenerator<TrialOfRow> {
  for await (const { trial, ...rest } of trials) {
    const count = kept.get(trial.example) ?? 0
    if (count > 0) kept.set(trial.example, count - 1)
    else yield { trial: { ...trial, attempt }, ...rest }
  }
}

/** What a run may still spend. Calls of models without a price count as free. */
async function budgetOf(
  { calls, prices, clock }: EngineDeps,
  writer: ProjectWriter,
  runId: string,
  limit: number,
  signal: AbortSignal,
): Promise<Budget> {
  const book = await prices(writer)
  const costOf = (usage: unknown, startedAt: number): number => book.totalCost(JSON.stringify(usage), startedAt) ?? 0
  let spent = 0
  const request = { filter: { trace_ids: [runId] }, columns: ['id', 'started_at', 'summary'], sort_by: [] }
  for await (const { id, started_at, summary } of callMembers(calls, writer, request, signal)) {
    const usage = isJsonObject(summary) ? plainNumbers(summary['usage']) : undefined
    if (id !== runId && isJsonObject(usage)) spent += costOf(usage, Date.parse(String(started_at)) * 1000)
  }
  return new Budget(limit, spent, (usage) => costOf(usage, clock.nowMs() * 1000))
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
