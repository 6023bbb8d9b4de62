import { expect, test } from 'bun:test'
import type { ProjectReader } from '../../src/domains/access/caller.ts'
import { fewLines } from '../../src/domains/calls/few-lines.ts'
import { type CallsRequest, planCalls, relationsOf } from '../../src/domains/calls/plan.ts'
import { linesInTime } from '../../src/domains/calls/time-windows.ts'
import { callsTable } from '../../src/engine/tables/calls-table.ts'
import { dialects } from '../../src/formats/dialect/dialect.ts'
import { compileJsonLines } from '../../src/query/sql/statements.ts'
import { StoreBench } from '../store/store-bench.ts'

const projectId = 'acme/far'
const years = [2300, 2301, 2302, 2303, 2304, 9999]

function rowOf(year: number) {
  const micros = Date.UTC(year, 0, 1) * 1000
  const cells: Record<string, string | number> = {
    project_id: projectId,
    id: `call-${year}`,
    trace_id: `trace-${year}`,
    op_name: 'op',
    started_at: micros,
    ended_at: micros + 1000,
    attributes: '{}',
    inputs: `{"year":${year}}`,
    summary: '{}',
    ext_user_id: 'user',
    written_at: 1.7e15,
  }
  return callsTable.columns.map(({ name }) => cells[name] ?? null)
}

/** Numbers as large as these times are more than a microsecond apart. */
test('calls of far years are found by their start and on pages', async () => {
  await using bench = await StoreBench.open([callsTable])
  for (const year of years) {
    await bench.store.write('calls', [rowOf(year)])
    await bench.store.flush()
  }
  const yearsOf = (lines: readonly string[]) => lines.map((line) => JSON.parse(line).inputs.year as number)
  const read = async (request: CallsRequest) => {
    const plan = planCalls({ projectId } as ProjectReader, request, dialects.ext, new Map())
    return await bench.store.readLong(['calls'], { projectId }, async (snapshot) => {
      const relations = await relationsOf(snapshot, plan)
      const texts = linesInTime({ snapshot, plan, relations }, ({ plan, relations }, window) =>
        snapshot.texts(compileJsonLines(plan, relations, window)),
      )
      const found = yearsOf((await Array.fromAsync(texts)).flat())
      const few = await fewLines(snapshot, plan)
      if (few !== undefined) expect(yearsOf(few)).toEqual(found)
      return found
    })
  }
  const where = (operator: string, year: number) =>
    read({ query: { $expr: { [operator]: [{ $getField: 'started_at' }, { $literal: `${year}-01-01T00:00:00Z` }] } } })
  expect(await where('$eq', 2300)).toEqual([2300])
  expect(await where('$gte', 2304)).toEqual([2304, 9999])
  expect(await where('$lt', 2302)).toEqual([2300, 2301])
  for (const field of ['started_at', 'inputs.year']) {
    expect(await read({ limit: 4, sort_by: [{ field, direction: 'asc' }] })).toEqual(years.slice(0, 4))
    expect(await read({ limit: 4, sort_by: [{ field, direction: 'desc' }] })).toEqual(years.toReversed().slice(0, 4))
  }
})
