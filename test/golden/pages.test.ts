import { beforeAll, expect, test } from 'bun:test'
import type { ProjectReader } from '../../src/domains/access/caller.ts'
import { pageWindows } from '../../src/domains/calls/page-windows.ts'
import { planCalls, relationsOf } from '../../src/domains/calls/plan.ts'
import { linesInTime } from '../../src/domains/calls/time-windows.ts'
import type { StreamSnapshot } from '../../src/engine/reads/snapshot.ts'
import { callsTable } from '../../src/engine/tables/calls-table.ts'
import { dialects } from '../../src/formats/dialect/dialect.ts'
import { responseLimits } from '../../src/lib/limits/responses.ts'
import type { Relations } from '../../src/query/calls-plan.ts'
import { compileJsonLines } from '../../src/query/sql/statements.ts'
import { StoreBench } from '../store/store-bench.ts'
import { Random, seedOf } from './random.ts'

/*
 * Pages in the order of time are read from the files near their beginning first. Whatever the files
 * are, and wherever the rows in memory are said to be, the page is the same as that of all calls
 * sorted together.
 */

const cases = Number(Bun.env['TRACELAKE_TEST_QUERIES'] ?? 60)
const random = new Random(seedOf('random pages'))
const projectId = 'acme/pages'
const startMicros = 1.7e15
const reader = { projectId } as ProjectReader

interface Call {
  readonly id: string
  readonly second: number
  readonly n: number
}

let bench: StoreBench
const calls = new Map<string, Call>()

const storedRow = ({ id, second, n }: Call) =>
  callsTable.columns.map(({ name }) => {
    const cells: Record<string, string | number> = {
      project_id: projectId,
      id,
      trace_id: `trace-${n}`,
      op_name: 'op',
      started_at: startMicros + second * 1e6,
      ended_at: startMicros + second * 1e6 + 1,
      attributes: '{}',
      inputs: JSON.stringify({ n }),
      summary: '{}',
      written_at: bench.nowMs * 1000,
    }
    return cells[name] ?? null
  })

async function write(made: readonly Call[]): Promise<void> {
  for (const call of made) calls.set(call.id, call)
  await bench.store.write('calls', made.map(storedRow))
}

beforeAll(async () => {
  bench = await StoreBench.open([callsTable])
  // Files of different spans that overlap, with many calls in the same second. Half of them are
  // smaller, because compaction merges six files of a size.
  for (let file = 0; file < 10; file++) {
    const from = random.below(40)
    const span = 1 + random.below(20)
    const made = Array.from({ length: file % 2 === 0 ? 40 + random.below(60) : 10 + random.below(20) }, (_, at) => ({
      id: `call-${file}-${at}`,
      second: from + random.below(span),
      n: random.below(50),
    }))
    await write(made)
    await bench.store.flush()
  }
  const ids = [...calls.keys()]
  const deleted = ids.filter(() => random.below(20) === 0)
  await bench.store.write(
    'calls',
    deleted.map((id) => callsTable.tombstone(projectId, id, bench.nowMs * 1000)),
  )
  for (const id of deleted) calls.delete(id)
  await write(
    Array.from({ length: 15 }, (_, at) => ({ id: `new-${at}`, second: random.below(60), n: random.below(50) })),
  )
}, 120_000)

interface Page {
  readonly conditions: readonly object[]
  readonly sort_by: { readonly field: string; readonly direction: 'asc' | 'desc' }[]
  readonly limit: number
  readonly offset: number
}

/** As if memory had many rows, some thousands of which are after a second. */
function withHint({ calls, ...relations }: Relations, second: number | undefined): Relations {
  const recentSince = second === undefined ? undefined : startMicros + second * 1e6
  const branches = calls.branches.map(({ source, masks }) => ({
    source: source.kind === 'table' ? { ...source, recentSince } : source,
    masks,
  }))
  return { ...relations, calls: { ...calls, branches } }
}

/** The ids of a page, and whether its files were read in windows of time. */
async function idsOfPage(
  snapshot: StreamSnapshot,
  { conditions, ...page }: Page,
): Promise<{ ids: string[]; isDivided: boolean }> {
  const query = conditions.length === 0 ? undefined : { $expr: { $and: conditions } }
  const question = { ...page, query, columns: ['id'] }
  const plan = planCalls(reader, question, dialects.ext, new Map())
  const relations = withHint(await relationsOf(snapshot, plan), random.pick([undefined, random.below(70)]))
  const ids: string[] = []
  const lines = linesInTime({ snapshot, plan, relations }, (read, window) =>
    snapshot.texts(compileJsonLines(read.plan, read.relations, window)),
  )
  for await (const some of lines) ids.push(...some.map((line) => (JSON.parse(line) as Call).id))
  return { ids, isDivided: pageWindows(plan, relations.calls) !== undefined }
}

const lessThan = (below: number) => ({ $lt: [{ $getField: 'inputs.n' }, { $literal: below }] })
const startedBy = (second: number) => ({
  $lte: [{ $getField: 'started_at' }, { $literal: startMicros / 1e6 + second }],
})
const directions = ['asc', 'desc'] as const

test('random pages are those of all calls in order', async () => {
  let divided = 0
  await bench.store.readLong(['calls'], { projectId }, async (snapshot) => {
    for (let i = 0; i < cases; i++) {
      const direction = random.pick(directions)
      const below = random.pick([1, 5, 25, 50])
      const through = random.pick([undefined, random.below(60)])
      const page = {
        conditions: [lessThan(below), ...(through === undefined ? [] : [startedBy(through)])],
        sort_by: [{ field: 'started_at', direction }],
        limit: 1 + random.below(60),
        offset: random.pick([0, 0, 3, 40, 300]),
      }
      const { ids, isDivided } = await idsOfPage(snapshot, page)
      if (isDivided) divided++
      const sign = direction === 'asc' ? 1 : -1
      const expected = [...calls.values()]
        .filter(({ n, second }) => n < below && (through === undefined || second <= through))
        .toSorted((a, b) => sign * (a.second - b.second) || sign * (a.id < b.id ? -1 : 1))
        .slice(page.offset, page.offset + page.limit)
      expect(`${JSON.stringify(page)} ${ids}`).toBe(`${JSON.stringify(page)} ${expected.map(({ id }) => id)}`)
    }
  })
  console.log(`${divided} of ${cases} pages were read in windows`)
  expect(divided).toBeGreaterThan(cases / 2)
}, 600_000)

test('long answers in windows of time have the same lines as in one piece', async () => {
  const { pageRowsMax, streamWindowBytes } = responseLimits
  Object.assign(responseLimits, { pageRowsMax: 5, streamWindowBytes: 20_000 })
  try {
    let windows = 0
    await bench.store.readLong(['calls'], { projectId }, async (snapshot) => {
      for (let i = 0; i < cases / 3; i++) {
        const question = {
          query: { $expr: lessThan(random.pick([5, 25, 50])) },
          sort_by: [{ field: 'started_at', direction: random.pick(directions) }],
          limit: random.pick([undefined, 6 + random.below(600)]),
          offset: random.pick([0, 0, 40, 300]),
          columns: random.pick([undefined, ['id', 'inputs.n'], ['output']]),
        }
        const plan = planCalls(reader, question, dialects.ext, new Map())
        const relations = await relationsOf(snapshot, plan)
        const lines: string[] = []
        const read = linesInTime({ snapshot, plan, relations }, ({ plan, relations }, window) => {
          windows++
          return snapshot.texts(compileJsonLines(plan, relations, window))
        })
        for await (const some of read) lines.push(...some)
        const whole = await snapshot.rows(compileJsonLines(plan, relations))
        expect({ question, lines }).toEqual({ question, lines: whole.map(([line]) => line as string) })
      }
    })
    expect(windows).toBeGreaterThan(cases)
  } finally {
    Object.assign(responseLimits, { pageRowsMax, streamWindowBytes })
  }
}, 600_000)

test('random pages in the order of a path are those of all calls in order', async () => {
  await bench.store.readLong(['calls'], { projectId }, async (snapshot) => {
    for (let i = 0; i < cases; i++) {
      const [byPath, byStart] = [random.pick(directions), random.pick(directions)]
      const through = random.pick([undefined, undefined, random.below(60)])
      const page = {
        conditions: through === undefined ? [] : [startedBy(through)],
        sort_by: [
          { field: 'inputs.n', direction: byPath },
          { field: 'started_at', direction: byStart },
        ],
        limit: 1 + random.below(60),
        offset: random.pick([0, 0, 3, 40, 300]),
      }
      const { ids } = await idsOfPage(snapshot, page)
      const [n, start] = [byPath, byStart].map((direction) => (direction === 'asc' ? 1 : -1)) as [number, number]
      const expected = [...calls.values()]
        .filter(({ second }) => through === undefined || second <= through)
        .toSorted((a, b) => n * (a.n - b.n) || start * (a.second - b.second) || start * (a.id < b.id ? -1 : 1))
        .slice(page.offset, page.offset + page.limit)
      expect(`${JSON.stringify(page)} ${ids}`).toBe(`${JSON.stringify(page)} ${expected.map(({ id }) => id)}`)
    }
  })
}, 600_000)
