/** Every bound of the product, in one place. Units are in the names; `MB` here is 2^20 bytes. */
export const MiB = 1024 * 1024

export const limits = {
  /** Largest request body after inflation, unless `TRACELAKE_MAX_BODY_MB` says otherwise. */
  bodyBytesMax: 32 * MiB,
  /** Largest file, unless `TRACELAKE_MAX_FILE_MB` says otherwise. */
  fileBytesMax: 4096 * MiB,
  /** Text members beside the file of an upload, and bytes of each. */
  formFieldsMax: 16,
  formFieldBytesMax: 4096,
  fileNameCharsMax: 1024,
  /** A base64 content in a call longer than this becomes a file. */
  inlineContentCharsMax: 8192,
  /** What a form may have around its file. */
  formOverheadBytesMax: MiB,
  /** Rows removed from a table or put into its middle by one request; rows at its end count as nothing. */
  tableEditsMax: 10_000,
  /** Digests of rows that are hashed, and elements of lists that DuckDB takes in, at a time. */
  digestsTogether: 16_384,
  listElementsTogether: 16_384,
  /** Rows of a table whose digests are kept together, and how many such chunks are read at a time. */
  tableChunkRowsMax: 4096,
  tableChunksRead: 16,
  /** Rows, and bytes of them, that are looked up or written at a time: others wait no longer than one such step takes. */
  tableRowsTogether: 8192,
  tableBytesTogether: 4 * MiB,
  /** Tables whose digest can be carried on without reading them again. */
  tableHashesKept: 256,
  /** JSON of rows that is fetched at a time. */
  tableFetchBytes: 16 * MiB,
  rowDigestsFilterMax: 10_000,
  tableStatsMax: 1000,
  /** JSON nested deeper than this is refused. */
  jsonDepthMax: 200,
  /** Broken places that one refusal names. */
  violationsMax: 20,
  /** Bodies up to this size are parsed in one go, unless there is something about them that takes long; larger ones in pieces of this size. */
  quickBodyBytesMax: MiB,
  jsonRunBytes: 128 * 1024,
  /** Numbers in such a body that are kept to the letter. */
  quickExactNumbersMax: 10_000,
  /** Bodies up to this size count as their text only; others of those are taken to grow so much in memory. */
  smallBodyBytesMax: 64 * 1024,
  quickBodyGrowth: 16,
  /** What the value of one body may take in memory beside its text, by an estimate; all of them together may take twice as much. */
  bodyValueBytesMax: 256 * MiB,
  /** Members of objects in one body whose names are numbers in another order than by number: these cost forty times what others do. */
  reorderedMembersMax: 20_000,
  /** Texts of all bodies in memory; a key may have half. How long a body waits for room, and how many may. */
  bodyTextBytesMax: 256 * MiB,
  bodyRoomWaitMs: 10_000,
  /** How long a client may send nothing of a body; those of up to `quickBodyBytesMax` have so much longer in all for each KiB. */
  bodyStallMs: 30_000,
  bodyKibibyteMs: 100,
  /** How long nothing may go over a connection that has no request waiting for its answer; and requests under way at a time. */
  connectionIdleSeconds: 240,
  requestsMax: 2_048,
  /** Wrong keys from one address before it is told to wait, how soon one more is free, and addresses that are remembered. */
  wrongKeysMax: 300,
  wrongKeyRefillMs: 200,
  wrongKeyAddressesMax: 10_000,
  bodiesWaitingMax: 256,
  idCharsMax: 128,
  /** Replaced feedback of which it is remembered by what. */
  replacedFeedbackKept: 10_000,
  /** Names of threads and turns. */
  threadNameCharsMax: 1024,
  displayNameCharsMax: 1024,
  opNameCharsMax: 1024,
  projectPartCharsMax: 128,
  filterValuesMax: 1000,
  filterUsersMax: 10_000,
  /** Evaluations that one question compares. */
  evaluationsMax: 256,
  /** Places inside scores of which there are figures, and how deep they lie. */
  scorePathsMax: 1000,
  scoreDepthMax: 8,
  /** Ops of evaluations whose refs are remembered, and for how long. */
  opNamesMax: 1_000,
  opNamesKeptMs: 60_000,
  sortKeysMax: 16,
  columnsMax: 256,
  deleteIdsMax: 1000,
  /** Versions of a family that are read at a time for a list. */
  familyPageMax: 200,
  /** Versions of an object that one request may name for deletion. */
  deleteVersionsMax: 100,
  /** Versions of objects that are read at a time, and about how many bytes of their contents. */
  versionsWindow: 1000,
  contentsBatchBytes: 16 * MiB,
  /** So many contents are read together without a look at their sizes. */
  contentsUnweighed: 4,
  /** Refs that one request may read. */
  refsMax: 1000,
  /** Tags or aliases that one request may set or remove. */
  labelsPerRequestMax: 1000,
  tagCharsMax: 256,
  /** Deletes cascade; one request may remove at most this many calls in all. */
  deleteCascadeMax: 1_000_000,
  projectsInfoMax: 1000,
  /** Operators and operands of a query that names the ids to purge: each id takes three. */
  purgeQueryNodesMax: 10_000,
  /** Rows that one request may purge by id. */
  purgeIdsMax: 1000,
  /** Values in a JSON Schema of a user, and references that one check with it follows. */
  schemaValuesMax: 5_000,
  schemaStepsMax: 100_000,
  /** How long a schema may take to be prepared, or a value to be checked by it, and schemas remembered that took longer. */
  schemaMs: 2_000,
  slowSchemaKeptMs: 300_000,
  slowSchemasKept: 1_000,
  /** How long a builtin scorer may take for one output, and how often it may take longer before a job asks it no more. */
  scoreMs: 5_000,
  scoresStoppedMax: 3,
  /** Parts of a pattern, as it is prepared, times characters that it is matched with. */
  patternStepsMax: 2_000_000_000,
  /** Prepared scorers and schemas that stand ready; further ones make room. */
  judgesKept: 100,
  /** Values that wait to be judged, and how long a thread that judges is kept for more. */
  judgingWaitingMax: 1_000,
  judgesIdleMs: 30_000,
  /** JSON of the payload of one feedback. */
  feedbackPayloadBytesMax: MiB,
  noteCharsMax: 1024,
  /** Annotation queues: their texts, what one request may add, and queues in one question about progress. */
  queueNameCharsMax: 1024,
  queueDescriptionCharsMax: 65_536,
  queueScorersMax: 256,
  queueCallsPerRequestMax: 10_000,
  queueStatsMax: 1000,
  refCharsMax: 2048,
  /** Longest time that statistics cover, and most buckets that they are cut into. */
  statsRangeDaysMax: 31,
  statsBucketsMax: 10_000,
  /** Figures in one answer about them. */
  statsFiguresMax: 500_000,
  /** A hundred years, from 1970: one bucket for everything. */
  statsBucketSecondsMax: 3_155_760_000,
  /** Time buckets, and buckets in all, of an aggregation of feedback. */
  timeBucketsMax: 256,
  aggregateBucketsMax: 10_000,
  /** Calls whose usage is summed at a time, unless a request says otherwise. */
  usageCallsDefault: 10_000,
  /** The most that a request may say: each takes some two kilobytes of memory until the answer is written. */
  usageCallsMax: 500_000,
  /** Prices in one request, and characters in the name of a model. */
  pricesPerRequestMax: 1000,
  llmIdCharsMax: 1024,
  /** Models whose price is remembered; further names make room. */
  knownModelsMax: 10_000,
  /** Secrets of providers that a data folder holds, and characters of one. */
  secretsMax: 10_000,
  secretCharsMax: 16_384,
  /** Models of one runtime. */
  runtimeModelsMax: 1000,
  /** Completions at the same time; further ones are answered 503. */
  completionsMax: 256,
  /** How long a provider may take for a whole answer, unless `inputs.timeout` says otherwise, and at most. */
  completionTimeoutMs: 600_000,
  completionTimeoutMaxMs: 3_600_000,
  /** How often a request to a provider is sent again after a failure that may pass (429, 5xx, a lost connection). */
  completionRetriesMax: 2,
  /** Answer of a provider, with all chunks of a stream. */
  completionAnswerBytesMax: 64 * MiB,
  fieldPathCharsMax: 1024,
  fieldPathSegmentsMax: 32,

  /** Operators inside each other in a query expression. */
  queryDepthMax: 64,
  /** Operators, fields and literals of a query expression; values in `$in` lists count apart. */
  queryNodesMax: 2_000,
  queryInValuesMax: 1_000,
  /** Values in all `$in` lists of one expression. */
  queryInValuesTotalMax: 10_000,
  queryTextCharsMax: 65_536,
  expandColumnsMax: 64,
  /** Different refs at one expanded column that conditions and order may look through, and bytes of what they stand for. */
  expandedRefsMax: 10_000,
  expandedBytesMax: 64 * MiB,
  /** Calls whose refs are replaced at a time. */
  expandedLinesMax: 128,

  /** Spans in one export of traces. */
  spansPerExportMax: 100_000,
  /** Messages and members of an export of traces in protobuf, spans not counted; and those of one span, resource or scope. */
  otlpFrameFieldsMax: 1_000_000,
  spanFieldsMax: 1_000_000,
  /** Depth of an export in JSON, where each level of a value takes three; and of one attribute's value. */
  otlpJsonDepthMax: 1_000,
  attributeDepthMax: 50,
  /** Text of an attribute that holds JSON nested deeper than this stays text. */
  attributeTextDepthMax: 100,
  /** Dots in the name of an attribute that make levels; what follows stays one name. */
  attributeKeyDepthMax: 32,
  /** Rows that the spans of one export may become: each carries its resource along. */
  exportRowBytesMax: 192 * MiB,
  /** Names of spans for which one export looks for an op or makes one, and names that are remembered. */
  newOpsPerExportMax: 64,
  knownOpsMax: 10_000,
  /** Spans of conversations that are remembered, and levels above a span that are looked at, to find the turn it belongs to. */
  trailSpansMax: 20_000,
  turnLevelsMax: 256,
  /** Reasons named in the answer to an export of which spans were rejected. */
  rejectionsNamedMax: 20,

  /** One read may run this long unless `TRACELAKE_QUERY_TIMEOUT_S` says otherwise. */
  queryTimeoutMs: 60_000,
  /** Memory of the DuckDB that reads single rows, and the widest rows (mean of their file, on the disk) that it is asked for. */
  pointMemoryBytesMax: 512 * MiB,
  pointRowBytesMax: 16 * 1024,
  /** Statements that a connection keeps prepared. */
  preparedStatementsMax: 32,
  /**
   * Reads that run at the same time; further ones wait. Streams, which last as long as whoever takes their rows, and lookups, which
   * end by themselves, are counted apart: a stream may need a lookup in order to go on.
   */
  lookupsMax: 16,
  streamsMax: 16,
  /** Reads of either kind that may wait for a free reader before the server answers 503. */
  readersWaitingMax: 256,
  /** A stream whose client has taken nothing for this long is ended where others wait for a reader. */
  streamStallMs: 10_000,

  /** How long a request with an `Idempotency-Key` is remembered, how many are, and the longest answer that is kept. */
  idempotencyKeptMs: 86_400_000,
  idempotencyKeysMax: 1_000_000,
  idempotencyAnswerCharsMax: 256 * 1024,
  idempotencySweepMs: 3_600_000,

  /** Bytes of requests that may wait for the log before writers get 503. */
  walQueueBytesMax: 256 * MiB,
  /** One group commit covers at most about this much. */
  walGroupBytesMax: 32 * MiB,
  /** Rows that are written as one batch without a turn for others between. */
  rowsInOneGoMax: 4096,
  /** What the disk has to take before the server says that it takes writes again. */
  walProbeBytes: 256 * 1024,
  /** Longest pause between attempts to move rows to disk that fail. */
  flushRetryMsMax: 30_000,
  /** Merged rows held in memory before they move into DuckDB; as much again may stay that waits for its other half. */
  dirtyBytesMax: 16 * MiB,
  dirtyRowsMax: 8192,
  /** Merged rows that move into DuckDB in one transaction; others have their turn between two. */
  drainedRowsMax: 8192,
  drainedBytesMax: 16 * MiB,
  /** While a reader waits for rows to move, writers are held back that would add to more than these. */
  readerWaitsForRows: 1024,
  /** How long a writer waits for rows to move to disk before it gets 503, and how much may wait. */
  backpressureWaitMs: 10_000,
  backpressureBytesMax: 64 * MiB,
  /** A hot part this large is flushed to Parquet. */
  memtableBytesMax: 128 * MiB,
  memtableRowsMax: 131_072,
  /** A row group is read as a whole for one row of it: small ones make `call/read` fast, large ones make scans a little faster. */
  rowGroupRowsMax: 4_096,
  /** JSON of a row group, beyond which it has fewer rows; and how many stretches of rows a file with wide ones is cut into at most. */
  rowGroupBytesMax: 16 * MiB,
  rowGroupsPerFileMax: 128,
  /** Data files that are asked for a key one by one; where there are more, they share a filter. */
  ungroupedFilesMax: 8,
  /** Small files are put together until one has `memtableRowsMax` rows or this size on the disk. */
  mergedBytesMax: 32 * MiB,
  /** Pause after all files were read because a query met one that cannot be. */
  fileCheckPauseMs: 5_000,
  /** How long nothing is put together after a failure. */
  compactionRetryMs: 60_000,
  /** How long nothing is made of a key index after a failure. */
  indexRetryMs: 60_000,
  /**
   * Files that others have replaced stay on the disk for this long, for whoever reads the folder beside the server: `tracelake sql`, a
   * backup, another Delta Lake program.
   */
  replacedFilesKeptMs: 300_000,
  /** How long a checkpoint of the Delta log names replaced files as removed: well beyond their end. */
  replacedFilesNamedMs: 3_600_000,
  /** How long commits stay that a checkpoint holds, unless `TRACELAKE_LOG_RETENTION_H` says otherwise. */
  logKeptMs: 86_400_000,
  /** How soon after one read the next looks again whether other programs have committed, and how long a read waits for what they have. */
  followPauseMs: 20,
  followBeforeReadMs: 1_000,
  /** How often something is read in all where other programs replace its files meanwhile. */
  replacedReadsMax: 4,
  /** How often a commit is made again because other programs committed first. */
  commitAttemptsMax: 50,
  /** How often a table is read again that a server changes while it is being read. */
  readBesideAttemptsMax: 20,
  /** Commits of a table after which a checkpoint spares the next start to read them one by one. */
  checkpointCommits: 50,
  /** How often it is looked whether a flush is due, or putting files together. */
  flushCheckMs: 1_000,
  /** A hot part nobody has written to for this long is flushed. */
  flushIdleMs: 30_000,
  /** A hot part is flushed at this age even under steady writes. */
  flushAgeMs: 300_000,
  /** Rows that still lack their other half, and tombstones, stay hot for this long, then go to Parquet as they are. */
  retainedAgeMs: 3_600_000,
  retainedRowsMax: 50_000,
  retainedBytesMax: 48 * MiB,

  /** How often contents that no project names are removed, how old they must be, and how many are looked up at a time. */
  blobSweepMs: 3_600_000,
  blobGraceMs: 3_600_000,
  blobsSweptTogether: 10_000,
  /** Jobs (evaluations and the like) that run at the same time; further ones wait in the order of their coming. */
  jobsAtOnce: 2,
  jobsWaitingMax: 10_000,
  /** A job that breaks off by itself is tried this often, after 1, 2, 4 … seconds. */
  jobAttemptsMax: 5,
  /** How often the server may die before a part of a job is done; then the job has failed. */
  jobStartsMax: 10,
  jobRetryMs: 1_000,
  /** Rows of an evaluation that are with the model or its scorers at the same time. */
  trialsAtOnce: 4,
  /** Scorers that one request may name. */
  scorersPerRequestMax: 64,

  /** What may be gathered in memory for an answer that cannot begin before it is whole. */
  heldAnswerBytesMax: 256 * MiB,
  /** About what a call in a roll-up takes in memory, a model's usage of it, and one more mention of that further up. */
  usageCallBytes: 512,
  usageOfModelBytes: 512,
  usageMentionBytes: 64,
  /** About what the digest of a row takes while its page is put together. */
  rowDigestBytes: 100,

  /** Answers up to this many rows are sorted in one piece. */
  pageRowsMax: 5_000,
  /** So many rows of feedback are read together without a look at their sizes. */
  fewRowsMax: 16,
  /** A stream in total order is fetched in windows of about this many bytes. */
  streamWindowBytes: 24 * MiB,
  /** Answers in Parquet under way, of all keys and of one; and their files on the disk, where there is more than one. */
  answerFilesMax: 64,
  answerFilesPerKeyMax: 32,
  answerFilesBytesMax: 1024 * MiB,
  answerFilesLookMs: 250,
  /** Longest row on its way into a Parquet file: a call of the largest body, its text escaped once more. */
  rowsFileLineBytesMax: 128 * MiB,
  /** Body bytes handed to the socket at a time. */
  streamChunkBytes: 512 * 1024,
  /** Live tails at a time, and events that a project remembers for them, unless `TRACELAKE_LIVE_…` says otherwise. */
  liveClientsMax: 64,
  /** So many keys get their share of the tails: one key has no more than this part of them, unless a setting says otherwise. */
  liveKeysAtLeast: 4,
  liveEventsMax: 10_000,
  /** Calls that are read for live tails at a time, and how long they wait for company. */
  liveBatchMax: 500,
  livePauseMs: 100,
  liveHeartbeatMs: 15_000,
  /** How long the events of a project are remembered without anybody listening. */
  liveKeepMs: 300_000,
  /** A tail that is taken up again from the files begins this much earlier: requests are stored a little later than they come. */
  liveOverlapMs: 2_000,
  liveExceptionCharsMax: 1_000,
  /** A client that does not even take its last event, the one that says why, is cut off after this; sooner when the server stops. */
  liveLastWordMs: 10_000,
  liveLastWordAtStopMs: 1_000,
  /** How long a collector has for the server's own spans. */
  ownTracesTimeoutMs: 2_000,
  /** How long a server that has lost its data folder still says so, and then how long it waits for answers under way. */
  lostFolderGraceMs: 1_000,
  /** How long shutdown waits for requests that are being answered. */
  drainMs: 10_000,
} as const
