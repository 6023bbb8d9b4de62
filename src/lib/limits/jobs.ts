/** Limits of jobs and evaluations. */
export const jobLimits = {
  /** Concurrent jobs (evaluations, scoring); further ones run in order of arrival. */
  jobsAtOnce: 2,
  jobsWaitingMax: 10_000,
  /** Attempts of a failing job, with delays of 1, 2, 4 … seconds. */
  jobAttemptsMax: 5,
  /** Server crashes during a job before it makes progress, after which it has failed. */
  jobStartsMax: 10,
  jobRetryMs: 1_000,
  /** Evaluation rows processed concurrently: usually, and at most. */
  trialsAtOnce: 4,
  trialsAtOnceMax: 16,
  /** Trials per row of an evaluation. */
  evaluationTrialsMax: 100,
  /** Scorers per request. */
  scorersPerRequestMax: 64,
} as const
