import type { Store } from '../../engine/store.ts'
import { jobsPartition, jobsTable } from '../../engine/tables/jobs-table.ts'
import { DomainError, type ErrorType } from '../../lib/errors.ts'
import { jobLimits } from '../../lib/limits/jobs.ts'
import { allOf, equals, isOneOf } from '../../query/grammar.ts'
import { ascendingBy } from '../../query/sort.ts'
import { tableCatalog } from '../../query/table-catalog.ts'
import type { Log } from '../../runtime/log.ts'
import type { Clock } from '../../runtime/platform/clock.ts'
import { delay } from '../../runtime/platform/event-loop.ts'
import { Caller } from '../access/index.ts'
import { TableRows } from '../records/index.ts'
import { Attempt, type Job, type JobRunner, type JobState, jobCells, jobOf, jobRow, Stopping } from './job.ts'

/** Which jobs to list. */
export interface JobsWanted {
  readonly projectId: string | undefined
  readonly states: readonly JobState[]
  readonly kind?: string
  /** A member of the request, and its text. */
  readonly about?: { readonly member: string; readonly text: string }
  readonly limit: number
}

/** Transient errors. */
const passing: ReadonlySet<ErrorType> = new Set([
  'Overloaded',
  'StoreUnavailable',
  'InsufficientStorage',
  'QueryTimeout',
])

const partition = new Caller({ userId: 'server', userName: 'server', role: 'admin', scope: '*' }).read(jobsPartition)

/**
 * Durable job queue: accepted jobs are completed, across restarts. Jobs run in order of arrival, a
 * few at a time.
 */
export class Jobs {
  private readonly store: Store
  private readonly clock: Clock
  private readonly log: Log
  private readonly rows: TableRows
  private readonly runners = new Map<string, JobRunner>()
  private readonly waiting: Job[] = []
  /** Jobs that are made visible and then wait. */
  private readonly announced = new Set<Job>()
  private readonly running = new Map<string, { job: Job; abort: AbortController; done: Promise<void> }>()
  private readonly retryMs: number
  private stopping = false

  /**
   * @param options.retryMs delay after the first failure of a job; doubles with each further one
   */
  constructor(options: { store: Store; clock: Clock; log: Log; retryMs?: number }) {
    this.retryMs = options.retryMs ?? jobLimits.jobRetryMs
    this.store = options.store
    this.clock = options.clock
    this.log = options.log
    this.rows = new TableRows({
      store: options.store,
      table: jobsTable,
      rules: {
        catalog: tableCatalog(jobsTable),
        otherwise: [{ field: 'created_at', direction: 'asc' }],
        tieBreaker: ascendingBy('id'),
      },
    })
  }

  /** Registers the runner for `kind`. Call before `resume`. */
  register(kind: string, runner: JobRunner): void {
    this.runners.set(kind, runner)
  }

  /** Resumes unfinished jobs. Call once, at startup. */
  async resume(): Promise<void> {
    if (this.store.isEmpty(jobsTable.name)) return
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

  /** Unfinished jobs as stored, in order. */
  async listUndone(): Promise<Job[]> {
    return await this.select('state', 'waiting')
  }

  /** The job with this id, in any project. */
  async findById(id: string): Promise<Job | undefined> {
    return (await this.select('id', id))[0]
  }

  /** The job with this id in the project, if any. */
  async find(projectId: string, id: string): Promise<Job | undefined> {
    return (await this.select('id', id)).find((job) => job.projectId === projectId)
  }

  /** The kinds of those of the jobs that the project has, in whatever state, by id. */
  async kindsOf(projectId: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (ids.length === 0 || this.store.isEmpty(jobsTable.name)) return new Map()
    const query = { $expr: allOf(equals('target_project_id', projectId), isOneOf('id', ids)) }
    const found = await this.rows.select(partition, jobsTable.select('id', 'kind'), { query })
    return new Map(found.map(({ id, kind }) => [id, kind]))
  }

  /** Cancels a waiting or running job; false if there is none. Results so far are kept. */
  async cancel(projectId: string, id: string): Promise<boolean> {
    const job = await this.find(projectId, id)
    if (job?.state !== 'waiting') return false
    await this.breakOff(job)
    return true
  }

  /**
   * Cancels jobs whose results are no longer wanted. Unknown ids are ignored without a store
   * lookup.
   */
  async drop(projectId: string, ids: readonly string[]): Promise<void> {
    const wanted = new Set(ids)
    for (const job of this.undone()) {
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

  /** Waiting jobs first: if a running one is cancelled, the next would start. */
  private undone(): Job[] {
    return [...this.waiting, ...[...this.running.values()].map(({ job }) => job)]
  }

  private async breakOff(job: Job): Promise<void> {
    const place = this.waiting.findIndex(({ id }) => id === job.id)
    if (place >= 0) this.waiting.splice(place, 1)
    const run = this.running.get(job.id)
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
      this.running.set(job.id, { job, abort, done })
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
    let { progress } = job
    for (let { attempts } = job; ; ) {
      const save = (change: Partial<Job>) => this.save({ ...job, progress, ...change })
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
        await runner.run({ ...job, progress }, signal, progressed)
        signal.throwIfAborted()
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
        if (isFinal) await runner?.fail?.(job, error)
        await save({ attempts, error, state: isFinal ? 'failed' : 'waiting' })
        if (isFinal || !(await delay(this.retryMs * 2 ** (attempts - 1), signal))) return
      }
    }
  }

  private async save(job: Job): Promise<void> {
    await this.store.write(jobsTable.name, [jobRow(job, this.clock.nowMs() * 1000)])
  }

  /** Jobs in any of the states (all if empty), the newest first. */
  async list({ projectId, states, kind, about, limit }: JobsWanted): Promise<Job[]> {
    const conditions = [
      ...(projectId === undefined ? [] : [equals('target_project_id', projectId)]),
      ...(kind === undefined ? [] : [equals('kind', kind)]),
      ...(about === undefined ? [] : [equals(`request.${about.member}`, about.text)]),
      ...(states.length === 0 ? [] : [isOneOf('state', states)]),
    ]
    const query = conditions.length === 0 ? undefined : { $expr: allOf(...conditions) }
    const sort_by = [{ field: 'created_at', direction: 'desc' as const }]
    return (await this.rows.select(partition, jobCells, { query, sort_by, limit })).map(jobOf)
  }

  /** The number of jobs that are waiting or running. */
  async countUndone(): Promise<number> {
    return (await this.listUndone()).length
  }

  private async select(field: 'id' | 'state', value: string): Promise<Job[]> {
    const query = { $expr: equals(field, value) }
    return (await this.rows.select(partition, jobCells, { query })).map(jobOf)
  }
}

const diedOf = (attempts: number): DomainError =>
  new DomainError('InvalidRequest', `The server stopped ${attempts} times before the job made progress`)
