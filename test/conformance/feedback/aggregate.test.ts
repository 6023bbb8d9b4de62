import { describe, expect, test } from 'bun:test'
import { giveFeedback } from '../support/feedback.ts'
import type { Project } from '../support/project.ts'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const server = await sharedServer()
const hour = 3_600_000
const now = Date.now()
const around = { after_ms: now - hour, before_ms: now + hour }

interface Bucket {
  time_bucket_start_ms: number | null
  group: Record<string, string>
  total_count: number
  scored_count: number
  tag_counts: Record<string, number>
  rating_counts: Record<string, number>
  rating_sums: Record<string, number>
}

const ask = (project: Project, request: Record<string, unknown> = {}) =>
  server.post<{ buckets: Bucket[]; time_bucket_seconds: number | null }>('/feedback/aggregate', {
    project_id: project.id,
    ...around,
    ...request,
  })

async function buckets(project: Project, request: Record<string, unknown> = {}): Promise<Bucket[]> {
  const answer = await ask(project, request)
  if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`)
  return answer.json.buckets
}

const total = async (project: Project, request: Record<string, unknown>) =>
  (await buckets(project, request)).reduce((sum, { total_count }) => sum + total_count, 0)

async function projectWithRatings(): Promise<Project> {
  const project = freshProject(server)
  const ref = (name: string) => `ext:///${project.id}/object/${name}:v1`
  const monitor = (scorer: string, members: Record<string, unknown>) =>
    giveFeedback(project, {
      feedback_type: 'ext.agent_monitor',
      runnable_ref: ref(scorer),
      call_ref: 'c',
      trigger_ref: ref('watch'),
      ...members,
    })
  await monitor('tone', { scorer_tags: ['kind', 'short'], span_agent_name: 'alpha', span_trace_id: 't' })
  await monitor('tone', { scorer_tags: ['kind'], scorer_ratings: { warmth: 0.5 }, span_agent_name: 'beta' })
  await monitor('facts', { scorer_ratings: { warmth: 0.25, truth: 1 }, span_conversation_id: 'c' })
  await giveFeedback(project, { span_agent_name: 'alpha' })
  return project
}

describe('feedback/aggregate', () => {
  test('counts tags and aggregates ratings', async () => {
    const project = await projectWithRatings()
    const answer = await ask(project)
    expect(answer.json).toMatchObject({ ...around, time_bucket_seconds: null })
    expect(answer.json.buckets).toEqual([
      {
        time_bucket_start_ms: null,
        group: {},
        total_count: 4,
        scored_count: 3,
        tag_counts: { kind: 2, short: 1 },
        rating_counts: { warmth: 2, truth: 1 },
        rating_sums: { warmth: 0.75, truth: 1 },
      },
    ])
  })

  test('groups', async () => {
    const project = await projectWithRatings()
    const groups = await buckets(project, { group_by: ['scorer_id', 'span_agent_name'] })
    expect(groups.map(({ group, total_count }) => [group['scorer_id'], group['span_agent_name'], total_count])).toEqual(
      [
        ['', 'alpha', 1],
        ['facts', '', 1],
        ['tone', 'alpha', 1],
        ['tone', 'beta', 1],
      ],
    )
  })

  test('buckets by time and omits empty buckets', async () => {
    const project = await projectWithRatings()
    const cut = await buckets(project, { time_bucket_seconds: 3600 })
    expect(cut.reduce((sum, { total_count }) => sum + total_count, 0)).toBe(4)
    for (const { time_bucket_start_ms } of cut) expect(time_bucket_start_ms! % hour).toBe(0)
    expect(await buckets(project, { after_ms: 0, before_ms: 1 })).toEqual([])
  })

  test.each([
    [{ feedback_types: ['ext.agent'] }, 3],
    [{ feedback_types: ['wandb.agent_monitor'] }, 3],
    [{ feedback_types: ['thou', 'nothing'] }, 1],
    [{ tags: ['short', 'other'] }, 1],
    [{ rating_min: 0.5 }, 2],
    [{ rating_min: 0.2, rating_max: 0.3 }, 1],
    [{ monitor_ids: ['watch'] }, 3],
    [{ monitor_ids: ['wat*'] }, 3],
    [{ monitor_ids: ['wat'] }, 0],
    [{ scorer_ids: ['tone', 'f*'] }, 3],
    [{ span_agent_names: ['alpha'] }, 2],
    [{ span_types: ['agent_turn'] }, 1],
    [{ span_types: ['agent_conversation'] }, 1],
    [{ span_types: ['agent_turn', 'agent_conversation'], tags: [] }, 2],
  ])('filters by %j', async (filter, expected) => {
    const project = await projectWithRatings()
    expect(await total(project, filter)).toBe(expected)
  })

  test('also matches full refs', async () => {
    const project = await projectWithRatings()
    expect(await total(project, { scorer_ids: [`weave:///${project.id}/object/facts:*`] })).toBe(1)
  })

  test('matches names that are percent-encoded in refs', async () => {
    const project = freshProject(server)
    const runnable_ref = `ext:///${project.id}/object/my%20scorer%C3%A9:v1`
    await giveFeedback(project, { feedback_type: 'ext.agent_monitor', runnable_ref, call_ref: 'c', trigger_ref: 't' })
    await giveFeedback(project, {
      feedback_type: 'ext.agent_monitor',
      runnable_ref: 'a/op/b%zz:1',
      call_ref: 'c',
      trigger_ref: 't',
    })
    const groups = await buckets(project, { group_by: ['scorer_id'] })
    expect(groups.map(({ group }) => group['scorer_id'])).toEqual(['b%zz', 'my scoreré'])
    expect(await total(project, { scorer_ids: ['my scoreré'] })).toBe(1)
    expect(await total(project, { scorer_ids: [runnable_ref] })).toBe(1)
  })

  test('accepts long ranges only without filters, groups and buckets', async () => {
    const project = await projectWithRatings()
    const long = { after_ms: 0 }
    expect((await ask(project, long)).status).toBe(200)
    for (const more of [{ tags: ['a'] }, { group_by: ['scorer_id'] }, { time_bucket_seconds: 86_400_000 }]) {
      expectRefusal(await ask(project, { ...long, ...more }), 400, '31')
    }
  })

  test('makes at most 256 time buckets', async () => {
    const project = await projectWithRatings()
    expectRefusal(await ask(project, { time_bucket_seconds: 1 }), 400, '256')
    expectRefusal(await ask(project, { after_ms: 2, before_ms: 1 }), 400, 'before')
  })

  test('validates the request', async () => {
    const project = freshProject(server)
    expectInvalid(await ask(project, { after_ms: -1 }), ['body', 'after_ms'])
    expectInvalid(await ask(project, { rating_min: 2 }), ['body', 'rating_min'])
    expectInvalid(await ask(project, { group_by: ['creator'] }), ['body', 'group_by', '0'])
  })
})
