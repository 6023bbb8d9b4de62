import { MiB } from '../bytes.ts'

/** Limits of responses, streams and live tails. */
export const responseLimits = {
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
  /** Pages of up to this many rows may be read in two steps: which rows, then their columns. */
  scatteredRowsMax: 200,
  /** Values of a path that the rows of a page in its order may have, to be looked for. */
  topValuesMax: 1_000,
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
  /**
   * Events whose calls are read for live tails at a time. Between two reads is a pause that is
   * longer if these take long, so that tails leave time to others.
   */
  liveBatchMax: 1_000,
  /** Levels above a failed call up to which a live tail reports changes of ended calls. */
  liveLevelsMax: 100,
  livePauseMs: 100,
  livePauseMsMax: 1_000,
  livePauseFactor: 4,
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
} as const
