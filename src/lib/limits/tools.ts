import { MiB } from '../bytes.ts'

/** Limits of commands, imports and tools for agents. */
export const toolLimits = {
  /** Timeout of an export of the server's own spans. */
  ownTracesTimeoutMs: 2_000,
  /**
   * After losing its data folder, how long the server keeps reporting so, and then how long it
   * drains.
   */
  lostFolderGraceMs: 1_000,
  /** How long a node waits for the lease of its lake before it says so. */
  standbySaidMs: 500,
  /**
   * Importers: length of a line or value in a file, size and records of a request, records whose
   * presence is checked at a time, how long an unreachable server is tried again, and memory for
   * files of tables.
   */
  importLineBytesMax: 128 * MiB,
  importBatchBytes: 4 * MiB,
  importBatchRecords: 1_000,
  importCheckedTogether: 1_000,
  importPatienceMs: 600_000,
  importMemoryBytesMax: 512 * MiB,
  /** Reasons for losses that an import reports. */
  importLossesNamedMax: 50,
  /** Sessions of which an import remembers whether they have telemetry. */
  importSessionsKnown: 10_000,
  /** How long shutdown waits for requests in progress. */
  drainMs: 10_000,
  /** A node that hands over flushes once more if that took longer, up to so many times in all. */
  flushIsShortMs: 1_000,
  flushesBeforeHandOver: 2,
  /** How long a node that hands over waits for them before the next node may answer. */
  handOverDrainMs: 150,
  /**
   * How often a node of a lake that is stopped looks whether the store answers, how long it waits
   * if not, and how long a stop may take at all.
   */
  stopLookMs: 250,
  stopAwayMsMax: 15_000,
  stopMsMax: 300_000,
  /**
   * How long a command that owns a lake waits for a store that does not answer, and, when it is
   * interrupted, until its lease is free.
   */
  commandAwayMsMax: 30_000,
  commandReleaseMs: 3_000,
  /**
   * Answers of the tools for agents: estimated tokens of an answer without notes on its arguments,
   * which make it 4,000 at most; those of them that its next steps and its count may take; and the
   * length of the pieces that it shows of texts.
   */
  agentAnswerTokensMax: 3_940,
  agentNextTokensMax: 400,
  agentCountTokensMax: 30,
  agentPreviewChars: 160,
  /** Calls on a page of such an answer, rows of its tables, and calls whose errors it shows. */
  agentCallsDefault: 10,
  agentCallsMax: 50,
  agentRowsDefault: 20,
  agentRowsMax: 100,
  agentErrorsShown: 5,
  /** Lines of a trace, and characters of a value. */
  agentTraceLinesDefault: 60,
  agentTraceLinesMax: 200,
  agentValueCharsDefault: 2_000,
  agentValueCharsMax: 10_000,
  /** Length of an agent's SQL statement. */
  sqlStatementCharsMax: 10_000,
} as const
