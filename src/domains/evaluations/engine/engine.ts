import { findObjectRef } from '../../../formats/dialect/parsed-ref.ts'
import { DomainError, quoted, tooMany } from '../../../lib/errors.ts'
import { isJsonObject } from '../../../lib/json-value.ts'
import { jobLimits } from '../../../lib/limits/jobs.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'
import { newId } from '../../../runtime/platform/new-id.ts'
import type { Caller, ProjectReader, ProjectWriter } from '../../access/index.ts'
import { type Job, type JobRunner, type Jobs, requestOf } from '../../jobs/index.ts'
import { membersOfCall } from '../evaluation-calls.ts'
import type { EvaluationStatus } from '../model/evaluation-runs.ts'
import type { RowChoice } from '../model/row-choice.ts'
import { endOpenCalls } from './end-open-calls.ts'
import { type EngineDeps, loadScorers, writerOf } from './engine-deps.ts'
import { type EvaluateModelRequest, evaluateModel, loadEvaluation, runOfModel } from './evaluate-model.ts'
import { evaluationStatus } from './evaluation-status.ts'
import { jobKinds } from './job-kinds.ts'
import type { SourceObject } from './object-source.ts'
import { type RescoreRequest, rescore, runOfSource } from './rescore.ts'
import { countChosen, markOfChoice } from './row-selection.ts'
import { RunContinuation } from './run-continuation.ts'
import {
  type ScoreBudget,
  type ScoreCallsRequest,
  type ScoredCalls,
  scoreCalls,
  scoreCallsRequest,
} from './score-calls.ts'
import { findSourceRun } from './source-run.ts'
import { type TriedCall, tryScorers } from './try-scorers.ts'

/**
 * Runs evaluations and scorers on the server, as jobs that survive restarts. Supports what needs no
 * user code: models of class `LLMStructuredCompletionModel` and the built-in scorers. See
 * docs/decisions/056-server-side-evaluations.md.
 */
export class EvaluationEngine {
  private readonly jobs: Jobs
  private readonly deps: EngineDeps
  /** Pauses runs and lets them go on. */
  readonly continuation: RunContinuation

  constructor(jobs: Jobs, deps: EngineDeps) {
    this.jobs = jobs
    this.deps = deps
    this.continuation = new RunContinuation(jobs, deps)
    // A run that fails for good reports it in its call.
    const fail = (job: Job, reason: string) => endOpenCalls(deps, writerOf(job), job.id, reason)
    const thenKept =
      (run: JobRunner['run']): JobRunner['run'] =>
      async (job, ...of) => {
        const end = await run(job, ...of)
        if (end === 'done') deps.runEnded(writerOf(job), job.id)
        return end
      }
    jobs.register(jobKinds.evaluateModel, { run: thenKept((...of) => evaluateModel(deps, ...of)), fail })
    jobs.register(jobKinds.rescore, {
      run: thenKept((job, signal, progressed) => rescore(deps, job, signal, progressed)),
      fail,
    })
    jobs.register(jobKinds.scoreCalls, {
      run: async (job, signal, progressed) => {
        await scoreCalls(deps, { ...job, ...requestOf(job, scoreCallsRequest) }, signal, progressed)
        return 'done'
      },
    })
  }

  /**
   * Accepts an evaluation of a model; returns the id of its call, which exists from then on.
   * Whether both can run on the server shows in the status of the run.
   *
   * @throws DomainError InvalidRequest if a ref is not an object ref; NotFound if an object does
   *   not exist; Overloaded
   */
  async evaluateModel(caller: Caller, writer: ProjectWriter, request: EvaluateModelRequest): Promise<string> {
    const { objects } = this.deps
    const evaluation = await objects.read(writer, request.evaluation_ref)
    const model = await objects.read(writer, request.model_ref)
    const rows = await this.chosenRows(writer, request.evaluation_ref, request.rows ?? {})
    const pinned: EvaluateModelRequest = {
      ...rows,
      evaluation_ref: pinnedRef(request.evaluation_ref, evaluation),
      model_ref: pinnedRef(request.model_ref, model),
      display_name: runNameIn(evaluation),
      parallel: request.parallel,
      cost_limit: request.cost_limit,
    }
    return await this.enqueue(caller, writer, jobKinds.evaluateModel, pinned, (job) =>
      runOfModel(this.deps, job).startRun(),
    )
  }

  /** @throws DomainError InvalidRequest if the evaluation has no such row, or its dataset none */
  private async chosenRows(reader: ProjectReader, evaluation: string, rows: RowChoice) {
    if (Object.values(markOfChoice(rows)).every((each) => each === null)) return {}
    const { objects, datasets } = this.deps
    const { datasetRef } = await loadEvaluation(objects, reader, evaluation)
    const [row_count = 0] = (await countChosen(datasets, reader, datasetRef, [rows])).counts
    if (row_count > 0) return { rows, row_count }
    throw new DomainError('InvalidRequest', 'The dataset has no row in this choice: choose others in `rows`')
  }

  /** How many rows of a dataset choices take. @throws DomainError InvalidRequest, NotFound */
  countRows(reader: ProjectReader, dataset: string, choices: readonly RowChoice[]) {
    return countChosen(this.deps.datasets, reader, dataset, choices)
  }

  /**
   * Accepts re-scoring an earlier run with other scorers; returns the id of the new run. @throws
   * DomainError as above
   */
  async rescore(caller: Caller, writer: ProjectWriter, request: RescoreRequest): Promise<string> {
    checkScorers(request.scorer_refs)
    const source = await findSourceRun(this.deps.calls, writer, request.source_evaluation_run_id)
    const pinned = { ...request, scorer_refs: await this.pinnedScorers(writer, request.scorer_refs) }
    return await this.enqueue(caller, writer, jobKinds.rescore, pinned, (job) =>
      runOfSource(this.deps, job, source).startRun(),
    )
  }

  /**
   * Accepts scoring calls, whether or not they exist. Scorers are validated here, because there is
   * no run whose status would report a problem.
   *
   * @throws DomainError as above, and InvalidRequest if a scorer cannot run on the server
   */
  async scoreCalls(caller: Caller, writer: ProjectWriter, request: ScoreCallsRequest): Promise<void> {
    checkScorers(request.scorer_refs)
    if (request.call_ids.length > operationLimits.filterValuesMax) {
      throw new DomainError(
        'InvalidRequest',
        tooMany('`call_ids`', request.call_ids.length, operationLimits.filterValuesMax),
      )
    }
    const scorer_refs = await this.pinnedScorers(writer, request.scorer_refs)
    await loadScorers(this.deps, writer, scorer_refs)
    if (request.call_ids.length === 0 || scorer_refs.length === 0) return
    await this.enqueue(caller, writer, jobKinds.scoreCalls, { ...request, scorer_refs })
  }

  /**
   * Checks that scorers can run on the server; returns refs that do not move. @throws DomainError
   * as above
   */
  async checkScorers(writer: ProjectWriter, refs: readonly string[]): Promise<string[]> {
    checkScorers(refs)
    const pinned = await this.pinnedScorers(writer, refs)
    await loadScorers(this.deps, writer, pinned)
    return pinned
  }

  /**
   * Scores calls now. The scores have ids derived from `id`, so calls that already have them are
   * skipped.
   *
   * @param work.id a UUID
   * @throws DomainError as above
   */
  async scoreOnArrival(
    work: Pick<Job, 'id' | 'projectId' | 'userId' | 'userName'> & ScoreCallsRequest,
    signal: AbortSignal,
    budget: ScoreBudget,
  ): Promise<ScoredCalls> {
    return await scoreCalls(this.deps, work, signal, async () => {}, budget)
  }

  /**
   * Runs scorers on calls and stores nothing, in the order in which they are done.
   *
   * @throws DomainError as above
   */
  tryScorers(
    work: Pick<Job, 'projectId' | 'userId' | 'userName'> & ScoreCallsRequest,
    signal: AbortSignal,
    budget: ScoreBudget,
  ): AsyncGenerator<TriedCall> {
    return tryScorers(this.deps, work, signal, budget)
  }

  /**
   * Status of an evaluation, no matter who runs it. @throws DomainError InvalidRequest if the call
   * is not an evaluation run
   */
  status(reader: ProjectReader, callId: string): Promise<EvaluationStatus> {
    const isPaused = this.jobs.pausedIn(reader.projectId).has(callId)
    const work = this.jobs.isUndone(reader.projectId, callId) ? 'running' : isPaused ? 'paused' : undefined
    return evaluationStatus(this.deps, reader, callId, work)
  }

  /**
   * Cancels a run in progress or paused. Completed trials are kept; open calls end as cancelled. If
   * a crash interrupts this, calling it again completes it.
   *
   * @throws DomainError NotFound
   */
  async cancel(writer: ProjectWriter, runId: string): Promise<void> {
    if (!(await this.jobs.cancel(writer.projectId, runId)) && !(await this.isHalfCancelled(writer, runId))) {
      throw new DomainError('NotFound', `No evaluation run ${quoted(runId)} is in progress`)
    }
    await endOpenCalls(this.deps, writer, runId, 'Cancelled')
  }

  private async isHalfCancelled(reader: ProjectReader, runId: string): Promise<boolean> {
    const job = await this.jobs.find(reader.projectId, runId)
    if (job?.state !== 'cancelled') return false
    const text = await this.deps.calls.reader.read(reader, runId, {})
    return text !== null && membersOfCall(text)['ended_at'] === null
  }

  /** Each scorer once. */
  private async pinnedScorers(reader: ProjectReader, refs: readonly string[]): Promise<string[]> {
    const pinned = new Map<string, string>()
    for (const ref of refs) {
      const scorer = await this.deps.objects.read(reader, ref)
      pinned.set(scorer.ref, pinnedRef(ref, scorer))
    }
    return [...pinned.values()]
  }

  private async enqueue(
    caller: Caller,
    writer: ProjectWriter,
    kind: string,
    request: unknown,
    announce?: (job: Job) => Promise<void>,
  ): Promise<string> {
    const id = newId()
    const { userId, userName } = caller
    await this.jobs.enqueue({ id, projectId: writer.projectId, kind, request, userId, userName }, announce)
    return id
  }
}

/**
 * The requested ref if it contains a digest, otherwise one that does: `latest` may move while the
 * job waits.
 */
const pinnedRef = (requested: string, { ref }: SourceObject): string =>
  findObjectRef(requested)?.version === findObjectRef(ref)?.version ? requested : ref

/** The name that an evaluation gives to its runs. */
function runNameIn({ val }: SourceObject): string | null {
  const name = isJsonObject(val) ? val['evaluation_name'] : undefined
  return typeof name === 'string' && name !== ''
    ? name.slice(0, operationLimits.displayNameCharsMax).toWellFormed()
    : null
}

function checkScorers(refs: readonly string[]): void {
  if (refs.length <= jobLimits.scorersPerRequestMax) return
  throw new DomainError('InvalidRequest', tooMany('scorers', refs.length, jobLimits.scorersPerRequestMax))
}
