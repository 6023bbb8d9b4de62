import type { Table } from '../kernel/table.ts'
import { callsTable } from './calls-table.ts'
import { costsTable } from './costs-table.ts'
import { feedbackTable } from './feedback-table.ts'
import { filesTable } from './files-table.ts'
import { idempotencyTable } from './idempotency-table.ts'
import { jobsTable } from './jobs-table.ts'
import { labelsTable } from './labels-table.ts'
import { objectsTable } from './objects-table.ts'
import { progressTable, queueItemsTable, queuesTable } from './queue-tables.ts'
import { tableChunks, tableLists, tableRows } from './stored-tables.ts'

/** Every table of the store. What a row refers to is written before it: see `referrersFirst`. */
export const tables: readonly Table[] = [
  callsTable,
  costsTable,
  feedbackTable,
  filesTable,
  objectsTable,
  labelsTable,
  queuesTable,
  queueItemsTable,
  progressTable,
  jobsTable,
  idempotencyTable,
  tableRows,
  tableChunks,
  tableLists,
]

/**
 * The same, each before those that its rows refer to. Content is written first, and what points at it after; who reads a folder while a
 * server writes to it goes the other way, and finds everything that is pointed at.
 */
export const referrersFirst: readonly Table[] = [
  idempotencyTable,
  progressTable,
  queueItemsTable,
  queuesTable,
  feedbackTable,
  jobsTable,
  callsTable,
  labelsTable,
  objectsTable,
  tableLists,
  tableChunks,
  tableRows,
  filesTable,
  costsTable,
]
