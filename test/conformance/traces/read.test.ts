import { expect, test } from 'bun:test'
import { createCosts, price } from '../support/costs.ts'
import { callRef, giveFeedback } from '../support/feedback.ts'
import type { Project } from '../support/project.ts'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { freshProject, sharedServer } from '../support/target.ts'
import { askTrace, readTrace, type Skeleton } from '../support/traces.ts'

const server = await sharedServer()

const at = (second: number) => `2024-05-01T10:00:${String(second).padStart(2, '0')}.500000Z`
const used = (usage: Record<string, unknown>) => ({ summary: { usage } })

/** root ─ (first ─ leaf, second ✗), and a call whose parent is missing. Sent in no order. */
async function projectWithTrace(): Promise<Project> {
  const project = freshProject(server)
  const trace_id = 't'
  await project.add(
    { id: 'second', trace_id, parent_id: 'root', started_at: at(3), ended_at: at(4), exception: 'broken' },
    {
      id: 'leaf',
      trace_id,
      parent_id: 'first',
      started_at: at(2),
      ended_at: '2024-05-01T10:00:02.750250Z',
      op_name: 'openai.chat.completions.create',
      ...used({ m: { prompt_tokens: 10, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 4 } } }),
    },
    { id: 'root', trace_id, thread_id: 'talk', display_name: 'Whole', started_at: at(0), ended_at: at(9) },
    { id: 'first', trace_id, parent_id: 'root', started_at: at(1), ended_at: at(3), attributes: { kind: 'AGENT' } },
    { id: 'lost', trace_id, parent_id: 'never-sent', started_at: at(5), ended_at: at(6) },
    { id: 'other', trace_id: 'u' },
  )
  return project
}

/** Values of a column by call id. */
const byCall = <Value>({ call_ids }: Skeleton, column: readonly Value[]): Record<string, Value> =>
  Object.fromEntries(call_ids.map((id, position) => [id, column[position]!]))

test('returns the calls depth first with their place in the tree', async () => {
  const project = await projectWithTrace()
  const trace = await readTrace(project, 't')
  expect(trace).toMatchObject({
    trace_id: 't',
    call_count: 5,
    is_complete: true,
    started_at: at(0),
    ended_at: at(9),
    thread_id: 'talk',
    call_ids: ['root', 'first', 'leaf', 'second', 'lost'],
    parent: [-1, 0, 1, 0, -1],
    depth: [0, 1, 2, 1, 0],
    name: ['Whole', null, null, null, null],
    start_ms: [0, 1000, 2000, 3000, 5000],
    duration_ms: [9000, 2000, 250.25, 1000, 1000],
    child_count: [2, 1, 0, 0, 0],
    descendant_count: [3, 1, 0, 0, 0],
    has_error_inside: [true, false, false, false, false],
  })
  expect(
    byCall(
      trace,
      trace.op.map((op) => trace.ops[op]),
    ),
  ).toEqual({
    root: 'answer',
    first: 'answer',
    leaf: 'openai.chat.completions.create',
    second: 'answer',
    lost: 'answer',
  })
  expect(
    byCall(
      trace,
      trace.kind.map((kind) => trace.kinds[kind]),
    ),
  ).toEqual({
    root: 'function',
    first: 'agent',
    leaf: 'llm',
    second: 'function',
    lost: 'function',
  })
  expect(
    byCall(
      trace,
      trace.status.map((status) => trace.statuses[status]),
    ),
  ).toEqual({
    root: 'descendant_error',
    first: 'success',
    leaf: 'success',
    second: 'error',
    lost: 'success',
  })
})

test('sums up tokens and costs with the prices of the project', async () => {
  const project = await projectWithTrace()
  await createCosts(project, { m: price({ cache_read_input_token_cost: 0.5 }) })
  const trace = await readTrace(project, 't')
  expect(byCall(trace, trace.model)).toEqual({ root: -1, first: -1, leaf: 0, second: -1, lost: -1 })
  expect(trace.models).toEqual(['m'])
  expect(byCall(trace, trace.tokens_in)).toEqual({ root: null, first: null, leaf: 10, second: null, lost: null })
  expect(byCall(trace, trace.tokens_out)).toMatchObject({ leaf: 5, root: null })
  expect(byCall(trace, trace.tokens_cached)).toMatchObject({ leaf: 4, root: null })
  expect(byCall(trace, trace.total_tokens)).toEqual({ root: 15, first: 15, leaf: 15, second: 0, lost: 0 })
  const cost = 6 * 1 + 4 * 0.5 + 5 * 2
  expect(byCall(trace, trace.cost)).toEqual({ root: null, first: null, leaf: cost, second: null, lost: null })
  expect(byCall(trace, trace.total_cost)).toEqual({ root: cost, first: cost, leaf: cost, second: null, lost: null })
})

test('counts usage of a call only if no call below states any', async () => {
  const project = freshProject(server)
  const draft = { trace_id: 't', started_at: at(1) }
  const usage = (prompt_tokens: number) => used({ 'no-such-model': { prompt_tokens, completion_tokens: 1 } })
  await project.add(
    { id: 'root', ...draft, summary: { usage: { 'no-such-model': { prompt_tokens: 30, completion_tokens: 2 } } } },
    { id: 'a', parent_id: 'root', ...draft, ...usage(10) },
    { id: 'b', parent_id: 'root', ...draft, ...usage(20) },
    { id: 'own', ...draft, ...usage(7) },
    { id: 'c', parent_id: 'own', ...draft, ...usage(5) },
  )
  const trace = await readTrace(project, 't')
  expect(byCall(trace, trace.tokens_in)).toEqual({ root: 30, a: 10, b: 20, own: 7, c: 5 })
  expect(byCall(trace, trace.total_tokens)).toEqual({ root: 32, a: 11, b: 21, own: 6, c: 6 })
  expect(byCall(trace, trace.total_cost)).toEqual({ root: null, a: null, b: null, own: null, c: null })
})

test('counts the feedback on each call', async () => {
  const project = await projectWithTrace()
  for (const id of ['leaf', 'leaf', 'root', 'other']) {
    await giveFeedback(project, { feedback_type: 'custom', ext_ref: callRef(project, id), payload: {} })
  }
  const trace = await readTrace(project, 't')
  expect(byCall(trace, trace.feedback_count)).toEqual({ root: 1, first: 0, leaf: 2, second: 0, lost: 0 })
})

test('returns the descendants of a call, and only some levels', async () => {
  const project = await projectWithTrace()
  expect(await readTrace(project, 't', { parent_id: 'root' })).toMatchObject({
    call_count: 5,
    is_complete: true,
    call_ids: ['first', 'leaf', 'second'],
    parent: [-1, 0, -1],
    depth: [1, 2, 1],
  })
  expect(await readTrace(project, 't', { depth: 1 })).toMatchObject({
    is_complete: false,
    call_ids: ['root', 'lost'],
    child_count: [2, 0],
    descendant_count: [3, 0],
  })
  expect((await readTrace(project, 't', { parent_id: 'root', depth: 1 })).call_ids).toEqual(['first', 'second'])
  expect((await readTrace(project, 't', { parent_id: 'leaf' })).call_ids).toEqual([])
})

test('returns failed calls and the first levels if there are too many', async () => {
  const project = freshProject(server)
  const draft = { trace_id: 't', started_at: at(0) }
  const chain = Array.from({ length: 20 }, (_, level) => ({
    id: `c${level}`,
    ...draft,
    ...(level > 0 && { parent_id: `c${level - 1}` }),
  }))
  const wide = Array.from({ length: 50 }, (_, child) => ({ id: `w${child}`, ...draft, parent_id: 'c0' }))
  const failed = { id: 'failed', ...draft, parent_id: 'c3', exception: 'broken' }
  await project.add(...chain, ...wide, failed)
  const trace = await readTrace(project, 't', { limit: 40 })
  expect(trace.is_complete).toBe(false)
  expect(trace.call_count).toBe(71)
  expect(trace.call_ids).toHaveLength(40)
  expect(trace.call_ids).toContain('failed')
  expect(Math.max(...trace.depth)).toBe(4)
  const parents = trace.parent.map((position) => (position === -1 ? null : trace.call_ids[position]))
  expect(byCall(trace, parents)).toMatchObject({ c0: null, c1: 'c0', c3: 'c2', failed: 'c3' })
  expect(byCall(trace, trace.child_count)).toMatchObject({ c0: 51, c3: 2 })
})

test('returns what has changed since a time, with its ancestors', async () => {
  const project = freshProject(server)
  await project.add(
    { id: 'root', trace_id: 't', started_at: at(0), ended_at: null },
    { id: 'done', trace_id: 't', parent_id: 'root', started_at: at(1) },
    { id: 'open', trace_id: 't', parent_id: 'root', started_at: at(2), ended_at: null },
  )
  const first = await readTrace(project, 't')
  expect(first.ended_at).toBeNull()
  expect(byCall(first, first.duration_ms)).toMatchObject({ root: null, open: null })
  // What was written shortly before is returned again.
  await Bun.sleep(2_200)
  const endedMs = Date.now()
  await project.end({ id: 'open', ended_at: at(3) })
  const later = await readTrace(project, 't', { since: first.read_at })
  expect(later.call_ids).toContain('open')
  await Bun.sleep(2_200)
  // That read comes shortly after the end, unless the machine is slow.
  const since = new Date(Math.min(Date.parse(later.read_at!), endedMs + 1_000)).toISOString()
  expect((await readTrace(project, 't', { since })).call_ids).toEqual(['root', 'open'])
  const beforeFeedback = new Date().toISOString()
  await giveFeedback(project, { feedback_type: 'custom', ext_ref: callRef(project, 'done'), payload: {} })
  const judged = await readTrace(project, 't', { since: beforeFeedback })
  expect(judged.call_ids).toEqual(['root', 'done', ...(judged.call_ids.includes('open') ? ['open'] : [])])
})

test('places the calls of a cycle', async () => {
  const project = freshProject(server)
  const draft = { trace_id: 't', started_at: at(0) }
  await project.add(
    { id: 'a', ...draft, parent_id: 'c' },
    { id: 'b', ...draft, parent_id: 'a' },
    { id: 'c', ...draft, parent_id: 'b' },
    { id: 'self', ...draft, parent_id: 'self' },
  )
  const trace = await readTrace(project, 't')
  expect(trace.call_ids).toEqual(['a', 'b', 'c', 'self'])
  expect(trace.parent).toEqual([-1, 0, 1, -1])
  expect(trace.descendant_count).toEqual([2, 1, 0, 0])
})

test('an unknown trace has no calls', async () => {
  const project = await projectWithTrace()
  expect(await readTrace(project, 'unknown')).toMatchObject({
    call_count: 0,
    is_complete: true,
    started_at: null,
    ended_at: null,
    read_at: null,
    thread_id: null,
    ops: [],
    call_ids: [],
    cost: [],
  })
  expect((await readTrace(freshProject(server), 't')).call_count).toBe(0)
})

test('rejects an unknown parent and limits out of range', async () => {
  const project = await projectWithTrace()
  expectRefusal(await askTrace(project, 't', { parent_id: 'other' }), 404, 'has no call "other"')
  expectInvalid(await askTrace(project, 't', { limit: 0 }), ['body', 'limit'])
  expectInvalid(await askTrace(project, 't', { depth: 0 }), ['body', 'depth'])
  expectInvalid(await askTrace(project, 't', { since: 'yesterday' }), ['body', 'since'])
  expectInvalid(await server.post('/trace/read', { project_id: project.id }), ['body', 'trace_id'])
})
