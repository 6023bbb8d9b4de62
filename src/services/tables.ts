import type { Table } from '../model/table.ts'
import { progressTable, queueItemsTable, queuesTable } from './annotation-queues/queue-tables.ts'
import { callsTable } from './calls/calls-table.ts'
import { costsTable } from './costs/costs-table.ts'
import { feedbackTable } from './feedback/feedback-table.ts'
import { filesTable } from './files/files-table.ts'
import { jobsTable } from './jobs/jobs-table.ts'
import { labelsTable } from './objects/labels-table.ts'
import { objectsTable } from './objects/objects-table.ts'
import { tableChunks, tableLists, tableRows } from './row-tables/stored-tables.ts'

/** Every table of the store. */
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
  tableRows,
  tableChunks,
  tableLists,
]
