import { MiB } from '../bytes.ts'

/** Bounds of one statement of a user, in a process of its own. */
export interface StatementLimits {
  /** How long its tables may take to open, and how long it may then run. */
  readonly openingMs: number
  readonly timeoutMs: number
  /** Memory of DuckDB, bytes that it may write to disk, and bytes of the answer. */
  readonly memoryBytes: number
  readonly spillBytes: number
  readonly outputBytesMax: number
  /** Characters of a cell, which is shortened to them; whole cells if undefined. */
  readonly cellCharsMax?: number
}

/** Limits of the statements of users. */
export const sqlLimits = {
  statementCharsMax: 50_000,
  rowsDefault: 1_000,
  rowsMax: 10_000,
  /** How many may wait, of agents and people together: one runs at a time. */
  waitingMax: 8,
  /**
   * Memory of the whole process above that of DuckDB, which counts neither all its bytes nor those
   * of the program; and how often it is looked at.
   */
  residentBytesMore: 512 * MiB,
  residentCheckMs: 50,
  messageCharsMax: 1_000,
  /** The nesting of a statement that is allowed. */
  depthMax: 400,
  /** Edits between a misspelt table and the one that an error suggests. */
  suggestionEditsMax: 4,
  /** Prices that the views for other engines may list. */
  viewPricesMax: 20_000,
} as const

/** Statements that people run over HTTP. */
export const consoleStatement: StatementLimits = {
  openingMs: 30_000,
  timeoutMs: 10_000,
  memoryBytes: 256 * 1_000_000,
  spillBytes: 1_000_000_000,
  outputBytesMax: 16 * MiB,
}

/** Statements of agents; their tables open within the time that they have. */
export const agentStatement: StatementLimits = {
  openingMs: 30_000,
  timeoutMs: 30_000,
  memoryBytes: 512 * 1_000_000,
  spillBytes: 1_000_000_000,
  outputBytesMax: 4 * MiB,
  cellCharsMax: 2_000,
}
