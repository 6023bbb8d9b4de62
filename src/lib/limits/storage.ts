import { MiB } from '../bytes.ts'

/** Limits of the log, the memtable, data files and blobs. */
export const storageLimits = {
  /** Idempotency keys: retention, number kept, and the largest response that is kept. */
  idempotencyKeptMs: 86_400_000,
  idempotencyKeysMax: 1_000_000,
  idempotencyAnswerCharsMax: 256 * 1024,
  idempotencySweepMs: 3_600_000,

  /** Bytes waiting for the write-ahead log; further writes are answered with 503. */
  walQueueBytesMax: 256 * MiB,
  /**
   * A write-ahead log of more bytes is replayed after the start while writes are already accepted;
   * so many bytes of them may wait for it.
   */
  logReplayedAtOpenBytesMax: 4 * MiB,
  arrivedDuringReplayBytesMax: 64 * MiB,
  /** Rows that are known to need no news of the rows below them. */
  knownLineagesMax: 16_384,
  /** How often calls of a trace learn anew after others were deleted, if they learn meanwhile. */
  relearningTriesMax: 5,
  /**
   * Rows of earlier versions learn of the rows below them so many at a time, or as many as have
   * this size on disk; the pause between files is as long as the work took, up to a maximum.
   */
  taughtAtOnceMax: 4096,
  taughtBytesMax: 8 * MiB,
  lineagePauseMsMax: 10_000,
  lineageRetryMs: 60_000,
  /** Levels between a call and the error inside that are distinguished. */
  lineageDepthMax: 1_000,
  /** Characters of the one line that represents an error. */
  errorLineCharsMax: 300,
  /** Rows of the log moved into DuckDB per transaction. */
  replayedRowsMax: 8192,
  /** After a large replay, its rows are hashed once the first readers had so much time. */
  hashedAfterReplayMs: 200,
  /** Approximate size of one group commit. */
  walGroupBytesMax: 32 * MiB,
  /** Rows written as one batch without yielding to other requests. */
  rowsInOneGoMax: 4096,
  /**
   * Bytes kept free on the disk for flushes and compactions, and at most this share of it; writes
   * are refused beyond. Overridden by `TRACELAKE_MIN_FREE_MB`.
   */
  reservedBytes: 256 * MiB,
  reservedShareMax: 0.05,
  /** Bytes of the probe write that must succeed before a failed store accepts writes again. */
  walProbeBytes: 256 * 1024,
  /** How long a compaction waits before each step for a flush that is behind. */
  flushPassesMsMax: 10_000,
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
   * delayed.
   */
  readerWaitsForRows: 1024,
  /**
   * Backpressure: how long a writer waits before it is answered with 503, and how many bytes may
   * wait.
   */
  backpressureWaitMs: 10_000,
  backpressureBytesMax: 64 * MiB,
  /** A memtable of so many rows is flushed, however small they are; see also `memoryLimits`. */
  memtableRowsMax: 131_072,
  /**
   * Reading one row reads its whole row group: small groups make `call/read` fast, large ones make
   * scans slightly faster.
   */
  rowGroupRowsMax: 4_096,
  /**
   * JSON bytes of a row group of wide rows: groups of equal numbers of rows have up to twice as
   * many. And the maximum number of runs that a file with wide rows is split into.
   */
  rowGroupBytes: 4 * MiB,
  rowGroupsPerFileMax: 512,
  /** JSON bytes of rows that are sorted at once when a file is written; each slice scans all. */
  sortedBytesMax: 16 * MiB,
  /**
   * JSON bytes and rows of a file that are rewritten at once; a larger file becomes several. Each
   * of them takes a scan of the whole file, so there is a maximum.
   */
  rewriteBytesMax: 128 * MiB,
  rewriteRowsMax: 163_840,
  rewriteRangesMax: 16,
  /**
   * Columns of a data file for frequent paths of its JSON: how many, from how many rows on, and the
   * rows that are sampled to choose them.
   */
  pathColumnsMax: 16,
  pathRowsMin: 64,
  pathRowsSampled: 256,
  /** Share of the sampled rows that have the path; bytes of JSON of each value, and on average. */
  pathShareMin: 0.02,
  pathValueBytesMax: 256,
  pathAverageBytesMax: 64,
  pathDepthMax: 8,
  /**
   * Data files with at least this much text have a filter of it; smaller ones are searched as
   * quickly. How many filters a search reads at once, and into how many parts of a query the files
   * are divided of which only some rows may match.
   */
  textFilterBytesMin: 16 * MiB,
  textFiltersReadAtOnce: 8,
  partialFileGroupsMax: 64,
  /** Mean bytes of a row on disk up to which row groups have their usual size. */
  alignedRowBytesMax: 1024,
  /**
   * Data files with at least this many rows have a rollup, unless it would have more than this
   * share of as many rows: by minute if all rows are from within so many minutes, and add up to at
   * most this share; else by hour. How many rows of rollups are kept in memory, for how long after
   * they were last used, and how many files are loaded at once.
   */
  rollupFileRowsMin: 1_000,
  rollupShareMax: 0.5,
  rollupMinutesMax: 30,
  rollupMinutesShareMax: 0.1,
  rollupRowsInMemoryMax: 1_000_000,
  rollupsKeptMs: 1_800_000,
  rollupsLoadedAtOnce: 16,
  /**
   * Data files with at least this many rows have a value index: the rows of a block, how many
   * values it counts per column, how many bytes they take, and the number of path columns of more
   * values by which it locates rows.
   */
  valueIndexRowsMin: 8192,
  valueIndexBlockRows: 2048,
  valuesCountedMax: 4096,
  valuesCountedBytesMax: 256 * 1024,
  pathsLocatedMax: 2,
  /** Values that one lookup may have, indexes read at once, and bytes of their pages in memory. */
  locatedValuesMax: 1024,
  valueIndexesReadAtOnce: 16,
  valueIndexCacheBytes: 32 * MiB,
  /**
   * Hidden keys up to which a count looks up the files that contain them, and takes them off: more
   * than twice `waitingChangesMax`, because both memtables hide them during a flush. Rows that only
   * replace others, up to which a count lists them. And rows of files without known counts up to
   * which these are counted one by one.
   */
  hiddenRowsCountedMax: 65_536,
  listedRowsMax: 20_000,
  uncountedRowsMax: 262_144,
  /** Columns for which the counted values of hidden rows are kept. */
  hiddenCountsKept: 64,
  /**
   * Rows of a project in data files beyond which the values of a field are those of a sample, if
   * there are too many to be counted; and the files that it has rows of, one row group of each.
   */
  sampledRowsMin: 262_144,
  sampledFilesMax: 16,
  /** Values of a path for which a condition is evaluated to skip files that lack them. */
  statedValuesMax: 10_000,
  /** Columns of files whose counts are kept in memory. */
  valueCountsKept: 1024,
  /** Data files of a table whose ends and filters are read at the same time at a start. */
  dataFilesOpenedAtOnce: 16,
  /**
   * Data files probed for a key one by one; beyond this number, files share a group, of at most so
   * many rows. Memory for what is known of the keys of single files, for each table.
   */
  ungroupedFilesMax: 8,
  groupRowsMax: 500_000_000,
  keyDirectoriesBytesMax: 4 * MiB,
  /** Small files are compacted until one has `memtableRowsMax` rows or this size on disk. */
  mergedBytesMax: 32 * MiB,
  /**
   * Cold files, which `TRACELAKE_COLD_FILE_MB` asks for: made once a table has so many files, of
   * days that have been over, and without new files, for so long. How many rows one has at most,
   * and above which size on disk a file counts as one. How often to look for work.
   */
  coldFromFiles: 256,
  coldAfterMs: 86_400_000,
  coldRowsMax: 524_288,
  coldBytesMin: 192 * MiB,
  coldCheckMs: 60_000,
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
  /**
   * After rows are erased: interval between checks whether commits with values of them can be
   * removed, and between the checkpoints that take their place.
   */
  erasedHistoryCheckMs: 30_000,
  erasedCheckpointPauseMs: 600_000,
  /** How often to look for rows that have been in the write-ahead log alone for too long. */
  staleRowsCheckMs: 60_000,
  /**
   * In a lake: the age at which a data file without a commit is removed, how often such files are
   * looked for, and how long after the start first.
   */
  uncommittedKeptMs: 3_600_000,
  uncommittedCheckMs: 3_600_000,
  uncommittedFirstCheckMs: 60_000,
  /**
   * For how long Delta checkpoints list replaced files as removed after these have been deleted.
   */
  replacedFilesNamedMs: 3_600_000,
  /**
   * How long to keep commits covered by a checkpoint; overridden by `TRACELAKE_LOG_RETENTION_H`.
   */
  logKeptMs: 86_400_000,
  /**
   * Minimum interval between checks for commits by other programs, and how long a read waits for
   * one.
   */
  followPauseMs: 20,
  followBeforeReadMs: 1_000,
  /** Attempts of a read whose files are replaced by other programs meanwhile. */
  replacedReadsMax: 4,
  /** Attempts to drain rows while more files have to be fetched for others that arrive. */
  awayReadsMax: 8,
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
   * Parquet as they are; how many, how many bytes of them, and at most which share of a memtable.
   */
  retainedAgeMs: 3_600_000,
  retainedRowsMax: 50_000,
  retainedBytesMax: 48 * MiB,
  retainedShareMax: 3 / 8,
  /**
   * A flush rewrites files of this size to remove rows that were deleted or replaced. Those in
   * larger ones stay there until the changes are `retainedAgeMs` old, or make up this share of a
   * file; then files of this size are rewritten at a time, one step a minute. At most so many
   * changes wait for that, with so many bytes of new rows, and at most this share of a memtable.
   */
  rewrittenFreelyBytesMax: 8 * MiB,
  rewritesAtOnceBytesMax: 64 * MiB,
  rewrittenShareMin: 1 / 3,
  waitingChangesMax: 20_000,
  waitingBytesMax: 32 * MiB,
  waitingShareMax: 1 / 4,

  /** Blob garbage collection: interval, minimum age of a blob, and blobs looked up at a time. */
  blobSweepMs: 3_600_000,
  blobGraceMs: 3_600_000,
  blobsSweptTogether: 10_000,
} as const
