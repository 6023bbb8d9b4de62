import { findObjectRef } from '../../formats/dialect/parsed-ref.ts'
import { methodName, predictAndScore } from '../../lib/evaluation-ops.ts'
import { isJsonObject, withoutMembers } from '../../lib/json-value.ts'
import { formatTime } from '../../lib/time.ts'
import { newId } from '../../runtime/platform/new-id.ts'
import type { ProjectReader, ProjectWriter } from '../access/index.ts'
import { deleteScoresOutsideRuns, idsToDelete, notFound, removeScoreFeedback, scoresBelow } from './delete-scores.ts'
import type { EvaluationDependencies } from './dependencies.ts'
import {
  type EvaluationCall,
  isPrediction,
  isScore,
  isTrial,
  markedQuery,
  ownAttributeIs,
  scoreName,
  textIn,
} from './evaluation-calls.ts'
import { evaluationOf, findRun, traceOfRun } from './evaluation-runs.ts'
import type { PredictionCreate } from './model/evaluation-runs.ts'

export interface PredictionsRequest {
  readonly evaluation_run_id?: string | undefined
  readonly limit?: number | undefined
  readonly offset?: number | undefined
}

/** Predictions: calls with a role marker, inside a run or standalone. */
export class Predictions {
  private readonly deps: EvaluationDependencies

  constructor(deps: EvaluationDependencies) {
    this.deps = deps
  }

  /**
   * Stores a prediction. In a run it is below a predict-and-score call that stays open until the
   * prediction is finished; either both are stored or none.
   *
   * @returns its id
   * @throws DomainError NotFound if the run does not exist
   */
  async create(writer: ProjectWriter, prediction: PredictionCreate): Promise<string> {
    const { model, inputs, output, evaluation_run_id: runId } = prediction
    const { calls, ops, dialect, clock } = this.deps
    const run = runId == null ? undefined : await findRun(this.deps.reader, writer, runId)
    const now = formatTime(clock.nowMs() * 1000)
    const id = newId()
    const spans = prediction.genai_span_ref == null ? {} : { genai_span_ref: prediction.genai_span_ref }
    const start = { project_id: writer.projectId, started_at: now, trace_id: run?.traceId ?? id }
    const parent = run && {
      ...start,
      id: newId(),
      parent_id: run.id,
      op_name: await ops.nameOf(writer, predictAndScore),
      attributes: { [dialect.namespace]: { predict_call_id: id, ...spans } },
      inputs: { self: evaluationOf(run), model, example: inputs },
    }
    const call = {
      ...start,
      id,
      parent_id: parent?.id ?? null,
      op_name: await ops.nameOf(writer, predictOp(model)),
      attributes: {
        [dialect.namespace]: {
          prediction: 'true',
          model,
          ...(run && { evaluation_run_id: run.id }),
          ...(run ? {} : spans),
        },
      },
      inputs: { self: model, inputs },
    }
    await calls.writer.upsertBatch(
      () => writer,
      [
        ...(parent ? [{ req: { start: parent } }] : []),
        { req: { start: call } },
        { req: { end: { project_id: writer.projectId, id, ended_at: now, output, summary: {} } } },
      ],
    )
    return id
  }

  /** The prediction as JSON text. @throws DomainError NotFound */
  async read(reader: ProjectReader, id: string): Promise<string> {
    const call = await this.find(reader, id)
    return this.textOf(call, await this.runIdOf(reader, call))
  }

  /** Predictions as JSON texts, oldest first. */
  async *jsonLines(reader: ProjectReader, request: PredictionsRequest, signal: AbortSignal) {
    const { evaluation_run_id: runId, limit, offset } = request
    const inRun = runId === undefined ? [] : [ownAttributeIs('evaluation_run_id', [runId])]
    const query = markedQuery('prediction', ...inRun)
    const filter = runId === undefined ? {} : { trace_ids: [await traceOfRun(this.deps.reader, reader, runId)] }
    for await (const calls of this.deps.reader.stream(reader, { filter, query, limit, offset }, signal)) {
      yield calls.map((call) => this.textOf(call, textIn(call.mark, 'evaluation_run_id')))
    }
  }

  /**
   * Ends the prediction if it is still running, and the trial around it, whose output becomes the
   * prediction and its scores so far. Repeating this includes scores added later.
   *
   * @throws DomainError NotFound
   */
  async finish(writer: ProjectWriter, id: string): Promise<void> {
    const { calls, clock, reader } = this.deps
    const call = await this.find(writer, id)
    const now = clock.nowMs() * 1000
    const ends: EndOf[] = []
    if (call.endedAt === null) ends.push({ id, summary: {} })
    const parent = call.parentId === null ? undefined : await reader.find(writer, call.parentId)
    if (parent !== undefined && isTrial(parent)) {
      const children = await reader.all(writer, { filter: { parent_ids: [parent.id] } })
      // In trials traced by an SDK, score calls have no role marker.
      const isTraced = textIn(parent.mark, 'predict_call_id') === null
      const said = isTraced && isJsonObject(parent.output) ? parent.output : {}
      const plain = children.filter((child) => child.id !== id && isPlainScore(child, isTraced))
      // A score that names no prediction belongs to the only one in its trial.
      const isOf = ({ mark }: EvaluationCall) => (mark['prediction_id'] ?? (isTraced ? null : id)) === id
      const marked = children.filter((child) => child.mark['score'] === 'true' && isOf(child))
      const named = (child: EvaluationCall): [string, unknown] => [scoreName(child), child.output]
      const scores = plain.map(named)
      scores.push(...Object.entries(isJsonObject(said['scores']) ? said['scores'] : {}), ...marked.map(named))
      const seconds = Math.max(0, ((call.endedAt ?? now) - call.startedAt) / 1e6)
      const output = {
        ...said,
        output: call.output,
        scores: Object.fromEntries(scores),
        model_latency: said['model_latency'] ?? { mean: seconds },
      }
      ends.push({ id: parent.id, summary: parent.summary ?? {}, output })
    }
    const items = ends.map((end) => ({
      req: { end: { project_id: writer.projectId, ended_at: formatTime(now), ...end } },
    }))
    await calls.writer.upsertBatch(() => writer, items)
  }

  /**
   * Deletes predictions, each with its trial and its scores with their feedback; returns how many
   * existed.
   */
  async delete(writer: ProjectWriter, ids: readonly string[]): Promise<number> {
    const { calls, reader } = this.deps
    const wanted = idsToDelete('predictions', ids)
    const named = await reader.all(writer, { filter: { call_ids: wanted } })
    const parentIds = named.flatMap(({ parentId }) => (parentId === null ? [] : [parentId]))
    const around = parentIds.length === 0 ? [] : await reader.all(writer, { filter: { call_ids: parentIds } })
    const parents = new Map(around.map((parent) => [parent.id, parent]))
    const parentOf = ({ parentId }: EvaluationCall) => (parentId === null ? undefined : parents.get(parentId))
    const found = named.filter((call) => isPrediction(call, parentOf(call)))
    const deleted = found.map((call) => trialOf(call, parentOf(call))?.id ?? call.id)
    const scoreIds = await scoresBelow(this.deps, writer, deleted)
    await removeScoreFeedback(this.deps, writer, scoreIds)
    await deleteScoresOutsideRuns(this.deps, writer, deleted)
    await calls.writer.delete(writer, deleted)
    return found.length
  }

  private async find(reader: ProjectReader, id: string): Promise<EvaluationCall> {
    const call = await this.deps.reader.find(reader, id)
    if (call === undefined) throw notFound('prediction', id)
    const parentId = call.mark['prediction'] === 'true' ? null : call.parentId
    const parent = parentId === null ? undefined : await this.deps.reader.find(reader, parentId)
    if (!isPrediction(call, parent)) throw notFound('prediction', id)
    return call
  }

  /** From the prediction itself, else from the trial around it. */
  private async runIdOf(reader: ProjectReader, call: EvaluationCall): Promise<string | null> {
    const known = textIn(call.mark, 'evaluation_run_id')
    if (known !== null || call.parentId === null) return known
    const parent = await this.deps.reader.find(reader, call.parentId)
    return parent !== undefined && isTrial(parent) ? parent.parentId : null
  }

  private textOf(call: EvaluationCall, runId: string | null): string {
    const { inputs, output, userId } = call
    return JSON.stringify({
      prediction_id: call.id,
      model: textIn(call.mark, 'model') ?? textIn(inputs, 'self') ?? textIn(inputs, 'this') ?? '',
      inputs: predictedFrom(call),
      output,
      evaluation_run_id: runId,
      [this.deps.dialect.nameOf('ext_user_id')]: userId,
    })
  }
}

/**
 * An unmarked scorer call beside a prediction. In a trial created for the prediction, that is any
 * other call; in a trial traced by an SDK, only what it calls a score, because there may be several
 * predictions.
 */
const isPlainScore = (child: EvaluationCall, isTraced: boolean): boolean =>
  child.mark['score'] !== 'true' &&
  child.mark['prediction'] !== 'true' &&
  child.endedAt !== null &&
  (!isTraced || isScore(child))

/** The trial that exists for this prediction alone. */
function trialOf({ id }: EvaluationCall, parent: EvaluationCall | undefined): EvaluationCall | undefined {
  if (parent === undefined || !isTrial(parent)) return undefined
  return [null, id].includes(textIn(parent.mark, 'predict_call_id')) ? parent : undefined
}

interface EndOf {
  readonly id: string
  readonly summary: Record<string, unknown>
  readonly output?: unknown
}

/** Inputs of the model: SDKs pass the members of the row beside the model itself. */
export function predictedFrom({ mark, inputs }: EvaluationCall): Readonly<Record<string, unknown>> {
  if (mark['prediction'] === 'true' && isJsonObject(inputs['inputs'])) return inputs['inputs']
  return withoutMembers(inputs, 'self', 'this')
}

function predictOp(model: string): string {
  return methodName(findObjectRef(model)?.name ?? 'Model', 'predict')
}
