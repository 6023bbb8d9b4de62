import type { Job } from './job.ts'

/** Executes jobs of one kind. */
export interface JobRunner {
  /**
   * May be called again for the same job after a stop or failure, and has to find out what is
   * already done. A non-transient `DomainError` fails the job; anything else is retried, up to five
   * times.
   *
   * @param progressed records that a part is done which the next call will not repeat, so that a
   *   later crash does not count against it
   */
  run(job: Job, signal: AbortSignal, progressed: () => Promise<void>): Promise<void>
  /**
   * Makes the final failure of the job visible before it counts as failed. May be called again, as
   * `run`.
   */
  fail?(job: Job, reason: string): Promise<void>
}
