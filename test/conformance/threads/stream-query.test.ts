import { describe, expect, test } from 'bun:test'
import type { CallDraft } from '../support/call-shapes.ts'
import { createCosts, price } from '../support/costs.ts'
import { callRef, giveFeedback } from '../support/feedback.ts'
import type { Project } from '../support/project.ts'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const server = await sharedServer()
const at = (second: number) => `2024-05-01T10:00:${String(second).padStart(2, '0')}Z`

const turn = (thread_id: string, id: string, from: number, to: number | null, more: CallDraft = {}) => ({
  id,
  thread_id,
  turn_id: id,
  started_at: at(from),
  ended_at: to === null ? null : at(to),
  ...more,
})

const ask = (project: Project, request: Record<string, unknown> = {}) =>
  server.post('/threads/stream_query', { project_id: project.id, ...request })

async function threads(project: Project, request: Record<string, unknown> = {}): Promise<Record<string, unknown>[]> {
  const answer = await ask(project, request)
  if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`)
  return answer.text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
}

const idsOf = async (project: Project, request: Record<string, unknown> = {}) =>
  (await threads(project, request)).map(({ thread_id }) => thread_id)

async function projectWithThreads(): Promise<Project> {
  const project = freshProject(server)
  await project.add(
    turn('one', 'a', 0, 1),
    turn('one', 'b', 10, 13),
    turn('one', 'c', 20, null),
    { id: 'below', thread_id: 'one', turn_id: 'a', started_at: at(5), ended_at: at(50) },
    turn('two', 'd', 5, 30),
    turn('three', 'e', 6, null),
    { id: 'free' },
  )
  return project
}

describe('threads/stream_query', () => {
  test('summarizes the turns of each thread with a finished turn, latest first', async () => {
    const project = await projectWithThreads()
    const answer = await ask(project)
    expect(answer.headers.get('content-type')).toBe('application/jsonl')
    expect(await threads(project)).toEqual([
      {
        thread_id: 'two',
        turn_count: 1,
        start_time: at(5),
        last_updated: at(30),
        first_turn_id: 'd',
        last_turn_id: 'd',
        p50_turn_duration_ms: 25_000,
        p99_turn_duration_ms: 25_000,
      },
      {
        thread_id: 'one',
        turn_count: 3,
        start_time: at(0),
        last_updated: at(13),
        first_turn_id: 'a',
        last_turn_id: 'b',
        p50_turn_duration_ms: 2000,
        p99_turn_duration_ms: 2980,
      },
    ])
  })

  test('filters by threads and by the start of turns', async () => {
    const project = await projectWithThreads()
    expect(await idsOf(project, { filter: { thread_ids: ['one', 'three'] } })).toEqual(['one'])
    expect(await idsOf(project, { filter: { thread_ids: [] } })).toEqual(['two', 'one'])
    const [one] = await threads(project, {
      filter: { after_datetime: at(0), before_datetime: at(20), thread_ids: ['one'] },
    })
    expect(one).toMatchObject({ turn_count: 1, first_turn_id: 'b' })
    expect(await idsOf(project, { filter: { before_datetime: at(0) } })).toEqual([])
  })

  test('sorts and pages', async () => {
    const project = await projectWithThreads()
    expect(await idsOf(project, { sort_by: [{ field: 'start_time', direction: 'asc' }] })).toEqual(['one', 'two'])
    expect(await idsOf(project, { sort_by: [{ field: 'turn_count', direction: 'desc' }], limit: 1 })).toEqual(['one'])
    expect(await idsOf(project, { offset: 1 })).toEqual(['one'])
    expect(await idsOf(project, { limit: 0 })).toEqual([])
  })

  test('excludes deleted calls and other projects', async () => {
    const project = await projectWithThreads()
    await project.delete('d')
    expect(await idsOf(project)).toEqual(['one'])
    expect(await idsOf(freshProject(server))).toEqual([])
  })

  test('rejects invalid sort fields, negative pages and invalid times', async () => {
    const project = freshProject(server)
    const sort_by = [{ field: 'turn_cuont', direction: 'asc' }]
    expectRefusal(await ask(project, { sort_by }), 422, 'turn_cuont', 'turn_count')
    expectRefusal(await ask(project, { limit: -1 }), 400, 'limit')
    expectInvalid(await ask(project, { filter: { after_datetime: 'soon' } }), ['body', 'filter', 'after_datetime'])
  })
})

describe('threads/stream_query with query and details', () => {
  const usage = (prompt_tokens: number) => ({ usage: { m: { prompt_tokens, completion_tokens: 1 } } })
  const asked = (content: string) => ({ messages: [{ role: 'user', content }] })

  async function projectWithTalks(): Promise<Project> {
    const project = freshProject(server)
    await project.add(
      turn('one', 'a', 0, 1, { inputs: asked('First question'), output: 'First answer', trace_id: 'ta' }),
      { id: 'llm-a', trace_id: 'ta', parent_id: 'a', started_at: at(0), summary: usage(10) },
      turn('one', 'b', 10, 13, {
        inputs: asked('Second question'),
        output: { choices: [{ message: { role: 'assistant', content: 'x'.repeat(400) } }] },
        trace_id: 'tb',
      }),
      { id: 'llm-b', trace_id: 'tb', parent_id: 'b', started_at: at(10), summary: usage(20), op_name: 'special' },
      { id: 'tool-b', trace_id: 'tb', parent_id: 'b', started_at: at(11), exception: 'broken', thread_id: 'one' },
      turn('two', 'c', 5, 30, { trace_id: 'tc', op_name: 'plain' }),
    )
    return project
  }

  test('adds messages, tokens, cost, errors and feedback of all calls below the turns', async () => {
    const project = await projectWithTalks()
    await createCosts(project, { m: price() })
    for (const id of ['a', 'llm-b', 'c']) {
      await giveFeedback(project, { feedback_type: 'custom', ext_ref: callRef(project, id), payload: {} })
    }
    const [two, one] = await threads(project, { include_details: true })
    expect(one).toMatchObject({
      thread_id: 'one',
      turn_count: 2,
      first_message: 'First question',
      last_message: 'x'.repeat(300),
      total_tokens: 32,
      total_cost: 10 + 2 + 20 + 2,
      error_count: 1,
      feedback_count: 2,
    })
    expect(two).toMatchObject({
      thread_id: 'two',
      first_message: '{}',
      last_message: null,
      total_tokens: 0,
      total_cost: null,
      error_count: 0,
      feedback_count: 1,
    })
    expect(Object.keys((await threads(project))[0]!)).not.toContain('total_tokens')
  })

  test('shows the tools that the last message calls', async () => {
    const project = freshProject(server)
    const tool_calls = [{ id: 'c', type: 'function', function: { name: 'transfer', arguments: '{"to":"human"}' } }]
    const output = { id: 'x', choices: [{ message: { role: 'assistant', content: null, tool_calls } }] }
    await project.add(
      turn('one', 'a', 0, 1, { inputs: { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] }, output }),
    )
    const [one] = await threads(project, { include_details: true })
    expect(one).toMatchObject({ first_message: 'Hi', last_message: 'transfer({"to":"human"})' })
  })

  test('returns threads in which a call matches', async () => {
    const project = await projectWithTalks()
    const where = (field: string, value: string) => ({ $expr: { $eq: [{ $getField: field }, { $literal: value }] } })
    expect(await idsOf(project, { query: where('op_name', 'plain') })).toEqual(['two'])
    expect(await idsOf(project, { query: where('exception', 'broken'), include_details: true })).toEqual(['one'])
    // A call outside of every thread.
    expect(await idsOf(project, { query: where('op_name', 'special') })).toEqual([])
    await giveFeedback(project, { feedback_type: 'custom', ext_ref: callRef(project, 'c'), payload: { n: 1 } })
    expect(await idsOf(project, { query: where('feedback.[custom].payload.n', '1') })).toEqual(['two'])
  })

  test('limits and checks the request', async () => {
    const project = await projectWithTalks()
    expect(await idsOf(project, { include_details: true, limit: 1 })).toEqual(['two'])
    expectRefusal(await ask(project, { include_details: true, limit: 1001 }), 400, '1000')
    const query = { $expr: { $eq: [{ $getField: 'op_nmae' }, { $literal: 'x' }] } }
    expectRefusal(await ask(project, { query }), 422, 'op_nmae')
  })
})
