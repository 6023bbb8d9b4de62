import { MiB } from '../bytes.ts'

/** Limits of what operations take and return. */
export const operationLimits = {
  idCharsMax: 128,
  /** Cached entries that map replaced feedback to its replacement. */
  replacedFeedbackKept: 10_000,
  /** Maximum length of thread and turn ids. */
  threadNameCharsMax: 1024,
  displayNameCharsMax: 1024,
  opNameCharsMax: 1024,
  projectPartCharsMax: 128,
  filterValuesMax: 1000,
  filterUsersMax: 10_000,
  /** Evaluations compared by one request. */
  evaluationsMax: 256,
  /** Evaluations whose differences are tested by one request, their rows, and scores of each. */
  comparedRunsMax: 20,
  comparedRowsMax: 200_000,
  comparedScoresMax: 50,
  /** Rows and slices of a comparison in one response, and characters of the input of a row. */
  comparedRowsPageMax: 1_000,
  comparedSlicesMax: 50,
  comparedInputChars: 300,
  /**
   * Comparisons that are kept in memory to be sorted and filtered again, their size, and how long
   * they are kept after their last use.
   */
  comparisonsKept: 8,
  comparisonBytesKept: 64 * MiB,
  comparisonKeptMs: 600_000,
  /** Rows of a run are stored up to this size. */
  storedRowsBytesMax: 16 * MiB,
  /** Runs of one list whose rows are stored for their first comparison. */
  preparedRunsMax: 50,
  /** Trials of each run in which the versions of its scorers are looked up. */
  trialsOfVersions: 3,
  /**
   * Samples drawn for an interval: usually, and at least in comparisons that would otherwise draw
   * more values than `drawsMax`, which takes some seconds.
   */
  resamples: 10_000,
  resamplesMin: 1_000,
  drawsMax: 500_000_000,
  /** Runs of a page of their list, runs that a list looks at, and runs whose figures are kept. */
  listedRunsMax: 1_000,
  runsReadMax: 5_000,
  /** Rows that a run is started with by their digests, and choices that one request counts. */
  chosenRowsMax: 10_000,
  countedChoicesMax: 16,
  keptRunFiguresMax: 8_000,
  /**
   * Classes of a confusion matrix, labels of a side that are named, characters of a label, samples
   * of each type of feedback in which labels are found, and trials of a page.
   */
  labelClassesMax: 12,
  frequentLabelsMax: 50,
  labelCharsMax: 200,
  feedbackSamples: 20,
  judgedTrialsPageMax: 1_000,
  /** Columns of a leaderboard. */
  leaderboardColumnsMax: 50,
  /** Distinct paths in scores that are summarized, and their maximum depth. */
  scorePathsMax: 1000,
  scoreDepthMax: 8,
  /** Cached op refs of evaluations, and how long they are cached. */
  opNamesMax: 1_000,
  opNamesKeptMs: 60_000,
  sortKeysMax: 16,
  columnsMax: 256,
  deleteIdsMax: 1000,
  /** Versions of typed objects read at a time for a list. */
  familyPageMax: 200,
  /** Versions of an object deleted by one request. */
  deleteVersionsMax: 100,
  /** Object versions read at a time, and approximately how many bytes of their content. */
  versionsWindow: 1000,
  contentsBatchBytes: 16 * MiB,
  /** Up to this many contents are read together without checking their sizes. */
  contentsUnweighed: 4,
  /** Refs resolved by one request. */
  refsMax: 1000,
  /** Intermediate refs followed to resolve one ref. */
  refHopsMax: 32,
  /** Tags or aliases set or removed by one request. */
  labelsPerRequestMax: 1000,
  tagCharsMax: 256,
  /** Calls deleted by one request, including descendants. */
  deleteCascadeMax: 1_000_000,
  projectsInfoMax: 1000,
  /** Projects listed by one request: by default, and at most. */
  projectsListedDefault: 100,
  projectsListedMax: 1000,
  /**
   * Projects of a list whose cost is computed at a time, and the time after which the remaining
   * ones are listed without it.
   */
  projectCostsAtOnce: 4,
  projectCostsMs: 2_000,
  /** Operators and operands of a query that selects ids to purge; each id takes three. */
  purgeQueryNodesMax: 10_000,
  /** Rows purged by one request. */
  purgeIdsMax: 1000,
  /** Values in a user's JSON Schema, and references followed by one validation. */
  schemaValuesMax: 5_000,
  schemaStepsMax: 100_000,
  /**
   * Time limit for compiling a schema or validating a value; how many schemas that exceeded it are
   * remembered, and for how long.
   */
  schemaMs: 2_000,
  slowSchemaKeptMs: 300_000,
  slowSchemasKept: 1_000,
  /**
   * Time limit of a built-in scorer per output, and the number of timeouts after which a job stops
   * using it.
   */
  scoreMs: 5_000,
  scoresStoppedMax: 3,
  /** Texts longer than these are not compared: it would take minutes. */
  editDistanceCharsMax: 100_000,
  rougeCharsMax: 20_000,
  /** Instructions of a compiled pattern times characters of the text it is matched against. */
  patternStepsMax: 2_000_000_000,
  /** Compiled scorers and schemas that are cached. */
  judgesKept: 100,
  /**
   * Values waiting to be scored or validated, how long an idle judging thread is kept, and how much
   * longer than its limit a task may take: its answer may be on its way.
   */
  judgingWaitingMax: 1_000,
  judgingGraceMs: 200,
  judgesIdleMs: 30_000,
  /** Size of a feedback payload as JSON. */
  feedbackPayloadBytesMax: MiB,
  noteCharsMax: 1024,
  /**
   * Annotation queues: lengths of texts, calls added by one request, and queues in one progress
   * request.
   */
  queueNameCharsMax: 1024,
  queueDescriptionCharsMax: 65_536,
  queueScorersMax: 256,
  queueCallsPerRequestMax: 10_000,
  queueStatsMax: 1000,
  /** People to whom a queue is assigned. */
  queueReviewersMax: 100,
  /** Items in one response about who finished what. */
  finishedItemsMax: 10_000,
  /** Final answers that are stored by one write. */
  finalAnswersTogether: 1_000,
  /** Reviewers of whom it is remembered when they finished an item last. */
  reviewersKept: 10_000,
  refCharsMax: 2048,
  /** Maximum range of statistics in buckets of less than a day, and maximum number of buckets. */
  statsRangeDaysMax: 31,
  statsBucketsMax: 10_000,
  /** Groups of calls in statistics: by default, and at most. The others are added up. */
  /**
   * Spans that one request about agents reads: without their payload to sum them up, and with it to
   * show conversations.
   */
  agentSpansMax: 100_000,
  agentChatSpansMax: 2_000,
  /** Agents, spans or groups per response, and message hits read by a search. */
  agentsListedDefault: 100,
  agentsListedMax: 1_000,
  agentSearchSpansMax: 2_000,
  agentMessageChars: 300,
  /** Feedback entries that one request about agents reads. */
  agentFeedbackMax: 10_000,
  agentDistributionBinsDefault: 12,
  agentDistributionBinsMax: 100,
  agentDistributionValuesDefault: 5,
  agentDistributionValuesMax: 100,
  /** Objects whose uses one request counts, and versions in the answer. */
  usedObjectsMax: 1_000,
  usedVersionsMax: 5_000,
  statsGroupsDefault: 10,
  statsGroupsMax: 100,
  /** Ranges of latency in statistics: by default, and at most. */
  statsRangesDefault: 24,
  statsRangesMax: 100,
  /** Values in one statistics response. */
  statsValuesMax: 500_000,
  /** A hundred years: a single bucket for everything since 1970. */
  statsBucketSecondsMax: 3_155_760_000,
  /** Time buckets, and buckets in total, of a feedback aggregation. */
  timeBucketsMax: 256,
  aggregateBucketsMax: 10_000,
  /** Default number of calls whose usage is summed per request. */
  usageCallsDefault: 10_000,
  /**
   * Maximum for the same: each call takes about two kilobytes of memory until the response is
   * written.
   */
  usageCallsMax: 500_000,
} as const
