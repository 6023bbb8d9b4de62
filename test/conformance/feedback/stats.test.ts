import { describe, expect, test } from 'bun:test'
import { draftOf, giveFeedback } from '../support/feedback.ts'
import type { Project } from '../support/project.ts'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const server = await sharedServer()
const minute = 60_000
const iso = (ms: number) => new Date(ms).toISOString()
const now = Date.now()
const around = { start: iso(now - 10 * minute), end: iso(now + 10 * minute) }

interface Stats {
  start: string
  end: string
  granularity: number
  timezone: string
  buckets: Record<string, unknown>[]
  window_stats: Record<string, Record<string, number | null>> | null
}

const ask = (project: Project, request: Record<string, unknown>) =>
  server.post<Stats>('/feedback/stats', { project_id: project.id, ...around, ...request })

async function stats(project: Project, request: Record<string, unknown>): Promise<Stats> {
  const answer = await ask(project, request)
  if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`)
  return answer.json
}

const triggerRef = (project: Project, version: string) => `ext:///${project.id}/object/monitor:${version}`

async function projectWithScores(): Promise<Project> {
  const project = freshProject(server)
  const outputs = [
    { score: 1, ok: true, label: 'a' },
    { score: 2.5, ok: false, label: 'b' },
    { score: 4, ok: true },
    { score: 'none', ok: null },
  ]
  for (const [index, output] of outputs.entries()) {
    await giveFeedback(project, {
      feedback_type: 'ext.runnable.judge',
      payload: { output },
      runnable_ref: `ext:///${project.id}/object/judge:v1`,
      trigger_ref: triggerRef(project, `v${index % 2}`),
    })
  }
  await giveFeedback(project, { payload: { output: { score: 100 } } })
  return project
}

const score = { json_path: 'output.score' }
const judged = { feedback_type: 'ext.runnable.judge' }

describe('feedback/stats', () => {
  test('returns average, minimum and maximum of numbers by default', async () => {
    const project = await projectWithScores()
    const answer = await stats(project, { ...judged, metrics: [score] })
    expect(answer.window_stats).toEqual({ output_score: { avg: 2.5, min: 1, max: 4 } })
    const filled = answer.buckets.filter(({ count }) => count !== 0)
    expect(filled.reduce((sum, { count }) => sum + Number(count), 0)).toBe(4)
    expect(Object.keys(filled[0]!).sort()).toEqual([
      'avg_output_score',
      'count',
      'max_output_score',
      'min_output_score',
      'timestamp',
    ])
  })

  test('returns every aggregation and percentile', async () => {
    const project = await projectWithScores()
    const metrics = [
      { ...score, aggregations: ['sum', 'count'], percentiles: [50, 99.9] },
      { json_path: 'output.ok', value_type: 'boolean' },
      { json_path: 'output.label', value_type: 'categorical' },
    ]
    const { window_stats } = await stats(project, { ...judged, metrics })
    expect(window_stats!['output_score']).toMatchObject({ sum: 7.5, count: 3, p50: 2.5 })
    expect(window_stats!['output_score']!['p99.9']).toBeCloseTo(3.997, 9)
    expect(window_stats!['output_ok']).toEqual({ count_true: 2, count_false: 1 })
    expect(window_stats!['output_label']).toEqual({ count: 2 })
  })

  test('ignores numbers beyond the range of a double', async () => {
    const project = freshProject(server)
    for (const n of ['1e308', '1e308', '1e400', '2']) {
      const draft = JSON.stringify(draftOf(project, { payload: 'P' })).replace('"P"', `{"n":${n}}`)
      expect((await server.postRaw('/feedback/create', draft)).status).toBe(200)
    }
    const metrics = [{ json_path: 'n', aggregations: ['sum', 'min', 'max', 'count'] }]
    const { window_stats } = await stats(project, { metrics })
    expect(window_stats).toEqual({ n: { sum: null, min: 2, max: 1e308, count: 3 } })
  })

  test('returns every bucket of the range, aligned, in order', async () => {
    const project = await projectWithScores()
    const start = Math.floor(now / 3_600_000) * 3_600_000 - 7_200_000
    const range = { start: iso(start + 5 * minute), end: iso(start + 4 * 3_600_000), granularity: 3600 }
    const { buckets, granularity } = await stats(project, { ...range, metrics: [score] })
    expect(granularity).toBe(3600)
    expect(buckets.map(({ timestamp }) => Date.parse(String(timestamp)))).toEqual(
      [0, 1, 2, 3].map((hours) => start + hours * 3_600_000),
    )
    expect(buckets[0]).toMatchObject({ count: 0, avg_output_score: null, min_output_score: null })
  })

  test('aligns days to the time zone', async () => {
    const project = freshProject(server)
    const range = { start: '2024-03-09T12:00:00Z', end: '2024-03-12T12:00:00Z', granularity: 86_400 }
    const answer = await stats(project, { ...range, timezone: 'America/New_York', metrics: [score] })
    expect(answer.timezone).toBe('America/New_York')
    // The clocks go forward on March 10.
    expect(answer.buckets.map(({ timestamp }) => timestamp)).toEqual([
      '2024-03-09T05:00:00Z',
      '2024-03-10T05:00:00Z',
      '2024-03-11T04:00:00Z',
      '2024-03-12T04:00:00Z',
    ])
  })

  test.each([
    [2, 300],
    [12, 3600],
    [72, 21_600],
    [14 * 24, 43_200],
    [31 * 24, 86_400],
  ])('chooses the bucket size: %d hours in buckets of %d seconds', async (hours, seconds) => {
    const project = freshProject(server)
    const range = { start: '2024-01-01', end: iso(Date.parse('2024-01-01') + hours * 3_600_000) }
    expect((await stats(project, { ...range, metrics: [score] })).granularity).toBe(seconds)
  })

  test('makes at most 10,000 buckets', async () => {
    const project = freshProject(server)
    const range = { start: '2024-01-01', end: '2024-01-02', granularity: 1 }
    const answer = await stats(project, { ...range, metrics: [score] })
    expect(answer.granularity).toBe(9)
    expect(answer.buckets).toHaveLength(9600)
  })

  test('limits the number of values in a response', async () => {
    const project = freshProject(server)
    const percentiles = Array.from({ length: 60 }, (_, n) => n)
    const range = { start: '2024-01-01', end: '2024-01-02', metrics: [{ ...score, percentiles }] }
    expectRefusal(await ask(project, { ...range, granularity: 1 }), 400, '60 metrics', 'granularity')
    expect((await stats(project, { ...range, granularity: 60 })).buckets).toHaveLength(1440)
  })

  test('filters by trigger, exactly or by all of its versions', async () => {
    const project = await projectWithScores()
    const metrics = [{ ...score, aggregations: ['sum'] }]
    const sum = async (trigger_ref: string) =>
      (await stats(project, { metrics, trigger_ref })).window_stats!['output_score']!['sum']
    expect(await sum(triggerRef(project, 'v0'))).toBe(5)
    expect(await sum(triggerRef(project, '*'))).toBe(7.5)
    expect(await sum(triggerRef(project, '*').replace('ext:', 'weave:'))).toBe(7.5)
    expect(await sum(triggerRef(project, 'v9'))).toBe(0)
  })

  test('returns nothing without metrics', async () => {
    const project = freshProject(server)
    expect(await stats(project, {})).toMatchObject({ buckets: [], granularity: 3600, window_stats: null })
  })

  test('returns no buckets for an empty range', async () => {
    const project = freshProject(server)
    const { buckets, window_stats } = await stats(project, { start: '2024-01-01', end: '2024-01-01', metrics: [score] })
    expect(buckets).toEqual([])
    expect(window_stats).toEqual({ output_score: { avg: null, min: null, max: null } })
  })

  test('rejects invalid ranges, paths, time zones and percentiles', async () => {
    const project = freshProject(server)
    const metrics = [score]
    expectRefusal(await ask(project, { start: '2024-01-02', end: '2024-01-01', metrics }), 400, 'before')
    expectRefusal(await ask(project, { start: '2024-01-01', end: '2024-02-02', metrics }), 400, '31')
    expectRefusal(await ask(project, { metrics, granularity: 0 }), 400, 'granularity')
    expectRefusal(await ask(project, { metrics, timezone: 'Mars/Base' }), 400, 'Mars/Base')
    expectRefusal(await ask(project, { metrics: [{ json_path: `a'; DROP` }] }), 400, 'json_path')
    expectRefusal(await ask(project, { metrics: [{ ...score, percentiles: [101] }] }), 400, '101')
    expectInvalid(await ask(project, { start: 'soon' }), ['body', 'start'])
  })
})

describe('feedback/payload_schema', () => {
  const schema = async (project: Project, request: Record<string, unknown> = {}) =>
    (
      await server.post<{ paths: unknown }>('/feedback/payload_schema', {
        project_id: project.id,
        ...around,
        ...request,
      })
    ).json.paths

  test('lists the leaves of payloads with their types', async () => {
    const project = freshProject(server)
    const judge = { feedback_type: 'ext.runnable.judge', runnable_ref: `ext:///${project.id}/object/judge:v1` }
    const give = (version: string, output: unknown) =>
      giveFeedback(project, { ...judge, payload: { output }, trigger_ref: triggerRef(project, version) })
    await give('v1', { outdated: 1 })
    await give('v1', {
      score: 1,
      ok: true,
      text: 'x',
      list: [1],
      'a.b': 1,
      'c d': 1,
      deep: { er: 2 },
      none: null,
      mixed: 1,
    })
    await give('v2', { score: 2, mixed: 'text' })
    expect(await schema(project)).toEqual([
      { json_path: 'output.deep.er', value_type: 'numeric' },
      { json_path: 'output.mixed', value_type: 'categorical' },
      { json_path: 'output.ok', value_type: 'boolean' },
      { json_path: 'output.score', value_type: 'numeric' },
      { json_path: 'output.text', value_type: 'categorical' },
    ])
    expect(await schema(project, { sample_limit: 1 })).toEqual([
      { json_path: 'output.mixed', value_type: 'categorical' },
      { json_path: 'output.score', value_type: 'numeric' },
    ])
    expect(await schema(project, { feedback_type: 'other' })).toEqual([])
  })

  test('covers every feedback type without a trigger by default', async () => {
    const project = freshProject(server)
    await giveFeedback(project, { feedback_type: 'rating', payload: { stars: 5 } })
    await giveFeedback(project, { feedback_type: 'ext.note.1', payload: { note: 'n' } })
    expect(await schema(project)).toEqual([
      { json_path: 'note', value_type: 'categorical' },
      { json_path: 'stars', value_type: 'numeric' },
    ])
  })

  test('samples 1 to 5000', async () => {
    const project = freshProject(server)
    const request = { project_id: project.id, ...around, sample_limit: 5001 }
    expectInvalid(await server.post('/feedback/payload_schema', request), ['body', 'sample_limit'])
  })
})
