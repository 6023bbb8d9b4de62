import { DomainError, quoted } from '../../../lib/errors.ts'
import type { Caller, ProjectReader, ProjectWriter } from '../../access/index.ts'
import { type Job, type Jobs, requestOf } from '../../jobs/index.ts'
import { membersOfCall } from '../evaluation-calls.ts'
import type { EngineDeps } from './engine-deps.ts'
import { type EvaluateModelRequest, evaluateModelRequest } from './evaluate-model.ts'
import { jobKinds } from './job-kinds.ts'

interface ResumeRequest {
  readonly retry_failed?: boolean | null | undefined
  readonly parallel?: number | null | undefined
  readonly cost_limit?: number | null | undefined
}

/** Pauses runs of models, and lets them go on. See docs/decisions/251-runs-that-go-on.md. */
export class RunContinuation {
  private readonly jobs: Jobs
  private readonly deps: Pick<EngineDeps, 'calls'>
  /** Runs that are about to be continued. */
  private readonly resuming = new Set<string>()

  constructor(jobs: Jobs, deps: Pick<EngineDeps, 'calls'>) {
    this.jobs = jobs
    this.deps = deps
  }

  /**
   * Accepts continuing a run that was paused or stopped before all rows were scored, or running its
   * failed rows again. Rows that are scored stay as they are.
   *
   * @throws DomainError NotFound; InvalidRequest if the run is in progress, was cancelled, failed
   *   as a whole, or was not started on the server; Overloaded
   */
  async resume(caller: Caller, writer: ProjectWriter, runId: string, change: ResumeRequest): Promise<void> {
    const { projectId } = writer
    const job = await this.jobOfRun(writer, runId)
    if (this.jobs.isUndone(projectId, runId) || this.resuming.has(runId)) {
      const isPausing = this.jobs.pausedIn(projectId).has(runId)
      const why = isPausing ? 'is pausing: wait until its rows in progress have ended' : 'is in progress'
      throw new DomainError('InvalidRequest', `The evaluation run ${quoted(runId)} ${why}`)
    }
    this.resuming.add(runId)
    try {
      const before = requestOf(job, evaluateModelRequest)
      // A paused attempt goes on; one that ended is followed by another.
      const isSame = this.jobs.pausedIn(projectId).has(runId) && change.retry_failed !== true
      const request: EvaluateModelRequest = {
        ...before,
        ...(!isSame && { attempt: (before.attempt ?? 0) + 1, retry_failed: change.retry_failed ?? false }),
        ...(change.parallel != null && { parallel: change.parallel }),
        ...(change.cost_limit !== undefined && { cost_limit: change.cost_limit }),
      }
      const { userId, userName } = caller
      await this.jobs.enqueue({ id: runId, projectId, kind: jobKinds.evaluateModel, request, userId, userName })
    } finally {
      this.resuming.delete(runId)
    }
  }

  /**
   * Pauses a run in progress: its rows in progress end, and the others wait until it is resumed,
   * also across restarts. See docs/decisions/255-paused-runs.md.
   *
   * @throws DomainError NotFound; InvalidRequest if the run is not in progress; Overloaded
   */
  async pause(writer: ProjectWriter, runId: string): Promise<void> {
    await this.jobOfRun(writer, runId)
    if (await this.jobs.pause(writer.projectId, runId)) return
    throw new DomainError('InvalidRequest', `The evaluation run ${quoted(runId)} is not in progress`)
  }

  /** The job of a run that may go on. @throws DomainError NotFound, InvalidRequest */
  private async jobOfRun(reader: ProjectReader, runId: string): Promise<Job> {
    const text = await this.deps.calls.reader.read(reader, runId, {})
    const job = await this.jobs.find(reader.projectId, runId)
    if (text === null || job === undefined || job.kind !== jobKinds.evaluateModel) {
      throw new DomainError('NotFound', `No evaluation run ${quoted(runId)} that was started on the server`)
    }
    const exception = membersOfCall(text)['exception']
    if (typeof exception !== 'string') return job
    const why = exception === 'Cancelled' ? 'was cancelled' : 'failed as a whole'
    throw new DomainError('InvalidRequest', `The evaluation run ${quoted(runId)} ${why}: start another one`)
  }
}
