import { expect, test } from 'bun:test'
import { startStubModel } from '../../scripts/stub-model/server.ts'
import { untilDayLasts } from '../conformance/support/day.ts'
import { queryFeedback } from '../conformance/support/feedback.ts'
import { createJudge, questions } from '../conformance/support/judges.ts'
import { Project } from '../conformance/support/project.ts'
import { ok } from '../conformance/support/queues.ts'
import { Rules } from '../conformance/support/rules.ts'
import { makeTempFolder, removeFolder } from '../conformance/support/temp-folder.ts'
import { until } from '../conformance/support/until.ts'
import { Random, seedOr } from '../store/random.ts'
import { ServerChild } from './server-child.ts'

const callCount = 60
/** Calls that the limit pays for; the last one exceeds it. */
const paidCalls = 30
const killsMax = 4
const adminKey = 'e'.repeat(40)
const seed = seedOr(Math.floor(Math.random() * 2 ** 31))

test(`kills do not make a rule spend more than its limit of a day (TRACELAKE_TEST_SEED=${seed})`, async () => {
  await untilDayLasts()
  const data = await makeTempFolder()
  /** Requests that are answered; those after them wait for the next life of the server. */
  let answeredMax = Number.POSITIVE_INFINITY
  const stub = startStubModel({ hold: () => until(() => stub.requests.length <= answeredMax) })
  const random = new Random(seed)
  const env = { OPENAI_API_KEY: 'stub', TRACELAKE_OPENAI_BASE_URL: stub.url }
  const spawn = () => new ServerChild({ kind: 'plain', data, adminKey, env })
  let server = spawn()
  try {
    const rulesOf = async () => new Rules(new Project(await server.listening(), 'crash', 'daily-cost'))
    let rules = await rulesOf()
    const filter = { op_names: ['ask'] }
    const action = { kind: 'score', scorer_refs: [await createJudge(rules.project)] }
    const paused = await ok(rules.create({ filter, is_paused: true, action }))
    await rules.project.complete(...questions(callCount))
    const tried = await rules.dryRun(paused.rule.id, { limit: callCount })
    const perCall = tried.end.cost / callCount
    const daily_cost_max = perCall * (paidCalls - 0.5)
    const before = stub.requests.length
    const asked = () => stub.requests.length - before
    const { rule } = await ok(rules.create({ filter, daily_cost_max, action }))
    const status = async () => (await ok(rules.read(rule.id))).rule.status
    await rules.project.complete(...questions(callCount))
    let kills = 0
    let spent = 0
    for (; kills < killsMax; kills++) {
      const wanted = asked() + 1 + random.below(Math.floor(paidCalls / killsMax))
      answeredMax = before + wanted
      await until(async () => asked() >= wanted || (await status()).state === 'capped')
      const { state, cost_today } = await status()
      // What was spent for a score is stored before it, and not forgotten.
      expect(cost_today).toBeGreaterThanOrEqual(spent)
      if (state === 'capped') break
      spent = perCall * ((await queryFeedback(rules.project)).length - 0.5)
      await server.kill()
      server = spawn()
      rules = await rulesOf()
    }
    expect(kills).toBeGreaterThan(0)
    answeredMax = Number.POSITIVE_INFINITY
    await until(async () => (await status()).state === 'capped')
    const { cost_today } = await status()
    expect(cost_today).toBeGreaterThanOrEqual(daily_cost_max)
    // One score at most exceeds the limit.
    expect(cost_today).toBeLessThan(daily_cost_max + perCall * 1.5)
    const scored = (await queryFeedback(rules.project)).map(({ ext_ref }) => String(ext_ref))
    expect(new Set(scored).size).toBe(scored.length)
    // The request that a kill interrupts may be paid without being known to be.
    console.log(`daily cost: ${kills} kills, ${asked()} requests for a limit of ${paidCalls}`)
    expect(asked()).toBeLessThanOrEqual(paidCalls + 1 + kills)
    expect(scored.length).toBeLessThanOrEqual(paidCalls + 1)
    expect(await server.stop()).toBe(0)
  } finally {
    await server.kill()
    await stub.stop()
  }
  await removeFolder(data)
}, 300_000)
