/** Limits of what projects keep, and of its removal. */
export const retentionLimits = {
  /** The longest retention, in days. */
  retentionDaysMax: 36_500,
  /** How often to check whether a sweep is due, and the time between sweeps. */
  expiryCheckMs: 1_000,
  expirySweepMs: 3_600_000,
  /** For how long feedback and queue items may wait for their call. Those deleted together. */
  orphanGraceMs: 86_400_000,
  orphansTogether: 5_000,
  /** Time between searches for files that no value names any more: they read every value. */
  fileComparisonMs: 86_400_000,
  /**
   * What is deleted is in no file after this time and the time for which old versions are kept:
   * deletions stay in the write-ahead log for up to an hour, blobs for up to two.
   */
  erasedWithinMs: 3 * 3_600_000,
} as const
