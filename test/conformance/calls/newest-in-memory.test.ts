import { beforeAll, describe, expect, test } from 'bun:test'
import { equals } from '../support/query-expression.ts'
import { freshProject, sharedServer } from '../support/target.ts'

// From 16,384 rows of a project in memory on, the newest pages are looked for among the newest
// of them.
const count = 20_480
const perBatch = 2_048
const project = freshProject(await sharedServer())

const idOf = (call: number): string => `call-${String(call).padStart(5, '0')}`
const newestFirst = (isWanted: (call: number) => boolean): string[] =>
  Array.from({ length: count }, (_, call) => count - 1 - call)
    .filter(isWanted)
    .map(idOf)

const isRare = (call: number): boolean => call % 1_000 === 7
const isRoot = (call: number): boolean => call % 4 === 0
const descending = { sort_by: [{ field: 'started_at', direction: 'desc' }] }

beforeAll(async () => {
  for (let first = 0; first < count; first += perBatch) {
    const calls = Array.from({ length: perBatch }, (_, at) => {
      // Not in the order of their starts.
      const call = first + ((at * 911) % perBatch)
      return {
        id: idOf(call),
        trace_id: `trace-${call >> 2}`,
        parent_id: isRoot(call) ? null : idOf(call - (call % 4)),
        started_at: new Date(1_700_000_000_000 + call * 10).toISOString(),
        ended_at: new Date(1_700_000_000_000 + call * 10 + 5).toISOString(),
        inputs: { model: isRare(call) ? 'rare' : 'usual' },
      }
    })
    await project.complete(...calls)
  }
}, 120_000)

describe('the newest calls of many in memory', () => {
  test('are found where the newest rows are enough', async () => {
    const request = { query: { $expr: equals('inputs.model', 'usual') }, ...descending, limit: 50 }
    expect(await project.idsOf(request)).toEqual(newestFirst((call) => !isRare(call)).slice(0, 50))
  })

  test('are found where they are not', async () => {
    const rare = newestFirst(isRare)
    const request = { query: { $expr: equals('inputs.model', 'rare') }, ...descending }
    expect(await project.idsOf({ ...request, limit: 50 })).toEqual(rare)
    expect(await project.idsOf({ ...request, limit: 5, offset: 9 })).toEqual(rare.slice(9, 14))
  })

  test('are found beyond an offset', async () => {
    const request = { query: { $expr: equals('inputs.model', 'usual') }, ...descending, limit: 20, offset: 6_000 }
    expect(await project.idsOf(request)).toEqual(newestFirst((call) => !isRare(call)).slice(6_000, 6_020))
  })

  test('are found among roots alone', async () => {
    const roots = newestFirst(isRoot)
    const request = { filter: { trace_roots_only: true }, ...descending }
    expect(await project.idsOf({ ...request, limit: 50 })).toEqual(roots.slice(0, 50))
    expect(await project.idsOf({ ...request, limit: 900, offset: 90 })).toEqual(roots.slice(90, 990))
  })

  test('are found after some were deleted', async () => {
    const gone = newestFirst((call) => !isRare(call)).slice(0, 30)
    await project.delete(...gone)
    const left = newestFirst((call) => !isRare(call)).slice(30, 80)
    expect(
      await project.idsOf({ query: { $expr: equals('inputs.model', 'usual') }, ...descending, limit: 50 }),
    ).toEqual(left)
  })
})
