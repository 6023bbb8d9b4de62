import { afterAll, expect, test } from 'bun:test'
import { createCosts, price, purgeCosts, queryCosts } from '../support/costs.ts'
import { giveFeedback, purgeFeedback, queryFeedback } from '../support/feedback.ts'
import { Project } from '../support/project.ts'
import { equals, is } from '../support/query-expression.ts'
import { startServer } from '../support/server-process.ts'
import { freshProject } from '../support/target.ts'
import { makeTempFolder, removeFolder } from '../support/temp-folder.ts'

const data = await makeTempFolder()
afterAll(() => removeFolder(data))

test('costs and feedback survive a kill and a clean shutdown', async () => {
  const first = await startServer({ data })
  const project = freshProject(first.client)
  await project.add({ id: 'a', summary: { usage: { m: { prompt_tokens: 3 } } } })
  const { gone } = await createCosts(project, { m: price({ effective_date: '2024-01-01' }), gone: price() })
  await purgeCosts(project, equals('id', gone))
  await giveFeedback(project, { id: 'kept', scorer_tags: ['t'], scorer_ratings: { r: 0.5 } })
  await giveFeedback(project, { id: 'purged' })
  await giveFeedback(project, { id: 'replaced', creator: 'Ada' })
  await purgeFeedback(project, equals('id', 'purged'))
  const replacement = { feedback_id: 'replaced', id: 'replacement', feedback_type: 'other', payload: {}, ext_ref: 'r' }
  await first.client.post('/feedback/replace', { project_id: project.id, ...replacement })
  const ask = async (at: Project, path: string, request: Record<string, unknown>) => {
    const answer = await at.client.post(path, { project_id: at.id, ...request })
    expect([path, answer.status]).toEqual([path, 200])
    return answer.json
  }
  const range = { start: '2024-05-01', end: '2024-05-02', granularity: 86_400 }
  const lately = { start: Math.floor(Date.now() / 1000) - 600, end: Math.floor(Date.now() / 1000) + 600 }
  const look = async (at: Project) => ({
    costs: await queryCosts(at),
    feedback: await queryFeedback(at),
    calls: await at.query({ include_costs: true, include_feedback: true }),
    rated: await at.idsOf({ query: { $expr: is('feedback.[thought].payload.text', '$eq', 'hm') } }),
    usage: await ask(at, '/calls/usage', { call_ids: ['a'], include_costs: true }),
    figures: await ask(at, '/calls/stats', { ...range, usage_metrics: [{ metric: 'total_cost' }] }),
    payloads: await ask(at, '/feedback/stats', {
      ...lately,
      metrics: [{ json_path: 'text', value_type: 'categorical' }],
    }),
    tags: await ask(at, '/feedback/aggregate', { after_ms: 0, before_ms: lately.end * 1000 }),
    unrated: await at.idsOf({ query: { $expr: is('feedback.[gone].payload.text', '$eq', 'hm') } }),
  })
  const before = await look(project)
  expect(before.costs).toHaveLength(1)
  expect(before.usage).toMatchObject({ call_usage: { a: { m: { prompt_tokens_total_cost: 3 } } } })
  expect(before.figures).toMatchObject({ usage_buckets: [{ model: 'm', sum_total_cost: 3 }] })
  expect(before.payloads).toMatchObject({ window_stats: { text: { count: 1 } } })
  expect(before.tags).toMatchObject({ buckets: [{ total_count: 2, tag_counts: { t: 1 } }] })
  expect(before).toMatchObject({ rated: ['a'], unrated: [] })
  expect(before.feedback.map(({ id }) => id)).toEqual(['kept', 'replacement'])

  await first.kill()
  const second = await startServer({ data, adminKey: first.adminKey })
  const again = new Project(second.client, project.entity, project.name)
  expect(await look(again)).toEqual(before)
  expect(await second.stop()).toBe(0)

  const third = await startServer({ data, adminKey: first.adminKey })
  try {
    const flushed = new Project(third.client, project.entity, project.name)
    expect(await look(flushed)).toEqual(before)
    await purgeFeedback(flushed, equals('id', 'kept'))
    expect((await queryFeedback(flushed)).map(({ id }) => id)).toEqual(['replacement'])
    expect((await look(flushed)).rated).toEqual([])
  } finally {
    await third.stop()
  }
}, 120_000)
