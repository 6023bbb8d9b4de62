import { auditTable } from './audit-table.ts'
import { callsTable } from './calls-table.ts'
import { costsTable } from './costs-table.ts'
import type { DescribedTable } from './define-table.ts'
import { feedbackTable } from './feedback-table.ts'
import { filesTable } from './files-table.ts'
import { idempotencyTable } from './idempotency-table.ts'
import { jobsTable } from './jobs-table.ts'
import { logsTable } from './logs-table.ts'
import { metricsTable } from './metrics-table.ts'
import { labelsTable, objectsTable } from './objects-table.ts'
import { progressTable, queueItemsTable, queuesTable } from './queue-tables.ts'
import { retentionTable } from './retention-table.ts'
import { ruleDeliveriesTable, ruleProgressTable, rulesTable } from './rules-tables.ts'
import { runFiguresTable } from './run-figures-table.ts'
import { runRowsTable } from './run-rows-table.ts'
import { tableChunks, tableLists, tableRows } from './stored-tables.ts'

/** Every table of the store. */
export const tables: readonly DescribedTable[] = [
  callsTable,
  costsTable,
  feedbackTable,
  filesTable,
  objectsTable,
  labelsTable,
  queuesTable,
  queueItemsTable,
  progressTable,
  logsTable,
  metricsTable,
  jobsTable,
  runFiguresTable,
  runRowsTable,
  idempotencyTable,
  rulesTable,
  ruleProgressTable,
  ruleDeliveriesTable,
  retentionTable,
  auditTable,
  tableRows,
  tableChunks,
  tableLists,
]

/**
 * The same tables, each before those that it refers to. Writers store a row after the rows it
 * refers to; a reader that goes through a folder in this order while a server writes finds them
 * all.
 */
export const referrersFirst: readonly DescribedTable[] = orderReferrersFirst(tables)

/** @throws Error for tables that refer to each other in a cycle, or to one outside the list */
export function orderReferrersFirst(all: readonly DescribedTable[]): DescribedTable[] {
  const ordered: DescribedTable[] = []
  const left = new Set(all)
  while (left.size > 0) {
    const next = [...left].find((table) => ![...left].some(({ refersTo }) => refersTo.includes(table)))
    if (next === undefined) {
      const names = [...left].map(({ name }) => name).join(', ')
      throw new Error(`Order the tables: ${names} refer to each other in a cycle`)
    }
    for (const { name } of next.refersTo.filter((table) => !left.has(table))) {
      throw new Error(`Order the tables: ${next.name} refers to ${name}, which is not in the list`)
    }
    ordered.push(next)
    left.delete(next)
  }
  return ordered
}
