import { expect, test } from 'bun:test'
import { serverWithStub } from '../support/completions.ts'
import { createJudge, questions, scoresOf } from '../support/judges.ts'
import { ok, Queues } from '../support/queues.ts'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { Rules } from '../support/rules.ts'
import { freshProject } from '../support/target.ts'
import { until } from '../support/until.ts'

const { server, stub } = await serverWithStub()
const client = server.client
const filter = { op_names: ['ask'] }
const lastDay = () => ({ start: new Date(Date.now() - 86_400_000).toISOString() })
const newest = async (rules: Rules, id: string) => (await ok(rules.backfills(id))).backfills[0]!
const ended = (rules: Rules, id: string) =>
  until(async () => !['waiting', 'running'].includes((await newest(rules, id)).state))

test('a backfill scores the calls of a time range as the rule would, each once', async () => {
  const project = freshProject(client)
  const rules = new Rules(project)
  const action = { kind: 'score', scorer_refs: [await createJudge(project)] }
  const { rule } = await ok(rules.create({ filter, sample_rate: 0.5, is_paused: true, action }))
  const calls = questions(60)
  await project.complete(...calls, { ...questions(1)[0]!, id: 'old', started_at: '2020-01-01T00:00:00Z' })
  const tried = await rules.dryRun(rule.id)
  const before = stub.requests.length
  const { backfill } = await ok(rules.startBackfill(rule.id, lastDay()))
  expect(backfill).toMatchObject({ cost_max: null, error: null } as never)
  await ended(rules, rule.id)
  const inRange = tried.calls.filter(({ call_id }) => call_id !== 'old')
  const done = await newest(rules, rule.id)
  expect(done).toMatchObject({
    id: backfill.id,
    state: 'completed',
    total: inRange.length,
    done: inRange.length,
    scored: inRange.length,
    failed: 0,
    stopped: null,
  })
  const { jobs } = (await client.post<{ jobs: object[] }>('/jobs/query', { project_id: project.id })).json
  const progress = { done: inRange.length, total: inRange.length }
  expect(jobs).toMatchObject([{ id: backfill.id, kind: 'backfill_rule', state: 'completed', progress }])
  expect(await scoresOf(project)).toEqual(new Map(inRange.map(({ call_id, scores }) => [call_id, scores[0]!.value])))
  expect(stub.requests.length - before).toBe(inRange.length)
  expect(done.cost).toBeGreaterThan(0)
  // Neither a second one nor the rule itself scores them again.
  await ok(rules.startBackfill(rule.id, lastDay()))
  await ended(rules, rule.id)
  expect(await newest(rules, rule.id)).toMatchObject({ state: 'completed', done: inRange.length, scored: 0, cost: 0 })
  await ok(rules.update(rule.id, { is_paused: false }))
  await project.complete(...calls)
  await until(async () => (await ok(rules.read(rule.id))).rule.status.handled >= inRange.length)
  expect(stub.requests.length - before).toBe(inRange.length)
}, 120_000)

test('a backfill stops at its own limit, and another one goes on', async () => {
  const project = freshProject(client)
  const rules = new Rules(project)
  const action = { kind: 'score', scorer_refs: [await createJudge(project)] }
  const { rule } = await ok(rules.create({ filter, is_paused: true, daily_cost_max: 1e-9, action }))
  await project.complete(...questions(30))
  const before = stub.requests.length
  await ok(rules.startBackfill(rule.id, { ...lastDay(), cost_max: 1e-9 }))
  await ended(rules, rule.id)
  expect(await newest(rules, rule.id)).toMatchObject({ state: 'completed', scored: 1, stopped: 'cost_max', total: 30 })
  expect(stub.requests.length - before).toBe(1)
  await ok(rules.startBackfill(rule.id, lastDay()))
  await ended(rules, rule.id)
  expect(await newest(rules, rule.id)).toMatchObject({ state: 'completed', scored: 29, done: 30, stopped: null })
  expect(stub.requests.length - before).toBe(30)
}, 120_000)

test('a backfill is cancelled, by itself and with its rule', async () => {
  const project = freshProject(client)
  const rules = new Rules(project)
  const slow = await createJudge(project)
  const { rule } = await ok(rules.create({ filter, is_paused: true, action: { kind: 'score', scorer_refs: [slow] } }))
  await project.complete(...questions(2_000))
  const { backfill } = await ok(rules.startBackfill(rule.id, lastDay()))
  await until(async () => (await newest(rules, rule.id)).done > 0)
  expectRefusal(await rules.startBackfill(rule.id, lastDay()), 400, 'in progress')
  expectRefusal(await rules.cancelBackfill(rule.id, 'none'), 404)
  const cancelled = (await ok(rules.cancelBackfill(rule.id, backfill.id))).backfill
  expect(cancelled.state).toBe('cancelled')
  expect(cancelled.done).toBeLessThan(2_000)
  expectRefusal(await rules.cancelBackfill(rule.id, backfill.id), 404)
  const count = (await scoresOf(project)).size
  expect(count).toBeGreaterThanOrEqual(cancelled.scored)
  await ok(rules.startBackfill(rule.id, lastDay()))
  await ok(rules.delete(rule.id))
  const left = (await scoresOf(project)).size
  await Bun.sleep(300)
  expect((await scoresOf(project)).size).toBe(left)
  expectRefusal(await client.post(`/rules/${rule.id}/backfills/query`, { project_id: project.id }), 404)
}, 120_000)

test('a backfill that cannot be is refused', async () => {
  const project = freshProject(client)
  const rules = new Rules(project)
  const { id } = await ok(new Queues(project).create())
  const queue = await ok(rules.create({ is_paused: true, action: { kind: 'add_to_queue', queue_id: id } }))
  expectRefusal(await rules.startBackfill(queue.rule.id, lastDay()), 400, 'score')
  const action = { kind: 'score', scorer_refs: [await createJudge(project)] }
  const { rule } = await ok(rules.create({ is_paused: true, action }))
  expectRefusal(await rules.startBackfill('none', lastDay()), 404)
  expectRefusal(await rules.startBackfill(rule.id, { start: '2026-01-02T00:00:00Z', end: '2026-01-01T00:00:00Z' }), 400)
  expectInvalid(await rules.startBackfill(rule.id, { ...lastDay(), cost_max: 0 }))
  expectInvalid(await rules.startBackfill(rule.id, {}))
  expect((await ok(rules.backfills(rule.id))).backfills).toEqual([])
})
