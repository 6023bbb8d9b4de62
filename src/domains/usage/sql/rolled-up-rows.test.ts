import { expect, test } from 'bun:test'
import { rollupSteps } from '../../../engine/rollups/rollup-steps.ts'
import { callsTable } from '../../../engine/tables/calls-table.ts'
import type { Relation } from '../../../lib/relation.ts'
import { always } from '../../../query/expression.ts'
import { Parameters } from '../../../query/sql/parameters.ts'
import { Database } from '../../../runtime/duck/database.ts'
import { Reader } from '../../../runtime/duck/reader.ts'
import { placedSumsSql } from './rolled-up-rows.ts'

const sumsTable = 'sums_of_calls'
const relation: Relation = {
  branches: [{ source: { kind: 'table', name: sumsTable, fileNumbers: [1] }, masks: [] }],
  key: callsTable.key,
  presenceColumn: callsTable.presenceColumn,
}

test('sums by minute get their local buckets from little memory, however long the range is', async () => {
  const database = await Database.open({ memoryBytesMax: 64e6, temporaryFolder: '' })
  const connection = await database.connect()
  const reader = new Reader(connection)
  await connection.run(`CREATE TABLE ${sumsTable} AS
    SELECT 1 AS file, 'p' AS project_id, 'op' AS op_name, TIMESTAMPTZ '2026-04-04 14:01:00Z' AS started_at, 5 AS calls`)
  const [start, end] = [Date.UTC(1900, 0, 1) * 1000, Date.UTC(2100, 0, 1) * 1000]
  const nothing = { ...relation, branches: [] }
  const request = {
    scope: { projectId: 'p', where: always, start, end, feedback: undefined, queues: undefined, usage: undefined },
    calls: {
      ...{ rest: nothing, before: undefined, after: undefined, sums: relation, lists: relation },
      ...{ whole: { from: start, until: end }, stepMicros: rollupSteps.minute },
    },
    // Half an hour off the hours of UTC, and another hour in summer.
    buckets: { granularitySeconds: 86_400, timezone: 'Australia/Adelaide' },
    groups: undefined,
  }
  const parameters = new Parameters()
  const rows = placedSumsSql(request, 'sums', ['calls'], parameters)
  const sql = { text: `SELECT bucket, calls FROM (${rows})`, values: parameters.values }
  const day = Date.UTC(2026, 3, 4) * 1000 - 10.5 * 3_600_000_000
  expect(await reader.rows(sql, { timeoutMs: 60_000 })).toEqual([[day + 24 * 3_600_000_000, 5]])
  reader.close()
  database.close()
}, 120_000)
