import { LogFlushed } from '../wal/log-storage.ts'

/** Another writer has taken over. It is for good: a new writer needs a new epoch. */
export class Fenced extends Error {
  override readonly name = 'Fenced'
}

/** The rows that are being replayed have been stored meanwhile; open the log again. */
export class BorderMoved extends LogFlushed {
  override readonly name = 'BorderMoved'
}

/** What was appended at a time, under the number of its object. */
export interface LogEntry {
  readonly number: number
  readonly bytes: Uint8Array
}

/** A log with one writer at a time. Opening it fences off every earlier writer. */
export interface FencedLog {
  readonly epoch: number
  /** The highest number that is used, by rows or by a fence. */
  readonly last: number
  /** Numbers above the border. */
  readonly unflushed: number
  /** Those of rows; the others are fences. */
  readonly unflushedRows: number
  /**
   * What is above the border, in order. Read it before the first append, and to its end.
   *
   * @throws BorderMoved if an earlier writer has stored some of it; nothing of it counts then
   */
  replay(): AsyncIterable<LogEntry>
  /**
   * Resolves to the number once the store has the bytes, which takes as long as the store is away;
   * calls at the same time share an object.
   *
   * @throws Fenced; DomainError Overloaded if too much is waiting
   */
  append(bytes: Uint8Array): Promise<number>
  /**
   * Removes what is stored elsewhere: all numbers up to this one, after the Delta commit with this
   * border. Never removes a fence.
   *
   * @throws Fenced, ObjectStoreError
   */
  truncate(number: number): Promise<void>
  /** Resolves when another writer has taken over; then stop serving at once. */
  readonly fenced: Promise<Fenced>
  /** Why appends wait, while they do. */
  readonly failure: string | undefined
  /** Writes what waits, and accepts nothing more. */
  close(): Promise<void>
}
