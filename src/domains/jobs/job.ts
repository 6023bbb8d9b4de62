import type { Static, TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { jobsPartition, jobsTable } from '../../engine/tables/jobs-table.ts'
import { oneOf } from '../../lib/present.ts'
import type { Row } from '../../lib/table.ts'

/** Reason for stopping jobs at shutdown. */
export class Stopping extends Error {
  override readonly name = 'Stopping'
}

/**
 * An attempt is counted before it starts, so that a job that crashes the server is not retried
 * forever.
 */
export class Attempt {
  private readonly before: number
  private readonly save: (attempts: number) => Promise<void>
  private readonly signal: AbortSignal
  private isCounted = false

  constructor(before: number, save: (attempts: number) => Promise<void>, signal: AbortSignal) {
    this.before = before
    this.save = save
    this.signal = signal
  }

  async count(): Promise<void> {
    this.isCounted = true
    await this.save(this.before + 1)
  }

  /** It has not failed, or not yet. */
  async takeBack(): Promise<void> {
    if (!this.isCounted || (this.signal.aborted && !(this.signal.reason instanceof Stopping))) return
    this.isCounted = false
    await this.save(this.before)
  }

  /** Like `takeBack`, but writes the job even if the attempt is not counted any more. */
  async saveProgress(): Promise<void> {
    if (this.signal.aborted && !(this.signal.reason instanceof Stopping)) return
    this.isCounted = false
    await this.save(this.before)
  }
}

/**
 * `waiting` includes running: after a server stop both start again. A paused job may finish what it
 * has begun, and then waits for a request to go on. The other three are final.
 */
const jobStates = ['waiting', 'paused', 'completed', 'failed', 'cancelled'] as const
export type JobState = (typeof jobStates)[number]

/** Work that continues after its request was answered. Times are microseconds since 1970. */
export interface Job {
  readonly id: string
  readonly projectId: string
  readonly kind: string
  readonly request: unknown
  readonly state: JobState
  readonly attempts: number
  readonly error: string | null
  /** How far it has come, if its kind says so. */
  readonly progress?: unknown
  readonly userId: string
  readonly userName: string
  readonly createdAt: number
  /** When the state last changed; undefined for a job that is not stored yet. */
  readonly updatedAt?: number
}

export const jobCells = jobsTable.select(
  'id',
  'target_project_id',
  'kind',
  'request',
  'state',
  'attempts',
  'error',
  'progress',
  'ext_user_id',
  'ext_username',
  'created_at',
  'updated_at',
)

export const jobOf = (row: ReturnType<typeof jobCells.read>): Job => ({
  id: row.id,
  projectId: row.target_project_id,
  kind: row.kind,
  request: JSON.parse(row.request),
  state: oneOf(jobStates, row.state, 'The state of a job'),
  attempts: row.attempts,
  error: row.error,
  progress: row.progress === null ? undefined : JSON.parse(row.progress),
  userId: row.ext_user_id,
  userName: row.ext_username,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

export const jobRow = (job: Job, updatedAtMicros: number): Row =>
  jobsTable.row({
    project_id: jobsPartition,
    id: job.id,
    target_project_id: job.projectId,
    kind: job.kind,
    request: JSON.stringify(job.request),
    state: job.state,
    attempts: job.attempts,
    error: job.error,
    progress: job.progress === undefined ? null : JSON.stringify(job.progress),
    ext_user_id: job.userId,
    ext_username: job.userName,
    created_at: job.createdAt,
    updated_at: updatedAtMicros,
  })

/** The request of a job of a kind that `schema` describes. @throws Error if it is another one */
export function requestOf<Request extends TSchema>({ id, kind, request }: Job, schema: Request): Static<Request> {
  if (!Value.Check(schema, request)) throw new Error(`The job ${id} has no request of the kind ${kind}`)
  return request
}

/** How a job has ended: with all of its work done, or with some left to go on with. */
export type JobOutcome = 'done' | 'paused'

/** Executes jobs of one kind. */
export interface JobRunner {
  /** Jobs of the kind that run at a time, if not as many as of any kind. */
  readonly atOnceMax?: number
  /**
   * May be called again for the same job after a stop or failure, and has to find out what is
   * already done. A non-transient `DomainError` fails the job; anything else is retried, up to five
   * times.
   *
   * @param progressed records that a part is done which the next call will not repeat, so that a
   *   later crash does not count against it; with `progress`, also how far the job has come
   * @param wantsPause whether to begin nothing more
   */
  run(
    job: Job,
    signal: AbortSignal,
    progressed: (progress?: unknown) => Promise<void>,
    wantsPause: () => boolean,
  ): Promise<JobOutcome>
  /**
   * Makes the final failure of the job visible before it counts as failed. May be called again, as
   * `run`.
   */
  fail?(job: Job, reason: string): Promise<void>
  /** Whether a job that has been accepted cannot be cancelled. */
  readonly mustFinish?: boolean
}
