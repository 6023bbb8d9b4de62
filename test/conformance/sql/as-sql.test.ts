import { beforeAll, expect, test } from 'bun:test'
import type { FilterNode } from '../../../src/web/filter/expression.ts'
import { parseFilter } from '../../../src/web/filter/parse-filter.ts'
import { within } from '../../../src/web/filter/time-range.ts'
import { toQuery } from '../../../src/web/filter/to-query.ts'
import { freshProject, sharedServer } from '../support/target.ts'
import { countsBySql } from './counts-by-sql.ts'

const client = await sharedServer()
const [project, other] = [freshProject(client), freshProject(client)]

beforeAll(async () => {
  const at = (minute: number) => `2026-11-20T10:${String(minute).padStart(2, '0')}:00Z`
  const call = (id: number, more: object) => ({
    id: `call-${id}`,
    trace_id: `trace-${Math.floor(id / 3)}`,
    op_name: ['ask', 'answer', `ext-trace-internal:///${project.id}/op/ask:abc`][id % 3] ?? 'ask',
    started_at: at(id),
    ended_at: at(id + (id % 4)),
    ...(id % 3 === 0 ? {} : { parent_id: `call-${id - (id % 3)}` }),
    ...(id % 5 === 0 ? { thread_id: `O'Hara ${id % 2}` } : {}),
    ...more,
  })
  const calls = Array.from({ length: 30 }, (_, id) =>
    call(id, {
      ...(id % 7 === 1 ? { exception: 'TimeoutError: No Answer' } : {}),
      ...(id % 11 === 4 ? { ended_at: null } : {}),
    }),
  )
  await project.add(...calls.slice(0, 20))
  await client.post('/flush', {})
  await project.add(...calls.slice(20))
  await other.add(call(3, {}), call(4, {}))
})

const filters = [
  '',
  'op = ask',
  'op != "ask"',
  'op in (ask, answer)',
  'status = ok',
  'status = error',
  'status = failed',
  'status != failed',
  'status in (failed, running)',
  'latency > 1m',
  'latency >= 60000 and latency < 3m',
  'not latency > 1m',
  'error contains "no answer"',
  'error not contains "no answer"',
  'error contains exactly "No Answer"',
  'thread exists',
  'thread missing and status = ok',
  `thread = "O'Hara 0"`,
  'thread != "nobody"',
  'parent missing',
  'ended > "2026-11-20T10:12:00Z"',
  'op = ask or status = failed',
  'not (op = ask or thread exists)',
  'id in ("call-1", "call-2", "call-99")',
  'trace = "trace-4"',
]

const ranges = {
  'at all times': (node: FilterNode | undefined) => node,
  'from a time on': (node: FilterNode | undefined) => within(node, Date.parse('2026-11-20T10:05:00Z'), undefined),
  'between two times': (node: FilterNode | undefined) =>
    within(node, Date.parse('2026-11-20T10:05:00Z'), Date.parse('2026-11-20T10:20:00Z')),
}

test.each(Object.entries(ranges))(
  'finds as many calls and traces as the table, %s',
  async (_when, inRange) => {
    const cases = filters.flatMap((text) =>
      [false, true].map((rootsOnly) => ({
        name: `${text} ${rootsOnly}`,
        rootsOnly,
        filter: inRange(parseFilter(text)),
      })),
    )
    const counted = await Promise.all(
      cases.map(async ({ name, rootsOnly, filter }) => {
        const query = toQuery(filter, rootsOnly)
        const { json } = await client.post<{ count: number }>('/calls/query_stats', {
          project_id: project.id,
          ...(rootsOnly && { filter: { trace_roots_only: true } }),
          ...(query && { query }),
        })
        return `${name}: ${json.count}`
      }),
    )
    const found = await countsBySql(project, cases)
    expect(cases.map(({ name }, index) => `${name}: ${found[index]}`)).toEqual(counted)
    expect(new Set(found).size).toBeGreaterThan(8)
  },
  300_000,
)
