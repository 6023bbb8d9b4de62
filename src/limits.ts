/** All limits of the product. Units are in the names; `MB` here means 2^20 bytes. */
export const MiB = 1024 * 1024

export const limits = {
  /** Maximum size of a decompressed request body; overridden by `TRACELAKE_MAX_BODY_MB`. */
  bodyBytesMax: 32 * MiB,
  /** Maximum size of an uploaded file; overridden by `TRACELAKE_MAX_FILE_MB`. */
  fileBytesMax: 4096 * MiB,
  /** Text fields beside the file in an upload form, and bytes per field. */
  formFieldsMax: 16,
  formFieldBytesMax: 4096,
  fileNameCharsMax: 1024,
  /** Base64 content in a call longer than this is stored as a file. */
  inlineContentCharsMax: 8192,
  /** Bytes of a form in addition to its file. */
  formOverheadBytesMax: MiB,
  /** Rows inserted into or removed from a table by one request; appended rows do not count. */
  tableEditsMax: 10_000,
  /** Batch sizes: digests hashed at a time, and elements of lists passed to DuckDB at a time. */
  digestsTogether: 16_384,
  listElementsTogether: 16_384,
  /** Rows per table chunk (a chunk stores their digests), and chunks read at a time. */
  tableChunkRowsMax: 4096,
  tableChunksRead: 16,
  /**
   * Rows, and their bytes, looked up or written per step; other requests get their turn between
   * steps.
   */
  tableRowsTogether: 8192,
  tableBytesTogether: 4 * MiB,
  /** Cached hash states of tables, which let a table grow without rehashing all of its rows. */
  tableHashesKept: 256,
  /** Bytes of row JSON fetched at a time. */
  tableFetchBytes: 16 * MiB,
  rowDigestsFilterMax: 10_000,
  tableStatsMax: 1000,
  /** Maximum nesting depth of JSON. */
  jsonDepthMax: 200,
  /** Maximum number of violations reported for one request. */
  violationsMax: 20,
  /** Errors inspected per union variant to find the variant that a value resembles most. */
  variantErrorsMax: 100,
  /**
   * Bodies up to this size are parsed in one go unless they contain something slow to parse; larger
   * ones are parsed in pieces of `jsonRunBytes`.
   */
  quickBodyBytesMax: MiB,
  jsonRunBytes: 128 * 1024,
  /** Numbers in such a body that are preserved digit by digit. */
  quickExactNumbersMax: 10_000,
  /**
   * Bodies up to this size are accounted by their text only; larger ones up to `quickBodyBytesMax`
   * by this growth factor.
   */
  smallBodyBytesMax: 64 * 1024,
  quickBodyGrowth: 16,
  /**
   * Estimated memory for the parsed value of one body, in addition to its text; all bodies together
   * may use twice as much.
   */
  bodyValueBytesMax: 256 * MiB,
  /**
   * Object members in one body whose names are integers in non-ascending order: these are forty
   * times as expensive as others.
   */
  reorderedMembersMax: 20_000,
  /**
   * Memory for the texts of all bodies in flight; one key may use half of it. How long a body waits
   * for memory, and how many may wait.
   */
  bodyTextBytesMax: 256 * MiB,
  bodyRoomWaitMs: 10_000,
  /**
   * How long a client may pause while sending a body; bodies up to `quickBodyBytesMax` must also
   * arrive at a minimum rate, given as milliseconds per KiB.
   */
  bodyStallMs: 30_000,
  bodyKibibyteMs: 100,
  /**
   * Idle timeout of connections without a pending request, and the maximum number of concurrent
   * requests.
   */
  connectionIdleSeconds: 240,
  requestsMax: 2_048,
  /**
   * gRPC: concurrent calls per connection and in all; messages that arrive at the same time, in all
   * and per API key, because each may take `bodyBytesMax`; how long a message may take to arrive;
   * and the interval at which idle connections are checked.
   */
  grpcStreamsPerConnectionMax: 100,
  grpcCallsMax: 1_024,
  grpcArrivingMax: 16,
  grpcArrivingPerKeyMax: 8,
  grpcReceiveMs: 30_000,
  grpcKeepaliveMs: 60_000,
  /**
   * Rate limit for invalid keys per client address: burst, refill interval, and number of addresses
   * tracked.
   */
  wrongKeysMax: 300,
  wrongKeyRefillMs: 200,
  wrongKeyAddressesMax: 10_000,
  /**
   * Wrong keys and login links per client address at the login of the web UI, and the interval at
   * which an address regains one attempt.
   */
  wrongLoginsMax: 10,
  wrongLoginRefillMs: 6_000,
  /** Sessions of the web UI: how long one lives without a visit, and how often this is written. */
  sessionMs: 30 * 86_400_000,
  sessionExtendedEveryMs: 86_400_000,
  /** Beyond the first, a key's oldest session ends; beyond the second, logins are refused. */
  sessionsPerKeyMax: 50,
  sessionsMax: 5_000,
  /** Size of a login request. */
  loginBodyBytesMax: 4096,
  /** How long a login link lives, and how many there may be. */
  loginLinkMs: 600_000,
  loginLinksMax: 100,
  /** API keys per data folder, including revoked ones. */
  apiKeysMax: 10_000,
  /**
   * Locks of the files with keys and secrets: how long a change waits, and the age at which a lock
   * counts as abandoned.
   */
  fileLockWaitMs: 15_000,
  fileLockStaleMs: 5_000,
  /** Length of a GraphQL query, and its tokens; those of SDKs have about thirty. */
  graphqlQueryCharsMax: 10_000,
  graphqlTokensMax: 500,
  bodiesWaitingMax: 256,
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
  /** Values waiting to be scored or validated, and how long an idle judging thread is kept. */
  judgingWaitingMax: 1_000,
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
  statsGroupsDefault: 10,
  statsGroupsMax: 100,
  /** Ranges of latency in statistics: by default, and at most. */
  statsRangesDefault: 24,
  statsRangesMax: 100,
  /** Values in one statistics response. */
  statsFiguresMax: 500_000,
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
  /** Prices in one request, and length of a model name. */
  pricesPerRequestMax: 1000,
  llmIdCharsMax: 1024,
  /** Models whose price is cached. */
  knownModelsMax: 10_000,
  /** Provider secrets per data folder, and length of a secret. */
  secretsMax: 10_000,
  secretCharsMax: 16_384,
  /** Models per runtime. */
  runtimeModelsMax: 1000,
  /** Concurrent completions; further ones are answered with 503. */
  completionsMax: 256,
  /** Default and maximum timeout of a provider request; `inputs.timeout` overrides the default. */
  completionTimeoutMs: 600_000,
  completionTimeoutMaxMs: 3_600_000,
  /** Retries of a provider request after a transient failure (429, 5xx, a lost connection). */
  completionRetriesMax: 2,
  /** Size of a provider's response, including all chunks of a stream. */
  completionAnswerBytesMax: 64 * MiB,
  /** Length of a provider's error message. */
  providerMessageCharsMax: 4_000,
  /** Headers of a request or object that are passed to a provider. */
  extraHeadersMax: 64,
  /**
   * Searches that answer from the newest calls: their time, and the calls that they read before
   * they know how long that takes.
   */
  explorationMs: 1_500,
  explorationCallsFirst: 10_000,
  /**
   * Calls whose fields are listed, at most, and about how many bytes of their payload; calls with a
   * larger payload than the last number are not inspected.
   */
  fieldsCallsMax: 2_000,
  fieldsBytes: 16 * MiB,
  fieldsCallBytesMax: 4 * MiB,
  /** Paths that are counted, nesting depth of fields, and length of a text among the examples. */
  fieldPathsCounted: 10_000,
  fieldDepthMax: 8,
  exampleCharsMax: 200,
  /** Fields and values listed by one request: by default, and at most. */
  fieldsListedDefault: 500,
  fieldsListedMax: 5_000,
  valuesListedDefault: 20,
  valuesListedMax: 1_000,
  /** Distinct values that are counted, and the length of their JSON text; ranges of a histogram. */
  valuesCounted: 20_000,
  valueCharsMax: 1_024,
  valueRanges: 20,
  /**
   * Searches for a text: its length, calls returned by default and at most, hits shown of each
   * call, and characters around a hit.
   */
  searchTextCharsMax: 1_024,
  searchMatchesDefault: 50,
  searchMatchesMax: 200,
  searchHitsMax: 5,
  snippetCharsBefore: 60,
  snippetCharsAfter: 120,
  /** Bytes of the payloads in which hits are located; of longer ones only a part is read. */
  searchedBytes: 32 * MiB,
  /** Length of the previews of a call's inputs and output. */
  previewCharsMax: 4096,
  /**
   * Characters of each part of a payload that is searched for messages; messages in one response,
   * and characters of each of their texts.
   */
  messagesPayloadCharsMax: 4 * MiB,
  messagesMax: 1_000,
  messageTextCharsMax: 256 * 1024,
  /** Characters of a payload that one response contains by default, and at most. */
  payloadPieceCharsDefault: 256 * 1024,
  payloadPieceCharsMax: 4 * MiB,
  /** Keys in a path given as a list: more than JSON may be deep. */
  valuePathKeysMax: 256,
  /**
   * Threads in one response with details: by default, at most, and how many are read at a time; and
   * characters of their messages.
   */
  detailedThreadsDefault: 100,
  detailedThreadsMax: 1_000,
  detailedThreadsRead: 50,
  threadMessageCharsMax: 300,
  /** Characters of a payload that is searched for the message of a thread. */
  threadPayloadCharsMax: 64 * 1024,
  /** Hosts that a secret may be sent to, and jobs in one list by default and at most. */
  secretHostsMax: 64,
  jobsListedDefault: 100,
  jobsListedMax: 1_000,
  /** Calls of a trace that one response contains by default, and at most. */
  traceRowsDefault: 20_000,
  traceRowsMax: 200_000,
  /** Share of them reserved for failed calls and their ancestors where a trace has more calls. */
  traceErrorsShare: 0.25,
  /** Estimated memory of a call while its trace is read, without its texts. */
  traceCallBytes: 512,
  /**
   * A call may be stored slightly later than its time of writing says, so changes are looked for
   * from this much earlier.
   */
  traceOverlapMs: 2_000,
  fieldPathCharsMax: 1024,
  fieldPathSegmentsMax: 32,

  /** Nesting depth of operators in a query expression. */
  queryDepthMax: 64,
  /** Operators, fields and literals of a query expression, without the values of `$in` lists. */
  queryNodesMax: 2_000,
  queryInValuesMax: 1_000,
  /** Values in all `$in` lists of one expression together. */
  queryInValuesTotalMax: 10_000,
  queryTextCharsMax: 65_536,
  expandColumnsMax: 64,
  /**
   * Distinct refs in one expanded column that filters and sort keys can look through, and bytes of
   * what they refer to.
   */
  expandedRefsMax: 10_000,
  expandedBytesMax: 64 * MiB,
  /** Calls whose refs are expanded at a time. */
  expandedLinesMax: 128,

  /** Spans, and log records, per OTLP export. */
  spansPerExportMax: 100_000,
  logRecordsPerExportMax: 100_000,
  /**
   * Protobuf messages and fields of an export, not counting spans; and those of one span, resource
   * or scope.
   */
  otlpFrameFieldsMax: 1_000_000,
  spanFieldsMax: 1_000_000,
  /**
   * Nesting depth of a JSON export, where each level of a value takes three; and of an attribute
   * value.
   */
  otlpJsonDepthMax: 1_000,
  attributeDepthMax: 50,
  /** An attribute with JSON text nested deeper than this is kept as text. */
  attributeTextDepthMax: 100,
  /** Dots in an attribute name that create levels; the rest of the name stays together. */
  attributeKeyDepthMax: 32,
  /** Bytes of the rows that one export may produce: each row carries a copy of its resource. */
  exportRowBytesMax: 192 * MiB,
  /** Span names for which one export looks up or creates an op, and names that are cached. */
  newOpsPerExportMax: 64,
  knownOpsMax: 10_000,
  /**
   * Names of members and attributes, and op refs, whose analysis is cached; longer ones are not.
   */
  cachedKeysMax: 10_000,
  /** Sets of attribute prefixes whose part of the convention tables is cached. */
  cachedPrefixSetsMax: 1_000,
  cachedKeyCharsMax: 128,
  /** Conversation spans that are remembered, and ancestors inspected to find the turn of a span. */
  turnSpansMax: 20_000,
  turnLevelsMax: 256,
  /**
   * Events of coding agents that are remembered, where a kilobyte of a prompt counts as one more;
   * and events read back of one session.
   */
  agentEventsKeptMax: 50_000,
  eventsReadMax: 20_000,
  /** Sessions of which it is known whether their agent sends events. */
  agentSessionsKnownMax: 20_000,
  /** Data points of metrics per OTLP export, and buckets or quantiles of one point. */
  metricPointsPerExportMax: 100_000,
  metricBucketsMax: 4_096,
  /** Fields by which statistics of metrics are grouped, and metrics that one request may name. */
  metricGroupFieldsMax: 8,
  metricNamesMax: 100,
  /** Buckets and totals in one response. */
  metricStatsRowsMax: 50_000,
  /** Rejected spans named in the response to an export. */
  rejectionsNamedMax: 20,

  /** Time limit of a query; overridden by `TRACELAKE_QUERY_TIMEOUT_S`. */
  queryTimeoutMs: 60_000,
  /**
   * Memory of the DuckDB instance for point reads, and the maximum row width (mean on-disk size per
   * file) that it is used for.
   */
  pointMemoryBytesMax: 512 * MiB,
  pointRowBytesMax: 16 * 1024,
  /** Prepared statements cached per connection. */
  preparedStatementsMax: 32,
  /**
   * Concurrent reads; further ones wait. Streams, which last as long as their clients take, and
   * lookups, which always finish, are counted separately: a stream may need a lookup to make
   * progress.
   */
  lookupsMax: 16,
  streamsMax: 16,
  /** Reads of either kind waiting for a reader; further ones are answered with 503. */
  readersWaitingMax: 256,
  /**
   * If others wait for a reader, a stream is ended when its client has read nothing for this long.
   */
  streamStallMs: 10_000,

  /** Idempotency keys: retention, number kept, and the largest response that is kept. */
  idempotencyKeptMs: 86_400_000,
  idempotencyKeysMax: 1_000_000,
  idempotencyAnswerCharsMax: 256 * 1024,
  idempotencySweepMs: 3_600_000,

  /** Bytes waiting for the write-ahead log; further writes are answered with 503. */
  walQueueBytesMax: 256 * MiB,
  /** Approximate size of one group commit. */
  walGroupBytesMax: 32 * MiB,
  /** Rows written as one batch without yielding to other requests. */
  rowsInOneGoMax: 4096,
  /** Bytes of the probe write that must succeed before a failed store accepts writes again. */
  walProbeBytes: 256 * 1024,
  /** Maximum delay between retries of a failed flush. */
  flushRetryMsMax: 30_000,
  /**
   * Merged rows held in memory before they are moved into DuckDB; as much again may be retained
   * while it waits for its other half.
   */
  dirtyBytesMax: 16 * MiB,
  dirtyRowsMax: 8192,
  /** Merged rows moved into DuckDB per transaction; other requests get their turn in between. */
  drainedRowsMax: 8192,
  drainedBytesMax: 16 * MiB,
  /**
   * While a reader waits for rows to be moved, writes that would raise the backlog above this are
   * held back.
   */
  readerWaitsForRows: 1024,
  /**
   * Backpressure: how long a writer waits before it is answered with 503, and how many bytes may
   * wait.
   */
  backpressureWaitMs: 10_000,
  backpressureBytesMax: 64 * MiB,
  /** A memtable of this size is flushed to Parquet. */
  memtableBytesMax: 128 * MiB,
  memtableRowsMax: 131_072,
  /**
   * Reading one row reads its whole row group: small groups make `call/read` fast, large ones make
   * scans slightly faster.
   */
  rowGroupRowsMax: 4_096,
  /**
   * JSON bytes per row group, beyond which it gets fewer rows; and the maximum number of runs that
   * a file with wide rows is split into.
   */
  rowGroupBytesMax: 16 * MiB,
  rowGroupsPerFileMax: 128,
  /**
   * JSON bytes of a file that are rewritten at once; a larger file becomes several. Each of them
   * takes a scan of the whole file, so there is a maximum.
   */
  rewriteBytesMax: 128 * MiB,
  rewriteRangesMax: 16,
  /** Data files probed for a key one by one; beyond this number, files share a filter. */
  ungroupedFilesMax: 8,
  /** Small files are compacted until one has `memtableRowsMax` rows or this size on disk. */
  mergedBytesMax: 32 * MiB,
  /** Pause after a query met a damaged file and all files were checked. */
  fileCheckPauseMs: 5_000,
  /** Pause of compaction after a failure. */
  compactionRetryMs: 60_000,
  /** Pause of key index maintenance after a failure. */
  indexRetryMs: 60_000,
  /**
   * How long replaced files are kept for other readers of the folder: `tracelake sql`, a backup,
   * another Delta Lake program.
   */
  replacedFilesKeptMs: 300_000,
  /** How long Delta checkpoints list replaced files as removed: well beyond their deletion. */
  replacedFilesNamedMs: 3_600_000,
  /**
   * How long to keep commits covered by a checkpoint; overridden by `TRACELAKE_LOG_RETENTION_H`.
   */
  logKeptMs: 86_400_000,
  /**
   * Minimum interval between checks for commits by other programs, and how long a read waits for
   * such a check.
   */
  followPauseMs: 20,
  followBeforeReadMs: 1_000,
  /** Attempts of a read whose files are replaced by other programs meanwhile. */
  replacedReadsMax: 4,
  /** Attempts of a commit that loses races with other programs. */
  commitAttemptsMax: 50,
  /** Attempts to read a table while a server is changing it. */
  readBesideAttemptsMax: 20,
  /** Attempts to check the references between tables while a server is changing them. */
  referencesAttemptsMax: 3,
  /** Keys that occur more than once and are named by a verification. */
  duplicateKeysNamedMax: 10,
  /** Commits per table between checkpoints, which spare the next start reading them one by one. */
  checkpointCommits: 50,
  /** How often to check whether a flush or compaction is due. */
  flushCheckMs: 1_000,
  /** A memtable without writes for this long is flushed. */
  flushIdleMs: 30_000,
  /** A memtable of this age is flushed even under steady writes. */
  flushAgeMs: 300_000,
  /**
   * How long incomplete rows and tombstones are retained in memory before they are written to
   * Parquet as they are.
   */
  retainedAgeMs: 3_600_000,
  retainedRowsMax: 50_000,
  retainedBytesMax: 48 * MiB,

  /** Blob garbage collection: interval, minimum age of a blob, and blobs looked up at a time. */
  blobSweepMs: 3_600_000,
  blobGraceMs: 3_600_000,
  blobsSweptTogether: 10_000,
  /** Concurrent jobs (evaluations, scoring); further ones run in order of arrival. */
  jobsAtOnce: 2,
  jobsWaitingMax: 10_000,
  /** Attempts of a failing job, with delays of 1, 2, 4 … seconds. */
  jobAttemptsMax: 5,
  /** Server crashes during a job before it makes progress, after which it has failed. */
  jobStartsMax: 10,
  jobRetryMs: 1_000,
  /** Evaluation rows processed concurrently. */
  trialsAtOnce: 4,
  /** Trials per row of an evaluation. */
  evaluationTrialsMax: 100,
  /** Scorers per request. */
  scorersPerRequestMax: 64,

  /** Memory for a response that has to be complete before its first byte can be sent. */
  heldAnswerBytesMax: 256 * MiB,
  /**
   * Estimated memory of a call in a usage roll-up, of its usage of one model, and of that usage in
   * each ancestor.
   */
  usageCallBytes: 512,
  usageOfModelBytes: 512,
  usageMentionBytes: 64,
  /** Estimated memory of a row digest while its page is assembled. */
  rowDigestBytes: 100,

  /** Responses of up to this many rows are sorted in one piece. */
  pageRowsMax: 5_000,
  /** Up to this many feedback rows are read together without checking their sizes. */
  fewRowsMax: 16,
  /** Approximate size of the windows in which a totally ordered stream is fetched. */
  streamWindowBytes: 24 * MiB,
  /**
   * Parquet downloads in progress, in total and per key, and the disk space they use if there is
   * more than one.
   */
  answerFilesMax: 64,
  answerFilesPerKeyMax: 32,
  answerFilesBytesMax: 1024 * MiB,
  answerFilesLookMs: 250,
  /**
   * Longest row on its way into a Parquet file: a call of the maximum body size with its text
   * escaped once more.
   */
  rowsFileLineBytesMax: 128 * MiB,
  /** Smaller responses are not compressed; larger ones than the second are, in a thread. */
  compressedBytesMin: 1024,
  compressedAtOnceBytesMax: 64 * 1024,
  /** How long a stream that begins with less than that may take to end and be a small response. */
  compressedEndWaitMs: 2,
  /** Bytes passed to the socket at a time. */
  streamChunkBytes: 512 * 1024,
  /** Defaults of `TRACELAKE_LIVE_…`: concurrent live tails, and events buffered per project. */
  liveClientsMax: 64,
  /** By default one key may have the total number of tails divided by this. */
  liveKeysAtLeast: 4,
  liveEventsMax: 10_000,
  /** Calls read for live tails at a time, and how long they are batched. */
  liveBatchMax: 500,
  livePauseMs: 100,
  liveHeartbeatMs: 15_000,
  /** How long the events of a project are kept without a listener. */
  liveKeepMs: 300_000,
  /**
   * A resumed tail starts this much earlier, because calls are stored slightly later than they
   * arrive.
   */
  liveOverlapMs: 2_000,
  liveExceptionCharsMax: 1_000,
  /** Length of the filter and of the query of a live tail as JSON text. */
  liveConditionCharsMax: 16_384,
  /**
   * A client that does not read its final event is disconnected after this time; sooner at
   * shutdown.
   */
  liveLastWordMs: 10_000,
  liveLastWordAtStopMs: 1_000,
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
  /** How long calls are gathered before a rule reads them, and how many it reads at a time. */
  ruleGatherMs: 1_000,
  ruleBatchMax: 1_000,
  /** Rules that read calls at the same time. */
  ruleReadersMax: 4,
  /** Rules that run scorers at the same time, and calls that each of them scores at a time. */
  ruleScoringMax: 2,
  ruleScoredTogether: 100,
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
  /** The same for webhooks, whose deliveries fail for good after some attempts. */
  webhookRetryMs: 2_000,
  webhookRetryMsMax: 3_600_000,
  webhookAttemptsMax: 12,
  webhookTimeoutMs: 15_000,
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
  /** Timeout of an export of the server's own spans. */
  ownTracesTimeoutMs: 2_000,
  /**
   * After losing its data folder, how long the server keeps reporting so, and then how long it
   * drains.
   */
  lostFolderGraceMs: 1_000,
  /**
   * Importers: length of a line or value in a file, size and records of a request, records whose
   * presence is checked at a time, and how long an unreachable server is tried again.
   */
  importLineBytesMax: 128 * MiB,
  importBatchBytes: 4 * MiB,
  importBatchRecords: 1_000,
  importCheckedTogether: 1_000,
  importPatienceMs: 600_000,
  /** Reasons for losses that an import reports. */
  importLossesNamedMax: 50,
  /** How long shutdown waits for requests in progress. */
  drainMs: 10_000,
  /**
   * Answers of the tools for agents: estimated tokens of an answer, those of them that its next
   * steps and its count may take, and the length of the pieces that it shows of texts.
   */
  agentAnswerTokensMax: 4_000,
  agentNextTokensMax: 400,
  agentCountTokensMax: 30,
  agentPreviewChars: 160,
  /** Calls on a page of such an answer, rows of its tables, and calls whose errors it shows. */
  agentCallsDefault: 10,
  agentCallsMax: 50,
  agentRowsDefault: 20,
  agentRowsMax: 100,
  agentErrorsShown: 5,
  /** Lines of a trace, and characters of a value. */
  agentTraceLinesDefault: 60,
  agentTraceLinesMax: 200,
  agentValueCharsDefault: 2_000,
  agentValueCharsMax: 10_000,
  /**
   * Statements of users: their length, time, memory, bytes on disk and of the answer; how many may
   * wait; and characters of a cell and of a message.
   */
  sqlStatementCharsMax: 10_000,
  sqlTimeoutMs: 30_000,
  sqlMemoryBytes: 512 * 1_000_000,
  sqlSpillBytes: 1_000_000_000,
  sqlOutputBytesMax: 4 * MiB,
  sqlWaitingMax: 8,
  sqlCellCharsMax: 2_000,
  sqlMessageCharsMax: 1_000,
} as const
