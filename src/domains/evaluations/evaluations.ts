import type { Store } from '../../engine/store.ts'
import type { Dialect } from '../../formats/dialect/dialect.ts'
import { findObjectRef, type ObjectRef } from '../../formats/dialect/parsed-ref.ts'
import { DomainError, quoted } from '../../lib/errors.ts'
import { methodName } from '../../lib/evaluation-ops.ts'
import { requireId } from '../../lib/ids.ts'
import { formatTime } from '../../lib/time.ts'
import type { Clock } from '../../runtime/platform/clock.ts'
import { newId } from '../../runtime/platform/new-id.ts'
import type { ProjectReader, ProjectWriter } from '../access/index.ts'
import type { Calls, CallWork } from '../calls/index.ts'
import type { Costs } from '../costs/index.ts'
import type { Feedback } from '../feedback/index.ts'
import type { ObjectBuilder } from '../objects/index.ts'
import { EvaluationComparison } from './comparison/comparison.ts'
import { EvaluationRows } from './comparison/rows.ts'
import { ComparisonViews } from './comparison/views.ts'
import { idsToDelete, notFound, removeScoreFeedback } from './delete-scores.ts'
import { type EvaluationDependencies, SavedOps } from './dependencies.ts'
import {
  type EvaluationCall,
  EvaluationCalls,
  isScore,
  markedQuery,
  ownAttributeIs,
  textIn,
} from './evaluation-calls.ts'
import { EvaluationRuns, findRun, traceOfRun } from './evaluation-runs.ts'
import type { EvaluationRunList } from './list/run-list.ts'
import type { ScoreCreate } from './model/evaluation-runs.ts'
import { Predictions, predictedFrom } from './predictions.ts'
import { EvaluationResults } from './results/results.ts'
import type { RunRowsReader } from './rows/run-rows-reader.ts'

interface ScoresRequest {
  readonly evaluation_run_id?: string | undefined
  readonly limit?: number | undefined
  readonly offset?: number | undefined
}

/** Scores of predictions: calls with a role marker, each with feedback on the prediction. */
class Scores {
  private readonly deps: EvaluationDependencies

  constructor(deps: EvaluationDependencies) {
    this.deps = deps
  }

  /**
   * Stores a score, and then the same as feedback on the prediction. The prediction need not exist.
   *
   * @returns its id
   * @throws DomainError InvalidRequest if `scorer` is not an object or op ref, or `prediction_id`
   *   is malformed; NotFound if the run does not exist
   */
  async create(writer: ProjectWriter, score: ScoreCreate): Promise<string> {
    const { prediction_id: predictionId, scorer, value, evaluation_run_id: runId } = score
    const { calls, feedback, ops, reader, dialect, clock } = this.deps
    const ref = scorerRef(scorer)
    requireId('prediction_id', predictionId)
    const run = runId == null ? undefined : await findRun(reader, writer, runId)
    const prediction = await reader.find(writer, predictionId)
    const id = newId()
    const now = formatTime(clock.nowMs() * 1000)
    const own = { score: 'true', prediction_id: predictionId, scorer, ...(run && { evaluation_run_id: run.id }) }
    const judgement = {
      // The same id, because they belong together and are deleted together.
      id,
      project_id: writer.projectId,
      ext_ref: dialect.refs.call(writer.projectId, predictionId),
      feedback_type: `ext.runnable.${ref.name}`,
      payload: { output: value },
      runnable_ref: scorer,
      call_ref: dialect.refs.call(writer.projectId, id),
    }
    await feedback.writer.check(writer, judgement)
    await calls.writer.complete(writer, [
      {
        project_id: writer.projectId,
        id,
        trace_id: run?.traceId ?? id,
        // If another run than the prediction's re-scores it, the call is below that run.
        parent_id:
          run === undefined ? null : prediction?.traceId === run.traceId ? (prediction.parentId ?? run.id) : run.id,
        op_name: ref.kind === 'op' ? scorer : await ops.nameOf(writer, methodName(ref.name, 'score')),
        started_at: now,
        ended_at: now,
        attributes: { [dialect.namespace]: own },
        inputs: {
          self: scorer,
          inputs: prediction === undefined ? {} : predictedFrom(prediction),
          output: prediction?.output ?? null,
        },
        output: value,
        summary: {},
      },
    ])
    await feedback.writer.create(writer, judgement)
    return id
  }

  /** The score as JSON text. @throws DomainError NotFound */
  async read(reader: ProjectReader, id: string): Promise<string> {
    const call = await this.deps.reader.find(reader, id)
    if (call === undefined || !isScore(call)) throw notFound('score', id)
    return this.textOf(call)
  }

  /** Scores as JSON texts, oldest first. */
  async *jsonLines(reader: ProjectReader, request: ScoresRequest, signal: AbortSignal) {
    const { evaluation_run_id: runId, limit, offset } = request
    const inRun = runId === undefined ? [] : [ownAttributeIs('evaluation_run_id', [runId])]
    const filter = runId === undefined ? {} : { trace_ids: [await traceOfRun(this.deps.reader, reader, runId)] }
    const requested = { filter, query: markedQuery('score', ...inRun), limit, offset }
    for await (const calls of this.deps.reader.stream(reader, requested, signal)) {
      yield calls.map((call) => this.textOf(call))
    }
  }

  /** Deletes scores and the feedback created with them; returns how many existed. */
  async delete(writer: ProjectWriter, ids: readonly string[]): Promise<number> {
    const wanted = idsToDelete('scores', ids)
    const found = await this.deps.reader.all(writer, { filter: { call_ids: wanted } })
    const foundIds = found.filter(isScore).map(({ id }) => id)
    await removeScoreFeedback(this.deps, writer, foundIds)
    await this.deps.calls.writer.delete(writer, foundIds)
    return foundIds.length
  }

  private textOf(call: EvaluationCall): string {
    return JSON.stringify({
      score_id: call.id,
      scorer: textIn(call.mark, 'scorer') ?? textIn(call.inputs, 'self') ?? '',
      value: call.output,
      evaluation_run_id: textIn(call.mark, 'evaluation_run_id'),
      [this.deps.dialect.nameOf('ext_user_id')]: call.userId,
    })
  }
}

function scorerRef(scorer: string): ObjectRef {
  const ref = findObjectRef(scorer)
  if (ref !== undefined) return ref
  throw new DomainError('InvalidRequest', `Invalid scorer ${quoted(scorer)}: use a ref to an object or op`)
}

/** Evaluations as calls: runs, predictions, scores, and their results. */
export class Evaluations {
  readonly runs: EvaluationRuns
  readonly predictions: Predictions
  readonly scores: Scores
  readonly results: EvaluationResults
  readonly comparison: EvaluationComparison
  readonly comparedRows: EvaluationRows

  constructor(options: {
    store: Store
    calls: Calls
    costs: Costs
    feedback: Feedback
    clock: Clock
    dialect: Dialect
    builder: ObjectBuilder
    work: CallWork
    runRows: RunRowsReader
    runList: EvaluationRunList
  }) {
    const { store, costs, clock, builder } = options
    const ops = new SavedOps(builder, clock)
    this.results = new EvaluationResults({ store, costs })
    const views = new ComparisonViews({ runRows: options.runRows, clock })
    this.comparison = new EvaluationComparison({ views, objects: builder.objects })
    this.comparedRows = new EvaluationRows({ store, views })
    const reader = new EvaluationCalls({ store })
    const runEnded = (by: ProjectReader, runId: string) => options.runList.prepare(by, runId)
    const deps: EvaluationDependencies = { ...options, ops, reader, runEnded, results: this.results }
    this.runs = new EvaluationRuns(deps)
    this.predictions = new Predictions(deps)
    this.scores = new Scores(deps)
  }
}
