import { evaluate, methodName, predictAndScore, summarize } from '../../../lib/evaluation-ops.ts'
import { derivedId } from '../../../lib/ids.ts'
import { copyJson, mapMembers } from '../../../lib/json-value.ts'
import { formatTime } from '../../../lib/time.ts'
import type { Clock } from '../../../runtime/platform/clock.ts'
import type { ProjectReader, ProjectWriter } from '../../access/index.ts'
import type { Calls } from '../../calls/index.ts'
import type { ChosenRows } from '../model/row-choice.ts'
import type { EngineDeps } from './engine-deps.ts'
import type { Prediction, RunnableModel, RunnableScorer, Score } from './runnable.ts'
import {
  type Continuation,
  clearEarlier,
  type EarlierAttempt,
  earlierAttempt,
  predictId,
  type Trial,
  trialId,
  trialOutputs,
} from './stored-trials.ts'

/** Subject of a run. */
export interface EvaluatedRun {
  readonly id: string
  readonly evaluationRef: string
  readonly modelRef: string
  readonly displayName?: string | null | undefined
  /** What it may spend, in USD. */
  readonly costLimit?: number | null | undefined
  /** Which rows it was started with, if not all. */
  readonly chosen?: (ChosenRows & { readonly row_count: number }) | undefined
  /** The run whose predictions are scored again. */
  readonly sourceRunId?: string | undefined
}

const statedRows = ({ row_count, ...rows }: NonNullable<EvaluatedRun['chosen']>) => ({ rows, row_count })

type PredictingModel = Pick<RunnableModel, 'ref' | 'name'>

const resultOf = (result: Prediction) =>
  'error' in result
    ? { exception: result.error, summary: {} }
    : { output: copyJson(result.output), summary: result.usage === undefined ? {} : { usage: result.usage } }

/**
 * Writes the calls of an evaluation. Stored calls have credentials and long content replaced, so
 * copies are stored; models and scorers continue with the originals. The calls have the same shape
 * as those of client SDKs: `Evaluation.evaluate`, below it one `Evaluation.predict_and_score` per
 * trial, and below that the calls of the model and the scorers.
 */
export class RunCalls {
  private readonly calls: Calls
  private readonly clock: Clock
  private readonly namespace: string
  private readonly writer: ProjectWriter
  private readonly run: EvaluatedRun

  constructor({ calls, clock, namespace }: EngineDeps, writer: ProjectWriter, run: EvaluatedRun) {
    this.calls = calls
    this.clock = clock
    this.namespace = namespace
    this.writer = writer
    this.run = run
  }

  /** Starts the run if it has not started yet; a resumed job keeps its start time. */
  async startRun(): Promise<void> {
    const { writer, run } = this
    const { evaluationRef: evaluation, modelRef: model, sourceRunId, costLimit, chosen } = run
    if ((await this.calls.reader.read(writer, run.id, {})) !== null) return
    await this.calls.writer.start(writer, {
      project_id: writer.projectId,
      id: run.id,
      trace_id: run.id,
      op_name: evaluate,
      display_name: run.displayName ?? null,
      started_at: this.now(),
      attributes: {
        [this.namespace]: {
          evaluation_run: 'true',
          server_run: 'true',
          evaluation,
          model,
          ...(costLimit != null && { cost_limit: costLimit }),
          ...(chosen !== undefined && statedRows(chosen)),
          ...(sourceRunId !== undefined && { source_evaluation_run_id: sourceRunId }),
        },
      },
      inputs: { self: evaluation, model },
    })
  }

  /** See `clearEarlier` and docs/decisions/251-runs-that-go-on.md. */
  clearEarlier(writer: ProjectWriter, which: Continuation, signal: AbortSignal): Promise<ReadonlyMap<unknown, number>> {
    return clearEarlier(this.calls, writer, { ...which, runId: this.run.id, namespace: this.namespace }, signal)
  }

  earlierAttempt(reader: ProjectReader, signal: AbortSignal): Promise<EarlierAttempt> {
    return earlierAttempt(this.calls, reader, this.run.id, signal)
  }

  /** Outputs of finished trials, unordered. */
  trialOutputs(reader: ProjectReader, signal: AbortSignal): AsyncGenerator<Record<string, unknown>> {
    return trialOutputs(this.calls, reader, this.run.id, signal)
  }

  isFinished({ finished }: EarlierAttempt, trial: Trial): boolean {
    return finished.has(trialId(this.run.id, trial))
  }

  async startTrial(trial: Trial): Promise<void> {
    const id = trialId(this.run.id, trial)
    const start = this.startOf(id, this.run.id, predictAndScore, {
      inputs: { self: this.run.evaluationRef, model: this.run.modelRef, example: trial.example },
      attributes: {
        [this.namespace]: {
          predict_call_id: predictId(this.run.id, trial),
          ...(trial.attempt !== undefined && { attempt: trial.attempt }),
        },
      },
    })
    await this.calls.writer.start(this.writer, start)
  }

  async startPrediction(trial: Trial, model: PredictingModel, row: Readonly<Record<string, unknown>>): Promise<void> {
    await this.calls.writer.start(this.writer, this.startOfPrediction(trial, model, row))
  }

  async endPrediction(trial: Trial, prediction: Prediction): Promise<void> {
    await this.end(predictId(this.run.id, trial), prediction)
  }

  /** Copies the prediction of an earlier run, with its duration then and ending now. */
  async copyPrediction(
    trial: Trial,
    model: PredictingModel,
    row: Readonly<Record<string, unknown>>,
    { latencySeconds, ...prediction }: Prediction & { readonly latencySeconds: number | null },
  ): Promise<void> {
    const start = this.startOfPrediction(trial, model, row)
    const endedMicros = this.clock.nowMs() * 1000
    await this.calls.writer.complete(this.writer, [
      {
        ...start,
        started_at: formatTime(endedMicros - Math.round((latencySeconds ?? 0) * 1e6)),
        ended_at: formatTime(endedMicros),
        ...resultOf(prediction),
      },
    ])
  }

  scoreId(trial: Trial, scorer: RunnableScorer): string {
    const again = trial.attempt === undefined ? [] : [trial.attempt]
    return derivedId(this.run.id, 'score', trial.row, trial.repetition, scorer.ref, ...again)
  }

  /** Id of the call that the scores of a trial refer to. */
  predictionId(trial: Trial): string {
    return predictId(this.run.id, trial)
  }

  async startScore(
    trial: Trial,
    scorer: RunnableScorer,
    example: { readonly inputs: unknown; readonly output: unknown },
  ): Promise<string> {
    const id = this.scoreId(trial, scorer)
    const start = this.startOf(id, trialId(this.run.id, trial), methodName(scorer.name, 'score'), {
      inputs: { self: scorer.ref, ...example },
      attributes: {
        [this.namespace]: {
          score: 'true',
          prediction_id: predictId(this.run.id, trial),
          scorer: scorer.ref,
          evaluation_run_id: this.run.id,
        },
      },
    })
    await this.calls.writer.start(this.writer, start)
    return id
  }

  async endScore(id: string, score: Score): Promise<void> {
    await this.end(id, 'error' in score ? score : { output: score.value, usage: score.usage })
  }

  async endTrial(trial: Trial, output: Readonly<Record<string, unknown>>): Promise<void> {
    await this.end(trialId(this.run.id, trial), { output })
  }

  /** Ends the run with the summary of its trials, which also gets a call of its own. */
  async endRun(output: Readonly<Record<string, unknown>>, summary: Readonly<Record<string, unknown>>): Promise<void> {
    const { writer, run } = this
    const now = this.now()
    const id = derivedId(run.id, 'summarize')
    await this.calls.writer.complete(writer, [
      {
        project_id: writer.projectId,
        id,
        trace_id: run.id,
        parent_id: run.id,
        op_name: summarize,
        started_at: now,
        ended_at: now,
        attributes: {},
        inputs: { self: this.run.evaluationRef },
        output,
        summary: {},
      },
    ])
    await this.calls.writer.end(writer, { project_id: writer.projectId, id: run.id, ended_at: now, output, summary })
  }

  private now(): string {
    return formatTime(this.clock.nowMs() * 1000)
  }

  private startOfPrediction(trial: Trial, { ref, name }: PredictingModel, row: Readonly<Record<string, unknown>>) {
    const id = predictId(this.run.id, trial)
    return this.startOf(id, trialId(this.run.id, trial), methodName(name, 'predict'), {
      inputs: { self: ref, inputs: row },
      attributes: { [this.namespace]: { prediction: 'true', model: ref, evaluation_run_id: this.run.id } },
    })
  }

  private startOf(
    id: string,
    parentId: string,
    opName: string,
    content: { inputs: Record<string, unknown>; attributes: Record<string, unknown> },
  ) {
    return {
      project_id: this.writer.projectId,
      id,
      trace_id: this.run.id,
      parent_id: parentId,
      op_name: opName,
      started_at: this.now(),
      attributes: content.attributes,
      inputs: mapMembers(content.inputs, copyJson),
    }
  }

  private async end(id: string, result: Prediction): Promise<void> {
    await this.calls.writer.end(this.writer, {
      project_id: this.writer.projectId,
      id,
      ended_at: this.now(),
      ...resultOf(result),
    })
  }
}
