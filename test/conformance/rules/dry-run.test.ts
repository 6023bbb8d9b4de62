import { expect, test } from 'bun:test'
import { serverWithStub } from '../support/completions.ts'
import { createObject } from '../support/evaluation-engine.ts'
import { queryFeedback } from '../support/feedback.ts'
import { createJudge, questions, scoresOf } from '../support/judges.ts'
import { ok, Queues } from '../support/queues.ts'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { Rules } from '../support/rules.ts'
import { freshProject } from '../support/target.ts'
import { until } from '../support/until.ts'

const { server, stub } = await serverWithStub()
const client = server.client
const asked = { filter: { op_names: ['ask'] } }

test('a dry run stores nothing, and says what the rule then does', async () => {
  const project = freshProject(client)
  const rules = new Rules(project)
  const action = { kind: 'score', scorer_refs: [await createJudge(project)] }
  const { rule } = await ok(rules.create({ ...asked, sample_rate: 0.5, is_paused: true, action }))
  await project.complete(...questions(40), { id: 'other', op_name: 'other', inputs: { question: 'no' } })
  const { start, calls, end } = await rules.dryRun(rule.id)
  expect(start.calls).toBeGreaterThan(4)
  expect(start.calls).toBeLessThan(36)
  expect(start.calls_last_day).toBe(start.calls)
  expect(calls).toHaveLength(start.calls)
  expect(end).toMatchObject({ scored: start.calls, failed: 0, stopped: null })
  const cost = calls.flatMap(({ scores }) => scores).reduce((sum, score) => sum + score.cost, 0)
  expect(cost).toBeGreaterThan(0)
  expect(end.cost).toBeCloseTo(cost, 12)
  expect(end.cost_per_day).toBeCloseTo(cost, 12)
  expect(await queryFeedback(project)).toEqual([])
  expect(await project.query()).toHaveLength(41)
  // The rule does the same when it is on and the calls come again.
  const before = stub.requests.length
  await ok(rules.update(rule.id, { is_paused: false }))
  await project.complete(...questions(40))
  await until(async () => (await ok(rules.read(rule.id))).rule.status.handled >= start.calls)
  const tried = new Map(calls.map(({ call_id, scores }) => [call_id, scores[0]!.value]))
  expect(await scoresOf(project)).toEqual(tried)
  expect(stub.requests.length - before).toBe(start.calls)
  const { status } = (await ok(rules.read(rule.id))).rule
  expect(status.cost_today).toBeCloseTo(cost, 12)
}, 120_000)

test('a dry run takes the newest calls, and stops at the limit of a day', async () => {
  const project = freshProject(client)
  const rules = new Rules(project)
  const action = { kind: 'score', scorer_refs: [await createJudge(project)] }
  const { rule } = await ok(rules.create({ ...asked, is_paused: true, daily_cost_max: 1e-9, action }))
  await project.complete(...questions(10))
  const before = stub.requests.length
  const capped = await rules.dryRun(rule.id, { limit: 4 })
  expect(capped.start).toMatchObject({ calls: 4, calls_last_day: 10 })
  expect(capped.end).toMatchObject({ scored: 1, stopped: 'daily_cost_max' })
  expect(stub.requests.length - before).toBe(1)
  await ok(rules.update(rule.id, { daily_cost_max: 0 }))
  const free = await rules.dryRun(rule.id, { limit: 4 })
  expect(free.calls.map(({ call_id }) => call_id).toSorted()).toEqual(['call-6', 'call-7', 'call-8', 'call-9'])
  expect(free.end.cost_per_day).toBeCloseTo((free.end.cost / 4) * 10, 12)
})

test('a scorer that fails is shown with its reason', async () => {
  const project = freshProject(client)
  const rules = new Rules(project)
  const action = { kind: 'score', scorer_refs: [await createJudge(project, 'judge', 'Judge {missing}')] }
  const { rule } = await ok(rules.create({ ...asked, is_paused: true, action }))
  await project.complete(...questions(1))
  const { calls, end } = await rules.dryRun(rule.id)
  expect(calls[0]!.scores[0]!.error).toContain('missing')
  expect(end).toMatchObject({ scored: 1, failed: 1, cost: 0 })
})

test('the latest version of a scorer is that of the time of the score', async () => {
  const project = freshProject(client)
  const rules = new Rules(project)
  const first = await createObject(project, 'polite', 'ExactMatchScorer', { column_map: { expected: 'a' } })
  const latest = first.replace(/:[^:]*$/, ':latest')
  const { rule } = await ok(
    rules.create({ ...asked, is_paused: true, action: { kind: 'score', scorer_refs: [latest] } }),
  )
  expect(rule.action).toEqual({ kind: 'score', scorer_refs: [latest] })
  await project.complete(...questions(1))
  expect((await rules.dryRun(rule.id)).calls[0]!.scores[0]!.scorer_ref).toBe(first)
  const second = await createObject(project, 'polite', 'ExactMatchScorer', { column_map: { expected: 'b' } })
  expect(second).not.toBe(first)
  expect((await rules.dryRun(rule.id)).calls[0]!.scores[0]!.scorer_ref).toBe(second)
})

test('only rules that score are tried', async () => {
  const project = freshProject(client)
  const rules = new Rules(project)
  const { id } = await ok(new Queues(project).create())
  const { rule } = await ok(rules.create({ is_paused: true, action: { kind: 'add_to_queue', queue_id: id } }))
  const post = (ruleId: string, members: object = {}) =>
    client.post(`/rules/${ruleId}/dry_run`, { project_id: project.id, ...members })
  expectRefusal(await post(rule.id), 400, 'score')
  expectRefusal(await post('none'), 404)
  expectInvalid(await post(rule.id, { limit: 101 }))
})
