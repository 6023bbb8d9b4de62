import type { Store } from '../../engine/store.ts'
import { jobsTable } from '../../engine/tables/jobs-table.ts'
import { DomainError, type ErrorType, quoted } from '../../lib/errors.ts'
import { jobLimits } from '../../lib/limits/jobs.ts'
import type { Log } from '../../runtime/log.ts'
import type { Clock } from '../../runtime/platform/clock.ts'
import { delay } from '../../runtime/platform/event-loop.ts'
import { Attempt, type Job, type JobRunner, Stopping } from './job.ts'
import { StoredJobs } from './stored-jobs.ts'

/** Transient errors. */
const passing: ReadonlySet<ErrorType> = new Set([
  'Overloaded',
  'StoreUnavailable',
  'InsufficientStorage',
  'QueryTimeout',
])

interface RunningJob {
  readonly job: Job
  readonly abort: AbortController
  readonly done: Promise<void>
  /** Whether its last state is being stored. */
  isOver: boolean
}

/**
 * Durable job queue: accepted jobs are completed, across restarts. Jobs run in order of arrival, a
 * few at a time.
 */
export class Jobs extends StoredJobs {
  private readonly log: Log
  private readonly runners = new Map<string, JobRunner>()
  private readonly waiting: Job[] = []
  /** Jobs that are made visible and then wait. */
  private readonly announced = new Set<Job>()
  private readonly running = new Map<string, RunningJob>()
  /** Jobs that wait for a request to go on, and those that finish what they have begun. */
  private readonly paused = new Map<string, Job>()
  private readonly retryMs: number
  private stopping = false

  /**
   * @param options.retryMs delay after the first failure of a job; doubles with each further one
   */
  constructor(options: { store: Store; clock: Clock; log: Log; retryMs?: number }) {
    super(options)
    this.retryMs = options.retryMs ?? jobLimits.jobRetryMs
    this.log = options.log
  }

  /** Registers the runner for `kind`. Call before `resume`. */
  register(kind: string, runner: JobRunner): void {
    this.runners.set(kind, runner)
  }

  /** Resumes unfinished jobs. Call once, at startup. */
  async resume(): Promise<void> {
    if (this.store.isEmpty(jobsTable.name)) return
    for (const job of await this.select('state', 'paused')) this.paused.set(job.id, job)
    const undone = await this.select('state', 'waiting')
    if (undone.length > 0) this.log.info({ jobs: undone.length }, 'resuming unfinished jobs')
    this.waiting.push(...undone)
    this.fill()
  }

  /**
   * Accepts a job: durable when this returns; it starts as soon as there is a free slot.
   *
   * @param announce makes the job visible, once it is durable and before it starts
   * @throws DomainError Overloaded
   */
  async enqueue(
    job: Pick<Job, 'id' | 'projectId' | 'kind' | 'request' | 'userId' | 'userName'>,
    announce?: (job: Job) => Promise<void>,
  ): Promise<void> {
    if (!this.runners.has(job.kind)) throw new Error(`No runner for job kind ${job.kind}`)
    if (this.waiting.length >= jobLimits.jobsWaitingMax) {
      throw new DomainError('Overloaded', 'Too many pending jobs; try again in a moment')
    }
    const accepted: Job = {
      ...job,
      state: 'waiting',
      attempts: 0,
      error: null,
      createdAt: this.clock.nowMs() * 1000,
    }
    await this.save(accepted)
    this.paused.delete(job.id)
    this.announced.add(accepted)
    try {
      await announce?.(accepted)
      this.waiting.push(accepted)
    } catch (cause) {
      // The caller will see the error, so the job must not run.
      await this.save({ ...accepted, state: 'cancelled' })
      throw cause
    } finally {
      this.announced.delete(accepted)
    }
    this.fill()
  }

  /**
   * Pauses a waiting or running job, also across restarts: what it has begun is finished, and
   * nothing else is begun until it is accepted again. False if there is none.
   *
   * @throws DomainError Overloaded
   */
  async pause(projectId: string, id: string): Promise<boolean> {
    if (this.paused.get(id)?.projectId === projectId) return true
    const place = this.waiting.findIndex((job) => job.id === id && job.projectId === projectId)
    const run = this.running.get(id)
    const job = this.waiting[place] ?? (run?.job.projectId === projectId && !run.isOver ? run.job : undefined)
    if (job === undefined || this.mustFinish(job)) return false
    if (this.paused.size >= jobLimits.jobsWaitingMax)
      throw new DomainError('Overloaded', 'Too many paused jobs: resume or cancel some')
    // Before anything is awaited, so that it neither starts nor ends meanwhile.
    if (place >= 0) this.waiting.splice(place, 1)
    this.paused.set(id, job)
    try {
      await this.save({ ...job, state: 'paused' })
    } catch (cause) {
      this.paused.delete(id)
      if (place >= 0) this.waiting.unshift(job)
      throw cause
    }
    return true
  }

  /** Cancels a job that is not finished; false if there is none. Results so far are kept. */
  async cancel(projectId: string, id: string): Promise<boolean> {
    const job = await this.find(projectId, id)
    if ((job?.state !== 'waiting' && job?.state !== 'paused') || this.mustFinish(job)) return false
    await this.breakOff(job)
    return true
  }

  /**
   * Cancels an unfinished job of any project, and has its kind record that it ended. Results
   * so far are kept. @throws DomainError NotFound, InvalidRequest
   */
  async cancelAny(id: string): Promise<Job> {
    const job = await this.findById(id)
    if (job === undefined) throw new DomainError('NotFound', `There is no job with id ${quoted(id)}`)
    if (job.state !== 'waiting' && job.state !== 'paused') {
      throw new DomainError('InvalidRequest', `Cancel job ${quoted(id)}: it has already ended (${job.state})`)
    }
    if (this.mustFinish(job)) {
      throw new DomainError('InvalidRequest', `Cancel job ${quoted(id)}: an erasure that has begun must finish`)
    }
    await this.breakOff(job)
    await this.runners.get(job.kind)?.fail?.(job, 'Cancelled')
    return (await this.findById(id)) ?? job
  }

  private mustFinish({ kind }: Job): boolean {
    return this.runners.get(kind)?.mustFinish === true
  }

  /**
   * Cancels jobs whose results are no longer wanted. Unknown ids are ignored without a store
   * lookup.
   */
  async drop(projectId: string, ids: readonly string[]): Promise<void> {
    const wanted = new Set(ids)
    for (const job of new Set([...this.undone(), ...this.paused.values()])) {
      if (wanted.has(job.id) && job.projectId === projectId) await this.breakOff(job)
    }
  }

  /** Whether the job is waiting or running, without a store lookup. */
  isUndone(projectId: string, id: string): boolean {
    return this.undoneIn(projectId).has(id)
  }

  /** Whether the job is running. */
  isRunning(id: string): boolean {
    return this.running.has(id)
  }

  /** Ids of the waiting and running jobs of a project, without a store lookup. */
  undoneIn(projectId: string): ReadonlySet<string> {
    const all = [...this.announced, ...this.undone()]
    return new Set(all.flatMap((job) => (job.projectId === projectId ? [job.id] : [])))
  }

  /** Ids of the paused jobs of a project, of which some may be running still. */
  pausedIn(projectId: string): ReadonlySet<string> {
    const ids = this.paused.values().flatMap((job) => (job.projectId === projectId ? [job.id] : []))
    return new Set(ids)
  }

  /** Waiting jobs first: if a running one is cancelled, the next would start. */
  private undone(): Job[] {
    return [...this.waiting, ...[...this.running.values()].map(({ job }) => job)]
  }

  private async breakOff(job: Job): Promise<void> {
    const place = this.waiting.findIndex(({ id }) => id === job.id)
    if (place >= 0) this.waiting.splice(place, 1)
    const run = this.running.get(job.id)
    this.paused.delete(job.id)
    // First, so that nothing is written that would make it wait again.
    run?.abort.abort(new DomainError('RequestCancelled', 'The job was cancelled'))
    await this.save({ ...job, state: 'cancelled' })
    await run?.done
  }

  /** Stops running jobs; the next start resumes them. */
  async stop(): Promise<void> {
    this.stopping = true
    this.waiting.length = 0
    for (const { abort } of this.running.values()) abort.abort(new Stopping())
    await Promise.all([...this.running.values()].map(({ done }) => done))
  }

  private fill(): void {
    while (!this.stopping && this.running.size < jobLimits.jobsAtOnce) {
      const place = this.waiting.findIndex(({ kind }) => this.hasPlace(kind))
      const [job] = place < 0 ? [] : this.waiting.splice(place, 1)
      if (job === undefined) return
      const abort = new AbortController()
      const done = this.run(job, abort.signal).finally(() => {
        this.running.delete(job.id)
        this.fill()
      })
      this.running.set(job.id, { job, abort, done, isOver: false })
    }
  }

  private hasPlace(kind: string): boolean {
    const most = this.runners.get(kind)?.atOnceMax ?? jobLimits.jobsAtOnce
    return [...this.running.values()].filter(({ job }) => job.kind === kind).length < most
  }

  private async run(job: Job, signal: AbortSignal): Promise<void> {
    try {
      await this.attempt(job, signal)
    } catch (err) {
      this.log.error(
        { err, job: job.id, kind: job.kind },
        'could not save the state of a job; it will run again at the next start',
      )
    }
  }

  private async attempt(job: Job, signal: AbortSignal): Promise<void> {
    const runner = this.runners.get(job.kind)
    const wantsPause = () => this.paused.has(job.id)
    const state = () => (wantsPause() ? 'paused' : 'waiting')
    let { progress } = job
    for (let { attempts } = job; !wantsPause(); ) {
      const save = (change: Partial<Job>) => this.save({ ...job, progress, state: state(), ...change })
      const begin = new Attempt(attempts, (counted) => save({ attempts: counted }), signal)
      const progressed = async (reached?: unknown): Promise<void> => {
        if (reached === undefined) return await begin.takeBack()
        progress = reached
        await begin.saveProgress()
      }
      try {
        if (runner === undefined) throw new DomainError('NotImplemented', `No runner for job kind ${job.kind}`)
        if (attempts >= jobLimits.jobStartsMax) throw diedOf(attempts)
        await begin.count()
        const outcome = await runner.run({ ...job, progress }, signal, progressed, wantsPause)
        signal.throwIfAborted()
        if (outcome === 'paused') return await begin.takeBack()
        this.ends(job)
        return await save({ attempts, state: 'completed' })
      } catch (cause) {
        // Stopped jobs stay waiting; cancelled ones were saved as such by `cancel`.
        if (signal.aborted) return signal.reason instanceof Stopping ? await begin.takeBack() : undefined
        attempts++
        const isRefused = cause instanceof DomainError && !passing.has(cause.type)
        const error = isRefused ? cause.message : 'Internal error; see the server log'
        // A job that is rejected is not a server error.
        this.log[isRefused ? 'info' : 'error']({ err: cause, job: job.id, kind: job.kind, attempts }, 'job failed')
        const isFinal = isRefused || attempts >= jobLimits.jobAttemptsMax
        if (isFinal) this.ends(job)
        if (isFinal) await runner?.fail?.(job, error)
        await save({ attempts, error, state: isFinal ? 'failed' : state() })
        if (isFinal || !(await delay(this.retryMs * 2 ** (attempts - 1), signal))) return
      }
    }
  }

  /** Its state is final, although it was to be paused. */
  private ends({ id }: Job): void {
    const run = this.running.get(id)
    if (run !== undefined) run.isOver = true
    this.paused.delete(id)
  }
}

const diedOf = (attempts: number): DomainError =>
  new DomainError('InvalidRequest', `The server stopped ${attempts} times before the job made progress`)
