import { MiB } from '../bytes.ts'

/** Limits of reads from the store. */
export const readLimits = {
  /** Time limit of a query; overridden by `TRACELAKE_QUERY_TIMEOUT_S`. */
  queryTimeoutMs: 60_000,
  /** Time limit for reading the size of a data file, for a request that asks for its cost. */
  fileSizeMs: 60_000,
  /**
   * For rows that are read from data files without DuckDB: open files, bytes of them in memory,
   * bytes of footers that are kept, and the maximum width of rows (mean bytes on disk in a file).
   */
  pointFilesMax: 16,
  pointBytesMax: 128 * MiB,
  footerCacheBytes: 32 * MiB,
  pointRowBytesMax: 16 * 1024,
  /**
   * Pages and lookups of up to so many rows are read in this way, from so many row groups; with the
   * rows before a page that cannot be counted by row groups, up to so many places are kept. From
   * how many rows before a page on it is worth counting them.
   */
  pointRowsMax: 1_000,
  pointPlacesMax: 8_192,
  pointSkippedMin: 1_000,
  pointGroupsMax: 16,
  pointTextsMax: 100,
  /** Bytes of texts in the answered rows: beyond them, DuckDB reads the rows piece by piece. */
  pointAnswerBytesMax: 32 * MiB,
  /**
   * Concurrent reads; further ones wait. Streams, which last as long as their clients take, and
   * lookups, which always finish, are counted separately: a stream may need a lookup to make
   * progress.
   */
  lookupsMax: 16,
  streamsMax: 16,
  /**
   * Parsed statements that each of their connections keeps, and how long these may be: DuckDB has
   * about a hundred bytes for each character.
   */
  preparedStatementsMax: 8,
  preparedCharsMax: 4_096,
  /**
   * Threads that statements of readers leave to others, of those that wait for DuckDB and for files
   * (see docs/decisions/299-threads-that-wait.md); and the number of statements at a time while a
   * flush is behind, if there are not more processors than twice that.
   */
  threadsLeft: 2,
  statementsBesideFlush: 2,
  /**
   * While writes are behind, and for so long after they have caught up, half as many statements of
   * readers run as there are processors (see docs/decisions/294-writes-before-reads.md).
   */
  yieldToIngestMs: 1_000,
  /**
   * Where there are fewer places than that, a statement that takes longer than this no longer
   * counts. Of lookups, these are at most as many as there are places; as many again do not count
   * after so many times as long, and so on.
   */
  longStatementMs: 1_000,
  longStatementGrowth: 4,
  /**
   * Statements that name more data files than this take turns: so many run at a time, but not more
   * than have places, one of each project.
   */
  lookupFilesMax: 8,
  scansAtOnceMax: 2,
  /** Reads of either kind waiting for a reader; further ones are answered with 503. */
  readersWaitingMax: 256,
  /**
   * If others wait for a reader, a stream is ended when its client has read nothing for this long.
   */
  streamStallMs: 10_000,
} as const
