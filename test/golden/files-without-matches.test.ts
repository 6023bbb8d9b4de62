import { expect, test } from 'bun:test'
import type { ProjectReader } from '../../src/domains/access/caller.ts'
import { callsRelation, planRows } from '../../src/domains/calls/plan.ts'
import { callsTable } from '../../src/engine/tables/calls-table.ts'
import { storageLimits } from '../../src/lib/limits/storage.ts'
import { compilePlanned } from '../../src/query/sql/statements.ts'
import { callRow } from '../store/call-row.ts'
import { StoreBench } from '../store/store-bench.ts'

const projectId = 'acme/scores'
const reader = { projectId } as ProjectReader
const rowsPerFile = 100

const rowOf = (at: number, score: string) => callRow(projectId, at, { inputs: `{"score":${score}}` })

test('a condition on a path finds the calls of a file that only locates its values', async () => {
  const { valueIndexRowsMin, valueIndexBlockRows, valuesCountedMax } = storageLimits
  Object.assign(storageLimits, { valueIndexRowsMin: 1, valueIndexBlockRows: 8, valuesCountedMax: 20 })
  try {
    await using bench = await StoreBench.open([callsTable])
    // The first file has few scores, which it counts; the second has too many for that.
    for (const scoreAt of [(at: number) => String(at % 5), (at: number) => `${at}.5`]) {
      const from = scoreAt(0) === '0' ? 0 : rowsPerFile
      const rows = Array.from({ length: rowsPerFile }, (_, at) => rowOf(from + at, scoreAt(at)))
      await bench.store.write('calls', rows)
      await bench.store.flush()
    }
    await bench.store.read(['calls'], { projectId }, async (snapshot) => {
      const query = { $expr: { $gt: [{ $getField: 'inputs.score' }, { $literal: 3 }] } }
      const plan = planRows(reader, { query })
      const relation = await callsRelation(snapshot, plan, plan.where)
      const found = await snapshot.rows(compilePlanned({ ...plan, relation, columns: ['id'] }))
      expect(found.length).toBe(20 + 97)
    })
  } finally {
    Object.assign(storageLimits, { valueIndexRowsMin, valueIndexBlockRows, valuesCountedMax })
  }
})
