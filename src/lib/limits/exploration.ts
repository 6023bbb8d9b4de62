import { MiB } from '../bytes.ts'

/** Limits of what user interfaces read: fields, values, previews, threads and traces. */
export const explorationLimits = {
  /**
   * Pages of the last updated threads that end with at most this one read only threads that were
   * updated recently enough, if there are at most so many.
   */
  newestThreadsMax: 500,
  updatedThreadsMax: 1_000,
  /**
   * Distributions of feedback: groups by type and version, members of the payloads of a group,
   * payloads that say which there are, values of each, and length of a text among them.
   */
  feedbackGroupsMax: 60,
  groupPathsMax: 6,
  groupPayloads: 20,
  feedbackValuesMax: 12,
  feedbackValueChars: 120,
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
  /**
   * The fields of calls in data files with at least so many rows are kept in memory: the files read
   * for one list, the bytes kept of all lists, and the newer calls that are read beside them.
   */
  fieldsFileRowsMin: 8_192,
  fieldsFilesMax: 4,
  fieldsKeptBytes: 8 * MiB,
  fieldsCallsBeside: 500,
  fieldsBytesBeside: 2 * MiB,
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
} as const
