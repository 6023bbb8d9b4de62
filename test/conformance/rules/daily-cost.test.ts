import { expect, test } from 'bun:test'
import { serverWithStub } from '../support/completions.ts'
import { untilDayLasts } from '../support/day.ts'
import { createJudge, questions, scoresOf } from '../support/judges.ts'
import { ok, Queues } from '../support/queues.ts'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { Rules } from '../support/rules.ts'
import { freshProject } from '../support/target.ts'
import { until } from '../support/until.ts'

const { server, stub } = await serverWithStub()
const client = server.client
const filter = { op_names: ['ask'] }

test('the limit of a day is exceeded by one score at most, and said', async () => {
  await untilDayLasts()
  const project = freshProject(client)
  const rules = new Rules(project)
  const action = { kind: 'score', scorer_refs: [await createJudge(project)] }
  const paused = await ok(rules.create({ filter, is_paused: true, action }))
  await project.complete(...questions(20))
  const { end } = await rules.dryRun(paused.rule.id)
  const perCall = end.cost / 20
  // What four calls cost, and a little: the fifth is the last.
  const daily_cost_max = perCall * 4.2
  const before = stub.requests.length
  const { rule } = await ok(rules.create({ filter, daily_cost_max, action }))
  expect(rule).toMatchObject({ daily_cost_max, status: { state: 'active', cost_today: 0, capped_until: null } })
  await project.complete(...questions(20))
  await until(async () => (await ok(rules.read(rule.id))).rule.status.passed >= 15)
  const { status } = (await ok(rules.read(rule.id))).rule
  expect(status).toMatchObject({ state: 'capped', handled: 5, passed: 15, error: null })
  expect(status.cost_today).toBeGreaterThanOrEqual(daily_cost_max)
  expect(status.cost_today).toBeLessThan(daily_cost_max + perCall * 1.5)
  expect(status.capped_until).toMatch(/T00:00:00(\.0+)?Z$/)
  expect(Date.parse(status.capped_until!)).toBeGreaterThan(Date.now())
  expect(stub.requests.length - before).toBe(5)
  expect((await scoresOf(project)).size).toBe(5)
  // A higher limit lets it go on, with calls that arrive from then on.
  await ok(rules.update(rule.id, { daily_cost_max: 100 }))
  await project.complete({ ...questions(1)[0]!, id: 'later' })
  await until(async () => (await scoresOf(project)).has('later'))
  expect((await ok(rules.read(rule.id))).rule.status).toMatchObject({ state: 'active', passed: 15 })
  expect((await ok(rules.update(rule.id, { daily_cost_max: 0 }))).rule).toMatchObject({ daily_cost_max: null } as never)
}, 120_000)

test('a limit is for rules that score', async () => {
  const project = freshProject(client)
  const rules = new Rules(project)
  const { id } = await ok(new Queues(project).create())
  const action = { kind: 'add_to_queue', queue_id: id }
  expectRefusal(await rules.create({ daily_cost_max: 5, action }), 400, 'daily_cost_max')
  expectInvalid(await rules.create({ daily_cost_max: -1, action }))
})
