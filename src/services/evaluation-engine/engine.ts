import { v7 as uuid } from 'uuid'
import { DomainError } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { Caller, ProjectReader, ProjectWriter } from '../../model/caller.ts'
import type { EvaluationStatus } from '../../model/evaluation-status.ts'
import type { Job } from '../jobs/job.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { endOpenCalls } from './end-open-calls.ts'
import { type EngineParties, writerOf } from './engine-parties.ts'
import { type EvaluateModelRequest, evaluateModel } from './evaluate-model.ts'
import { evaluationStatus } from './evaluation-status.ts'
import { type RescoreRequest, rescore } from './rescore.ts'
import { type ScoreCallsRequest, scoreCalls } from './score-calls.ts'
import { findSourceRun } from './source-run.ts'

const kinds = { evaluateModel: 'evaluate_model', rescore: 'rescore', scoreCalls: 'score_calls' } as const

/**
 * Runs evaluations and scorers on the server, as jobs that survive restarts. It runs what needs no code of a user: models of the class
 * `LLMStructuredCompletionModel` and the builtin scorers.
 */
export class EvaluationEngine {
  private readonly jobs: Jobs
  private readonly parties: EngineParties

  constructor(jobs: Jobs, parties: EngineParties) {
    this.jobs = jobs
    this.parties = parties
    // A run that cannot go on says so in its call.
    const fail = (job: Job, reason: string) => endOpenCalls(parties, writerOf(job), job.id, reason)
    jobs.register(kinds.evaluateModel, { run: (job, signal) => evaluateModel(parties, job, signal), fail })
    jobs.register(kinds.rescore, { run: (job, signal) => rescore(parties, job, signal), fail })
    jobs.register(kinds.scoreCalls, { run: (job, signal) => scoreCalls(parties, job, signal) })
  }

  /**
   * Accepts the evaluation of a model; returns the id of the call that it will be. Whether both can run shows in the run's status.
   *
   * @throws DomainError InvalidRequest where a ref names no object; NotFound where there is none; Overloaded
   */
  async evaluateModel(caller: Caller, writer: ProjectWriter, request: EvaluateModelRequest): Promise<string> {
    await this.parties.objects.read(writer, request.evaluation_ref)
    await this.parties.objects.read(writer, request.model_ref)
    return await this.enqueue(caller, writer, kinds.evaluateModel, request)
  }

  /** Accepts the scoring of an earlier run's predictions by other scorers; returns the id of the new run. @throws DomainError as above */
  async rescore(caller: Caller, writer: ProjectWriter, request: RescoreRequest): Promise<string> {
    checkScorers(request.scorer_refs)
    await findSourceRun(this.parties.calls, writer, request.source_evaluation_run_id)
    for (const ref of request.scorer_refs) await this.parties.objects.read(writer, ref)
    return await this.enqueue(caller, writer, kinds.rescore, request)
  }

  /** Accepts the scoring of calls, whether or not they exist (yet). @throws DomainError as above */
  async scoreCalls(caller: Caller, writer: ProjectWriter, request: ScoreCallsRequest): Promise<void> {
    checkScorers(request.scorer_refs)
    if (request.call_ids.length > limits.filterValuesMax) {
      throw new DomainError(
        'InvalidRequest',
        `Score calls: ${request.call_ids.length} calls are more than the ${limits.filterValuesMax} allowed`,
      )
    }
    for (const ref of request.scorer_refs) await this.parties.objects.read(writer, ref)
    if (request.call_ids.length === 0 || request.scorer_refs.length === 0) return
    await this.enqueue(caller, writer, kinds.scoreCalls, request)
  }

  /** How far an evaluation is, whoever runs it. @throws DomainError InvalidRequest where the call is no evaluation */
  status(reader: ProjectReader, callId: string): Promise<EvaluationStatus> {
    return evaluationStatus(this.parties, this.jobs, reader, callId)
  }

  /** Breaks off a run that has not ended. What is done stays; what was going on ends as cancelled. @throws DomainError NotFound */
  async cancel(writer: ProjectWriter, runId: string): Promise<void> {
    if (!(await this.jobs.cancel(writer.projectId, runId))) {
      throw new DomainError('NotFound', `Cancel the evaluation: no run "${runId.slice(0, 80)}" is going on`)
    }
    await endOpenCalls(this.parties, writer, runId, 'Cancelled')
  }

  private async enqueue(caller: Caller, writer: ProjectWriter, kind: string, request: unknown): Promise<string> {
    const id = uuid()
    const { userId, userName } = caller
    await this.jobs.enqueue({ id, projectId: writer.projectId, kind, request, userId, userName })
    return id
  }
}

function checkScorers(refs: readonly string[]): void {
  if (refs.length <= limits.scorersPerRequestMax) return
  throw new DomainError(
    'InvalidRequest',
    `Score: ${refs.length} scorers are more than the ${limits.scorersPerRequestMax} allowed`,
  )
}
