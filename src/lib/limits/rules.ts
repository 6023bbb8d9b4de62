import { MiB } from '../bytes.ts'

/** Limits of rules, webhooks and forwarding. */
export const ruleLimits = {
  /** Rules per project, and in total. */
  rulesPerProjectMax: 100,
  rulesMax: 10_000,
  ruleNameCharsMax: 256,
  ruleUrlCharsMax: 2_048,
  /** Headers of a rule's requests, and characters of each value. */
  ruleHeadersMax: 16,
  ruleHeaderCharsMax: 4_096,
  /** Window of an alert in seconds. */
  ruleWindowSecondsMin: 10,
  ruleWindowSecondsMax: 86_400,
  /** How often an alert is evaluated: a share of its window, within bounds. */
  ruleEvaluationsPerWindow: 60,
  ruleEvaluationMsMin: 1_000,
  ruleEvaluationMsMax: 30_000,
  /** A call counts in a window if it started at most this long before it. */
  ruleCallSecondsMax: 86_400,
  /** Rules begin to work at multiples of this time, so that they read together. */
  ruleTickMs: 500,
  /**
   * How long calls are gathered before a rule reads them: longer if the work takes more than a
   * share of the time, so that many rules, or slow ones, do not slow down writes.
   */
  ruleGatherMs: 500,
  ruleGatherMsMax: 4_000,
  ruleTimeShare: 0.05,
  /** How many calls a rule reads at a time. */
  ruleBatchMax: 1_000,
  /** Rules that read calls with one statement. */
  rulesReadTogether: 20,
  /** Rules that read calls at the same time. */
  ruleReadersMax: 4,
  /** Rules that run scorers at the same time, and calls that each of them scores at a time. */
  ruleScoringMax: 2,
  ruleScoredTogether: 100,
  /** Calls of a dry run, and dry runs at a time. */
  dryRunCallsMax: 100,
  dryRunsAtOnce: 4,
  /** Calls that a backfill reads at a time, and scores at a time: new calls wait for no more. */
  backfillPage: 1_000,
  backfillScoredTogether: 20,
  /** Backfills at a time, so that evaluations find a place among the jobs, and that are listed. */
  backfillsAtOnce: 1,
  backfillsListed: 20,
  /** Calls that a rule remembers as handled. */
  ruleHandledKept: 20_000,
  /** Minimum interval at which the progress of a rule is stored. */
  ruleProgressMs: 1_000,
  /**
   * After a crash, rules read again what was written this long before their position: a call may be
   * stored later than its time of writing says.
   */
  ruleOverlapMs: 30_000,
  /** Delay after the first failure of an action, which doubles each time; its maximum. */
  ruleRetryMs: 1_000,
  ruleRetryMsMax: 300_000,
  /** The same for webhooks, whose deliveries are abandoned after some attempts. */
  webhookRetryMs: 2_000,
  webhookRetryMsMax: 3_600_000,
  webhookAttemptsMax: 12,
  webhookTimeoutMs: 15_000,
  /** How much of the response of a webhook is kept, and how long it may take to arrive. */
  webhookAnswerBytesMax: 1_024,
  webhookAnswerMsMax: 2_000,
  /** Calls that are forwarded together, bytes of their request and of the response, timeout. */
  forwardedTogether: 500,
  forwardedBytesMax: 4 * MiB,
  forwardAnswerBytesMax: 64 * 1024,
  forwardTimeoutMs: 30_000,
  /** Attempts to send a batch of an export. */
  exportAttemptsMax: 6,
  /** Deliveries of a rule that are kept, and listed by default. */
  deliveriesKept: 100,
  deliveriesListedDefault: 20,
  /** Characters of an error that a rule reports. */
  ruleErrorCharsMax: 500,
} as const
