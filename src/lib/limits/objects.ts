import { MiB } from '../bytes.ts'

/** Limits of requests to object stores. */
export const objectLimits = {
  /** Attempts of one request, the first pause between them, and the longest. */
  attemptsMax: 6,
  retryMs: 50,
  retryMsMax: 5_000,
  /** Time for one attempt, and for each MiB of it. */
  attemptMs: 10_000,
  attemptMsPerMiB: 1_000,
  /** Objects named by one answer of a listing. */
  listedAtOnce: 1_000,
  /** Larger objects are sent in parts of this size; S3 wants 5 MiB at least. */
  partBytes: 8 * MiB,
  /** Characters of an error document that are read. */
  errorCharsMax: 16_384,
  /** Credentials are fetched anew so long before they expire. */
  credentialsMarginMs: 300_000,
  credentialsFetchMs: 2_000,
  credentialsRetryMs: 10_000,
} as const

/** Limits of the log in an object store. */
export const logLimits = {
  /** Objects with rows that no table has yet; appends then wait for a flush. */
  unflushedMax: 500,
  /** So many lead to a flush, and so many to the refusal of further writes. */
  flushedFrom: 250,
  refusedFrom: 450,
  /** So many fences above the border lead to a flush, too: the next node has to read them. */
  fencesMax: 16,
  /** Objects that a replay reads at the same time. */
  readAhead: 16,
  /** Bytes of a log that a standby reads before it takes over. */
  preparedBytesMax: 8 * MiB,
  /** Objects that are removed at the same time. */
  removedAtOnce: 16,
  /** For so long after an append, the next ones wait for others; bytes that share an object. */
  groupAgeMs: 20,
  groupBytesMax: 8 * MiB,
  /** Bytes that wait to be written; further appends are refused. */
  queueBytesMax: 256 * MiB,
} as const

/** Limits of the lease of the node that should write. */
export const leaseLimits = {
  /** How long it lasts without being renewed, and how often other nodes check that it is. */
  lastsMs: 3_000,
  lookMs: 500,
  renewMs: 1_000,
  /** How often they do while the holder says that it leaves, or once it may be over. */
  lookAtLeavingMs: 50,
  /** Without a renewal for so long, they prepare to take over. */
  lateMs: 1_500,
  /** How long a holder that leaves waits for a successor, and then until that is ready. */
  successorMs: 700,
  successorReadyMsMax: 10_000,
  /** Time limit of a request of the holder; how long a failed one means that the store is away. */
  attemptMs: 2_000,
  failureLastsMs: 10_000,
  /** The holder counts it as over so much earlier: clocks run at different speeds. */
  marginMs: 500,
} as const

/** Limits of the cache of files of a lake. */
export const cacheLimits = {
  /** Its size unless one is configured, and the smallest that is allowed. */
  bytesMax: 16_384 * MiB,
  bytesMin: 64 * MiB,
  /** Parts of a large file that are fetched and kept by themselves. */
  blockBytes: 256 * 1024,
  /** Pieces of one file that are fetched at the same time. */
  piecesAtOnce: 3,
  /** Files fetched at the same time for one reader, and bytes for all. */
  heldAtOnce: 16,
  fetchedBytesAtOnce: 128 * MiB,
  /** Lines of its journal beyond twice the number of files before it is written anew. */
  journalSlackLines: 1_000,
} as const

/** Limits of tables in an object store. */
export const lakeLimits = {
  /** How long SQL may fail to see a row that was accepted. */
  sqlBehindMsMax: 10_000,
  /** Tables that are opened at the same time, and when and how often their number is logged. */
  tablesOpenedAtOnce: 32,
  openingSaidMs: 3_000,
  /** Files of a snapshot of a lake that are fetched at the same time. */
  fetchedAtOnce: 8,
  /** Files of a Delta log that are fetched at the same time. */
  commitsFetchedAtOnce: 16,
  /** Attempts to read a table while its node replaces files of it; what was fetched stays. */
  snapshotAttemptsMax: 20,
  /** Entries of the log become segments of this size. */
  segmentBytesMax: 16 * MiB,
  /** How long SQL waits for files. */
  sqlFetchMsMax: 60_000,
  /** Memory for Bloom filters of data files, and how many of them are fetched at the same time. */
  filterBytesMax: 256 * MiB,
  filtersLoadedAtOnce: 16,
  /** A read waits for the filters of so many files; it goes on without those of more. */
  filtersAwaitedMax: 64,
  filtersAwaitedMsMax: 2_000,
  /** How long a reader waits for a part of a file. */
  partMsMax: 20_000,
  /** So few files are looked into without their filters: that takes no more requests. */
  filesWithoutFilterMax: 4,
  /** Indexes of a table whose sizes are asked for one by one; for more, all of them are listed. */
  sizesAskedMax: 4,
  /**
   * What is fetched ahead when a node begins to serve: the newest files of each table, files at the
   * same time, the share of the cache, and the share of the memory for filters.
   */
  prefetchedFilesMax: 8,
  prefetchedAtOnce: 4,
  prefetchedShareMax: 1 / 4,
  prefetchedFiltersShareMax: 3 / 4,
} as const

/** Limits of the contents of uploaded files in an object store. */
export const blobLimits = {
  /** Blobs whose objects are found without asking the store. */
  knownMax: 20_000,
} as const

/** Limits of documents in an object store. */
export const documentLimits = {
  /**
   * How long the version of a document counts as known, when the store is asked again, and how long
   * to wait for its answer.
   */
  knownForMs: 2_000,
  askedAgainMs: 1_000,
  askedForMs: 1_000,
  /** The shortest time between questions for the newest version of a document. */
  newestEveryMs: 100,
  /** Attempts of a change while others come first; the longest pause after the first attempt. */
  changeTriesMax: 20,
  changeWaitMs: 20,
} as const

/** Limits of a copy of a data folder to or from an object store. */
export const copyLimits = {
  /** Files on their way at the same time; each may need three parts of memory. */
  filesAtOnce: 6,
} as const
