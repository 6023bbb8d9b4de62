import { expect, test } from 'bun:test'
import { Caller } from '../../src/domains/access/caller.ts'
import { callsRelation, planRows } from '../../src/domains/calls/plan.ts'
import type { Snapshot } from '../../src/engine/reads/snapshot.ts'
import { callsTable } from '../../src/engine/tables/calls-table.ts'
import type { Relation } from '../../src/lib/relation.ts'
import { columnField } from '../../src/query/catalog.ts'
import { always } from '../../src/query/expression.ts'
import { compilePlanned } from '../../src/query/sql/statements.ts'
import { Random, seedOf } from '../golden/random.ts'
import { StoreBench } from './store-bench.ts'

const projectId = 'acme/traces'
const second = 1_000_000
const rounds = 12

const callOf = (id: string, project: string, startedAt: number) => {
  const cells = callsTable.columns.map(() => null) as (string | number | null)[]
  const set = (name: keyof typeof callsTable.at, cell: string | number) => {
    cells[callsTable.at[name]] = cell
  }
  set('project_id', project)
  set('id', id)
  set('trace_id', 'trace')
  set('op_name', 'op')
  set('started_at', startedAt)
  set('ended_at', startedAt + second)
  set('attributes', '{}')
  set('inputs', '{}')
  set('written_at', startedAt)
  return cells
}

const newest = async (snapshot: Snapshot, relation: Relation, limit: number): Promise<unknown[]> => {
  const sort = [
    { field: columnField('started_at', 'time'), direction: 'desc' },
    { field: columnField('id'), direction: 'desc' },
  ] as const
  return await snapshot.rows(compilePlanned({ relation, projectId, where: always, columns: ['id'], sort, limit }))
}

const filesIn = ({ branches }: Relation): number =>
  branches.reduce((sum, { source }) => sum + (source.kind === 'files' ? source.paths.length : 0), 0)

test('the newest rows are found in the files that may hold them, whatever the order of arrival', async () => {
  const random = new Random(seedOf('newest rows'))
  await using bench = await StoreBench.open([callsTable])
  const { store } = bench
  let id = 0
  let skipped = 0
  for (let round = 0; round < rounds; round++) {
    // Some files overlap in time, some hold other projects too, and some rows are deleted again.
    const from = (round - random.below(3)) * 100
    const rows = Array.from({ length: 20 }, () => {
      const project = round % 4 === 3 && random.below(4) === 0 ? 'acme/other' : projectId
      return callOf(`call-${id++}`, project, (from + random.below(120)) * second + 1e15)
    })
    await store.write('calls', rows)
    if (round < rounds - 1) await store.flush()
    const deleted = Array.from({ length: random.below(6) }, () => `call-${random.below(id)}`)
    await store.write(
      'calls',
      deleted.map((call) => callsTable.tombstone(projectId, call, bench.nowMs * 1000)),
    )
    await store.read(['calls'], { projectId }, async (snapshot) => {
      const all = snapshot.relation('calls')
      for (const limit of [1, 5, 15, 40, 1000]) {
        const some = snapshot.relation('calls', {}, { lastRows: limit })
        expect(await newest(snapshot, some, limit)).toEqual(await newest(snapshot, all, limit))
        skipped += filesIn(all) - filesIn(some)
      }
    })
  }
  expect(skipped).toBeGreaterThan(rounds)
}, 120_000)

test('calls that started at the same time come in the order asked for, even if only some are read', async () => {
  await using bench = await StoreBench.open([callsTable])
  const ids = Array.from({ length: 40 }, (_, number) => `call-${String(number).padStart(2, '0')}`)
  await bench.store.write(
    'calls',
    ids.map((id) => callOf(id, projectId, 1e15)),
  )
  await bench.store.flush()
  const reader = new Caller({ userId: 'u', userName: 'u', role: 'read', scope: '*' }).read(projectId)
  for (const then of ['asc', 'desc'] as const) {
    const sort_by = [
      { field: 'started_at', direction: 'desc' },
      { field: 'id', direction: then },
    ] as const
    const plan = planRows(reader, { sort_by, limit: 3 })
    const found = await bench.store.read(['calls'], { projectId }, async (snapshot) => {
      const relation = await callsRelation(snapshot, plan, plan.where)
      const { where, sort, limit } = plan
      return await snapshot.rows(compilePlanned({ relation, projectId, where, columns: ['id'], sort, limit }))
    })
    expect(found.map(([id]) => id)).toEqual((then === 'asc' ? ids : ids.toReversed()).slice(0, 3))
  }
})
