import { MiB } from '../bytes.ts'

/** Limits of requests, connections, keys and sessions. */
export const requestLimits = {
  /** Maximum size of a decompressed request body; overridden by `TRACELAKE_MAX_BODY_MB`. */
  bodyBytesMax: 32 * MiB,
  /** Maximum size of an uploaded file; overridden by `TRACELAKE_MAX_FILE_MB`. */
  fileBytesMax: 4096 * MiB,
  /** Text fields beside the file in an upload form, and bytes per field. */
  formFieldsMax: 16,
  formFieldBytesMax: 4096,
  fileNameCharsMax: 1024,
  /** Bytes of attributes, inputs, output and summary of a call, if large ones are stripped. */
  callPayloadBytesMax: 3.5 * MiB,
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
  /** Chunks read at a time where all of a table are: fewer reads decode fewer row groups twice. */
  tableChunksScanned: 64,
  /**
   * Rows, and their bytes, looked up or written per step; other requests get their turn between
   * steps.
   */
  tableRowsTogether: 8192,
  /** Rows whose places are looked up at a time: a lookup of many reads as much as one of few. */
  tableRowsLookedUp: 16_384,
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
  /** Numbers of a quickly parsed body that are preserved digit by digit. */
  quickExactNumbersMax: 10_000,
  /**
   * Batches of calls of this size are prepared in threads: the fewest bytes, because the way to a
   * thread and back has a price; and the most, because a thread works on one body at a time.
   */
  intakeBytesMin: 32 * 1024,
  intakeBytesMax: 8 * MiB,
  /**
   * Those threads: how many, when they end without work, the pause after one failed, and how long
   * batches wait for one that is starting.
   */
  intakeThreadsMax: 8,
  intakeIdleMs: 30_000,
  intakeRetryMs: 10_000,
  intakeStartWaitMs: 1_000,
  /** Writes are behind once one of those threads has had a batch for so long. */
  intakeBehindMs: 40,
  /**
   * Bodies up to this size are accounted by their text only; larger ones up to `quickBodyBytesMax`
   * by this growth factor.
   */
  smallBodyBytesMax: 64 * 1024,
  quickBodyGrowth: 16,
  /** Estimated memory for the parsed value of one body, in addition to its text. */
  bodyValueBytesMax: 256 * MiB,
  /**
   * Object members in one body whose names are integers in non-ascending order: these are forty
   * times as expensive as others.
   */
  reorderedMembersMax: 20_000,
  /** How long a body waits for memory (see `memoryLimits`), and how many may wait. */
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
  /**
   * Read-only links to traces: the longest life, how long the end of one is remembered, and how
   * many may be open, for one trace and for all.
   */
  sharedLinkSecondsMax: 90 * 86_400,
  sharedLinkKeptMs: 30 * 86_400_000,
  sharedLinksPerTraceMax: 50,
  sharedLinksMax: 5_000,
  /** Calls that one request of a link's visitor may name. */
  sharedCallsMax: 100,
  /**
   * Signing in through an OpenID provider: how long an attempt may take, how many are remembered to
   * refuse their repetition, how long the provider may take for an answer, and how long its
   * description is kept.
   */
  signInMs: 600_000,
  signInsRemembered: 20_000,
  oidcTimeoutMs: 10_000,
  oidcDiscoveryMs: 3_600_000,
  /**
   * How long sessions outlast the last check of their groups while the provider does not answer;
   * how long one lasts that cannot be checked at all; the time between two checks that fail.
   */
  oidcOutageMs: 900_000,
  oidcUncheckedMs: 3_600_000,
  oidcRetryMs: 15_000,
  /** Signed-in users that are remembered to show the names of authors. */
  accountsMax: 50_000,
  /**
   * Audit log: how long changes wait to be written together, and how many may; how long telemetry
   * and reads are counted together, and how many rows that may make; ids per entry, their length;
   * the length of a reason.
   */
  auditWriteMs: 1_000,
  auditPendingMax: 10_000,
  auditCountedMs: 60_000,
  auditCountedMax: 5_000,
  auditIdsMax: 20,
  auditIdCharsMax: 128,
  auditReasonCharsMax: 500,
  /** Entries per response, and the deletion of old ones: how often, and how many at a time. */
  auditListedDefault: 100,
  auditListedMax: 1_000,
  auditSweepMs: 3_600_000,
  auditSweepBatch: 5_000,
  /** API keys per data folder, including revoked ones. */
  apiKeysMax: 10_000,
  /** How long a key that was replaced may keep working. */
  keyOverlapSecondsMax: 30 * 86_400,
  /**
   * Locks of the files with keys and secrets: how long a change waits, and the age at which a lock
   * counts as abandoned.
   */
  fileLockWaitMs: 15_000,
  /** Between two writes of when API keys were last used. */
  keyUsesWriteMs: 60_000,
  fileLockStaleMs: 5_000,
  /** Length of a GraphQL query, and its tokens; those of SDKs have about thirty. */
  graphqlQueryCharsMax: 10_000,
  graphqlTokensMax: 500,
  bodiesWaitingMax: 256,
} as const
