import { beforeAll, expect, test } from 'bun:test'
import { parseFilter } from '../../../src/web/filter/parse-filter.ts'
import { toQuery } from '../../../src/web/filter/to-query.ts'
import { asSql, NoSql } from '../../../src/web/sql/as-sql.ts'
import { createCosts } from '../support/costs.ts'
import { callRef, giveFeedback } from '../support/feedback.ts'
import { Queues } from '../support/queues.ts'
import { freshProject, sharedServer } from '../support/target.ts'
import { countsBySql } from './counts-by-sql.ts'

const client = await sharedServer()
const project = freshProject(client)
const queues = new Queues(project)
let [queue, deleted] = ['', '']

const used = (model: string, input: number, output: number, more: object = {}) => ({
  [model]: { input_tokens: input, output_tokens: output, ...more },
})

/** A number with all its digits. */
const digits = (text: string): unknown => Reflect.get(JSON, 'rawJSON')(text)

/** Values of every type at the same path. */
const inputs: readonly Record<string, unknown>[] = [
  { question: 'How do I get a refund?', n: 5, big: digits('9007199254740993'), deep: { a: [{ b: 'x' }, { b: 'y' }] } },
  { question: 'Wo ist mein Geld, "Köln"?', n: '5', big: digits('9007199254740992'), deep: { a: [{ b: 'y' }] } },
  { question: '退款在哪里', n: 5.0, flag: true, deep: null },
  { question: 5, n: 'five', flag: 'true', list: [1, 2, 3] },
  { n: -2.5e3, flag: false, list: {}, 'dotted.key': 1, 'a/b~c': 'slash' },
  { question: '', n: null, list: 'four', note: "It's 100 % refund_ed" },
  {},
]

beforeAll(async () => {
  await createCosts(project, {
    'cheap-model': { prompt_token_cost: 0.001, completion_token_cost: 0.002 },
    'dear-model': { prompt_token_cost: 0.1, completion_token_cost: 0.3 },
  })
  const usages = [
    used('cheap-model', 100, 20),
    { ...used('cheap-model', 1, 1), ...used('dear-model', 10, 5) },
    used('unpriced-model', 7, 0, { total_tokens: 9 }),
    undefined,
    used('stated', 0, 0, { stated_cost: 0.25 }),
  ]
  const calls = Array.from({ length: 35 }, (_, id) => ({
    id: `v${id}`,
    trace_id: `trace-${Math.floor(id / 4)}`,
    ...(id % 4 === 0 ? {} : { parent_id: `v${id - (id % 4)}` }),
    started_at: `2026-11-20T11:${String(id).padStart(2, '0')}:00Z`,
    turn_id: id % 6 === 0 ? 'turn-1' : null,
    display_name: id % 8 === 1 ? 'A Refund' : null,
    inputs: inputs[id % inputs.length] ?? {},
    output: [{ answer: 'No refund' }, 'Plain REFUND text', 5.0, null, [1, 'two'], true][id % 6],
    attributes: { kind: ['llm', 'LLM', 'tool', undefined][id % 4], env: { region: id % 2 ? 'eu' : 'us' } },
    summary: { ...(usages[id % 5] && { usage: usages[id % 5] }), shop: { hits: id } },
    exception: id % 9 === 3 ? 'RefundError: none left' : null,
  }))
  await project.add(...calls.slice(0, 24))
  await client.post('/flush', {})
  await project.add(...calls.slice(24))
  const scores = [0.2, 0.5, 1, '0.5', true]
  for (const [id, value] of scores.entries()) {
    const ext_ref = callRef(project, `v${id * 3}`)
    await giveFeedback(project, { ext_ref, feedback_type: 'rating', payload: { value, why: 'Too short' } })
    await giveFeedback(project, {
      ext_ref,
      feedback_type: 'ext.runnable.judge',
      payload: { output: { passed: id % 2 === 0 } },
      runnable_ref: `ext:///${project.id}/object/judge:v${id % 2}`,
    })
  }
  await giveFeedback(project, {
    ext_ref: callRef(project, 'v1'),
    feedback_type: 'ext.note.1',
    payload: { note: 'needs a refund' },
  })
  ;[queue, deleted] = [(await queues.create()).json.id, (await queues.create()).json.id]
  await queues.add(queue, ['v1', 'v2', 'v3'])
  await queues.add(deleted, ['v3', 'v4'])
  await queues.delete(deleted)
})

const filters = (): string[] => [
  // Words without a field, in several scripts, and with signs that patterns would read.
  ...['refund', 'REFUND and not five', '"Köln"', '退款', '"100 %"', '"refund_ed"', `"It's"`, '"\\"question\\""', '"5"'],
  // Texts, numbers and truth values at the same path.
  ...['inputs.question = "How do I get a refund?"', 'inputs.question != ""', 'inputs.question = "5"'],
  ...['inputs.n = 5', 'inputs.n = "5"', 'inputs.n != 5', 'inputs.n > 4.5', 'inputs.n <= -2500', 'inputs.n < "a"'],
  ...['inputs.n in (5, -2500)', 'inputs.n in ("five", 5)', 'inputs.n not in ("five", "x")', 'inputs.n contains "FIV"'],
  ...[
    'inputs.n contains exactly "FIV"',
    'inputs.n contains "5"',
    'inputs.n exists',
    'inputs.n missing',
    'not inputs.n > 4',
  ],
  ...['inputs.big = 9007199254740993', 'inputs.big > 9007199254740992', 'inputs.flag = true', 'inputs.flag != false'],
  ...['inputs.flag = "true"', 'inputs.question has word refund', 'inputs.question not contains "geld"'],
  // Paths: into lists, from their end, through dots and slashes; the number of members.
  ...['inputs.deep.a.0.b = "y"', 'inputs.deep.a.-1.b = "y"', 'inputs.deep.a.-1.b != "y"', 'inputs.deep exists'],
  ...['inputs.dotted\\.key = 1', 'inputs.a/b~c = "slash"', 'size(inputs.list) > 2', 'size(inputs.list) exists'],
  ...['size(inputs.question) = 0', 'size(inputs) > 3', 'inputs exists', 'inputs contains "refund"'],
  // Results, attributes and summaries.
  ...['output = "Plain REFUND text"', 'output.answer contains refund', 'output = 5', 'output = "5"', 'output missing'],
  ...[
    'output contains "5"',
    'output = true',
    'attributes.kind = llm',
    'attributes.kind != LLM',
    'attributes.kind = "Tool"',
  ],
  ...['attributes.kind contains "l"', 'attributes.kind contains exactly "l"', 'attributes.env.region = eu'],
  ...['summary.shop.hits > 20', 'summary.usage.cheap-model.input_tokens = 100', 'summary.ext.error_inside.depth = 1'],
  ...[
    'attributes.kind in (llm, tool)',
    'attributes missing',
    'turn = turn-1',
    'turn missing',
    'display_name contains refund',
  ],
  ...['display_name missing', 'op has word predict', 'error has word none', 'latency contains "1"', 'size(op) > 2'],
  ...['thread > "a"', 'parent != v0', 'parent contains v', 'run != x', 'id >= "v3"', 'error < "S"'],
  // Usage, of a call and of its trace.
  ...['tokens > 100', 'tokens >= 17', 'tokens < 17', 'not tokens > 100', 'tokens = 9', 'tokens > 9.5', 'tokens exists'],
  ...['cost > 0.1', 'cost <= 0.25', 'cost = 0.25', 'cost missing', 'not cost > 0.2', 'cost > 1e-9', 'cost >= 0.14'],
  ...['model = cheap-model', 'model != cheap-model', 'model in (dear-model, stated)', 'model exists', 'model missing'],
  ...['size(usage.models) > 1', 'size(usage.models) < 1', 'usage.models contains "DEAR-model"'],
  ...['tokens > 10 and model = cheap-model', 'not (tokens > 10 or refund)'],
  // Feedback: any of a call's.
  ...[
    'feedback.[rating].payload.value > 0.4',
    'feedback.[rating].payload.value != 0.5',
    'feedback.[*].payload.value exists',
  ],
  ...['feedback.[rating].payload.value missing', 'feedback.[rating].payload.value = true'],
  ...['feedback.[rating].payload.why has word short', 'feedback.[ext.note.1].payload.note contains "REFUND"'],
  ...['feedback.[ext.runnable.judge].payload.output.passed = true', 'not feedback.[rating].payload.value > 0.4'],
  ...[
    'feedback.[ext.runnable.judge:v1].payload.output.passed = false',
    'feedback.[*].runnable_ref contains "judge:v0"',
  ],
  ...['feedback.[rating].payload.value in (0.2, 1)', 'feedback.[rating].payload.value >= 0.5 and tokens > 5'],
  ...[`queue = "${queue}"`, `queue != "${queue}"`, `queue in ("${queue}", "x")`, 'queue exists', 'queue missing'],
  `queue = "${deleted}"`,
]

test('finds as many calls and traces by their values as the table', async () => {
  const cases = filters().flatMap((words) =>
    [false, true].map((rootsOnly) => ({ name: `${words} ${rootsOnly}`, rootsOnly, filter: parseFilter(words) })),
  )
  const count = async ({ name, rootsOnly, filter }: (typeof cases)[number]) => {
    const query = toQuery(filter, rootsOnly)
    const { json, status, text } = await client.post<{ count: number }>('/calls/query_stats', {
      project_id: project.id,
      ...(rootsOnly && { filter: { trace_roots_only: true } }),
      ...(query && { query }),
    })
    return `${name}: ${status === 200 ? json.count : text}`
  }
  const counted = await Promise.all(cases.map(count))
  const rows = await countsBySql(project, cases)
  const found = cases.map(({ name }, at) => `${name}: ${rows[at]}`)
  expect(found).toEqual(counted)
  // The filters mean different things: they do not all find everything, or nothing.
  expect(new Set(found.map((each) => each.replace(/.*: /, ''))).size).toBeGreaterThan(15)
}, 1_200_000)

test.each([
  'otel_dump.name = x',
  'attributes.otel_span.start_time > 5',
  'attributes.otel_span.attributes.input.value = x',
  'output = "ext:///a/b/object/c:v1"',
  'feedback.[wandb.note.1].payload.note = x',
  'summary.ext.unknown = 1',
  'model > 5',
])('says that no statement says: %s', (words) => {
  expect(() => asSql({ projectId: 'a/b', rootsOnly: false, filter: parseFilter(words) })).toThrow(NoSql)
})
