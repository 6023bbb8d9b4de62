import type { DirtyRow } from '../memtable/memtable.ts'

/**
 * Where the messages of a write-ahead log are kept: in files of the table's folder, or as objects.
 * Its parts are numbered. What a flush has stored is a whole number of parts.
 */
export interface LogStorage {
  /**
   * Application id under which the Delta log records the number of the last part whose rows are in
   * files.
   */
  readonly application: string
  /** Whether nothing may be appended before a flush has made it shorter. */
  readonly isFull: boolean
  /** Whether a flush should make it shorter. */
  readonly isLong: boolean
  /** Why appends wait, while they do. */
  readonly failure: string | undefined
  /** For how long further messages should be awaited, so that more of them are stored together. */
  readonly gatheringMs: number
  /** Stores messages durably, after all before. They are unchanged until this returns. */
  append(messages: readonly Uint8Array[]): Promise<void>
  /**
   * Ends the part that messages have been appended to, and begins the next one with these.
   *
   * @returns the number of the last part that ended
   */
  rotate(messages: readonly Uint8Array[]): Promise<number>
  /** Removes parts up to and including `through`, whose rows are in files. */
  removeThrough(through: number): Promise<void>
  /** Tries whether it can be written again, after a failure. @throws if not */
  probe(): Promise<void>
  close(): Promise<void>
}

/** What has to be replayed of a log, and where the log goes on. */
export interface LogBacklog {
  /** Bytes to replay, as far as they are known. */
  readonly bytes: number
  readonly storage: LogStorage
  /** Whether the rows go into DuckDB before the table is open, or when they are first read. */
  readonly isDrained: boolean
  /** Begins to read what is to be replayed later. */
  readAhead?(): void
  /** Passes the rows to `apply` in log order, batch by batch. */
  replay(apply: (rows: readonly DirtyRow[]) => Promise<void>): Promise<void>
}

/** An earlier writer has flushed what is being replayed: open the table again. */
export class LogFlushed extends Error {}
