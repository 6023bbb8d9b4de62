import { allSpellings } from '../../formats/dialect/ref.ts'
import { DomainError } from '../../lib/errors.ts'
import { evaluate, summarize } from '../../lib/evaluation-ops.ts'
import { formatTime } from '../../lib/time.ts'
import { contains } from '../../query/grammar.ts'
import { answeredSummary } from '../../query/sql/call-answer.ts'
import { newId } from '../../runtime/platform/new-id.ts'
import type { ProjectReader, ProjectWriter } from '../access/index.ts'
import { deleteScoresOutsideRuns, idsToDelete, notFound, removeScoreFeedback, scoresOfRuns } from './delete-scores.ts'
import type { EvaluationDependencies } from './dependencies.ts'
import { type EvaluationCall, type EvaluationCalls, markedQuery, ownAttributeIs, textIn } from './evaluation-calls.ts'
import type { EvaluationRunCreate } from './model/evaluation-runs.ts'

export interface EvaluationRunsRequest {
  readonly evaluations?: readonly string[] | undefined
  readonly models?: readonly string[] | undefined
  readonly evaluation_run_ids?: readonly string[] | undefined
  readonly limit?: number | undefined
  readonly offset?: number | undefined
}

/**
 * Evaluation runs, each of one model: roots of their traces. See
 * docs/decisions/042-evaluations-are-calls.md.
 */
export class EvaluationRuns {
  private readonly deps: EvaluationDependencies

  constructor(deps: EvaluationDependencies) {
    this.deps = deps
  }

  /** Starts a run; returns its id, which is also its trace id. Refs are not resolved. */
  async create(writer: ProjectWriter, run: EvaluationRunCreate): Promise<string> {
    const { calls, dialect, clock } = this.deps
    const { evaluation, model, source_evaluation_run_id: source } = run
    const id = newId()
    await calls.writer.start(writer, {
      project_id: writer.projectId,
      id,
      trace_id: id,
      op_name: evaluate,
      started_at: formatTime(clock.nowMs() * 1000),
      attributes: {
        [dialect.namespace]: {
          evaluation_run: 'true',
          evaluation,
          model,
          ...(source != null && { source_evaluation_run_id: source }),
        },
      },
      inputs: { self: evaluation, model },
    })
    return id
  }

  /**
   * The run as JSON text; also for evaluations traced by a client SDK. @throws DomainError NotFound
   */
  async read(reader: ProjectReader, id: string): Promise<string> {
    return this.textOf(await findRun(this.deps.reader, reader, id))
  }

  /** Runs as JSON texts, oldest first. */
  async *jsonLines(reader: ProjectReader, request: EvaluationRunsRequest, signal: AbortSignal) {
    const { evaluations = [], models = [], evaluation_run_ids: ids = [], limit, offset } = request
    const query = markedQuery(
      'evaluation_run',
      ...(evaluations.length === 0 ? [] : [ownAttributeIs('evaluation', evaluations.flatMap(allSpellings))]),
      ...(models.length === 0 ? [] : [ownAttributeIs('model', models.flatMap(allSpellings))]),
    )
    const filter = { op_names: [evaluate], call_ids: [...ids] }
    for await (const calls of this.deps.reader.stream(reader, { filter, query, limit, offset }, signal)) {
      yield calls.map((call) => this.textOf(call))
    }
  }

  /**
   * Ends a run. Its output contains the mean of each number at the same path in the scores and
   * outputs of its trials, with booleans as 1 and 0; a child call contains the same. Repeating this
   * recomputes it.
   *
   * @throws DomainError NotFound; InvalidRequest while the server is executing the run
   */
  async finish(
    writer: ProjectWriter,
    id: string,
    summary: Readonly<Record<string, unknown>> | null | undefined,
  ): Promise<void> {
    const { calls, ops, reader, clock, results, work } = this.deps
    const run = await findRun(reader, writer, id)
    if (work.isUndone(writer.projectId, id) || work.pausedIn(writer.projectId).has(id)) {
      throw new DomainError(
        'InvalidRequest',
        `The evaluation run "${id}" is executed by the server, which finishes it; use /evaluations/cancel to cancel it`,
      )
    }
    const output = await results.means(writer, id)
    const [known] = await reader.all(writer, {
      filter: { parent_ids: [id], trace_ids: [run.traceId] },
      query: summaries,
    })
    const now = formatTime(clock.nowMs() * 1000)
    const base = { project_id: writer.projectId, trace_id: run.traceId }
    const start = {
      ...base,
      id: known?.id ?? newId(),
      parent_id: id,
      op_name: known?.opName ?? (await ops.nameOf(writer, summarize)),
      started_at: known === undefined ? now : formatTime(known.startedAt),
      attributes: {},
      inputs: { self: evaluationOf(run) },
    }
    await calls.writer.upsertBatch(
      () => writer,
      [
        ...(known === undefined ? [{ req: { start } }] : []),
        { req: { end: { ...base, id: start.id, ended_at: now, output, summary: {} } } },
        { req: { end: { ...base, id, ended_at: now, output, summary: summary ?? {} } } },
      ],
    )
    this.deps.runEnded(writer, id)
  }

  /**
   * Deletes runs with everything that belongs to them, including the feedback of their scores;
   * returns how many runs existed.
   */
  async delete(writer: ProjectWriter, ids: readonly string[]): Promise<number> {
    const wanted = idsToDelete('evaluation runs', ids)
    const found = (await this.deps.reader.all(writer, { filter: { call_ids: wanted } })).filter(isRun)
    const scoreIds = await scoresOfRuns(this.deps, writer, found)
    await removeScoreFeedback(this.deps, writer, scoreIds)
    const runIds = found.map(({ id }) => id)
    await deleteScoresOutsideRuns(this.deps, writer, runIds)
    await this.deps.calls.writer.delete(writer, runIds)
    return found.length
  }

  private textOf(call: EvaluationCall): string {
    const run = JSON.stringify({
      evaluation_run_id: call.id,
      evaluation: evaluationOf(call),
      model: textIn(call.mark, 'model') ?? textIn(call.inputs, 'model') ?? '',
      status: statusOf(call),
      started_at: formatTime(call.startedAt),
      finished_at: call.endedAt === null ? null : formatTime(call.endedAt),
    })
    const summary = answeredSummary(call.summarySource, this.deps.dialect)
    const source = JSON.stringify(textIn(call.mark, 'source_evaluation_run_id'))
    return `${run.slice(0, -1)},"summary":${summary},"source_evaluation_run_id":${source}}`
  }
}

/** The call of a run, also if traced by a client SDK. @throws DomainError NotFound */
export async function findRun(calls: EvaluationCalls, reader: ProjectReader, id: string): Promise<EvaluationCall> {
  const call = await calls.find(reader, id)
  if (call === undefined || !isRun(call)) throw notFound('evaluation run', id)
  return call
}

/** Trace id of a run: its own id, unless a client SDK traced it. */
export const traceOfRun = async (calls: EvaluationCalls, reader: ProjectReader, runId: string): Promise<string> =>
  (await calls.find(reader, runId))?.traceId ?? runId

/** Whether a call is an evaluation run. */
export const isRun = ({ mark, shortName }: EvaluationCall): boolean =>
  mark['evaluation_run'] === 'true' || shortName === evaluate

/** Ref of the evaluation; SDKs of different languages use different members for it. */
export const evaluationOf = ({ mark, inputs }: EvaluationCall): string =>
  textIn(mark, 'evaluation') ?? textIn(inputs, 'self') ?? textIn(inputs, 'this') ?? ''

const summaries = { $expr: contains('op_name', summarize) }

const statusOf = ({ exception, endedAt }: EvaluationCall): 'running' | 'completed' | 'failed' => {
  if (exception) return 'failed'
  return endedAt === null ? 'running' : 'completed'
}
