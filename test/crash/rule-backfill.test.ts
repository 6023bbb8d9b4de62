import { expect, test } from 'bun:test'
import { startStubModel } from '../../scripts/stub-model/server.ts'
import { jobLimits } from '../../src/lib/limits/jobs.ts'
import { queryFeedback } from '../conformance/support/feedback.ts'
import { createJudge, questions } from '../conformance/support/judges.ts'
import { Project } from '../conformance/support/project.ts'
import { ok } from '../conformance/support/queues.ts'
import { Rules } from '../conformance/support/rules.ts'
import { makeTempFolder, removeFolder } from '../conformance/support/temp-folder.ts'
import { tableFolder } from '../store/folder-state.ts'
import { findLastingFaults } from '../store/lasting-faults.ts'
import { Random, seedOr } from '../store/random.ts'
import { ServerChild } from './server-child.ts'

const callCount = 400
const killsMax = 4
const adminKey = 'b'.repeat(40)
const seed = seedOr(Math.floor(Math.random() * 2 ** 31))

test(`a backfill goes on after kills and scores each call once (TRACELAKE_TEST_SEED=${seed})`, async () => {
  const data = await makeTempFolder()
  const stub = startStubModel()
  const random = new Random(seed)
  const env = { OPENAI_API_KEY: 'stub', TRACELAKE_OPENAI_BASE_URL: stub.url }
  const spawn = () => new ServerChild({ kind: 'plain', data, adminKey, env })
  let server = spawn()
  try {
    let rules = new Rules(new Project(await server.listening(), 'crash', 'backfill'))
    const newest = async (id: string) => (await ok(rules.backfills(id))).backfills[0]!
    await rules.project.complete(...questions(callCount))
    const action = { kind: 'score', scorer_refs: [await createJudge(rules.project)] }
    const { rule } = await ok(rules.create({ filter: { op_names: ['ask'] }, is_paused: true, action }))
    const start = new Date(Date.now() - 86_400_000).toISOString()
    const { backfill } = await ok(rules.startBackfill(rule.id, { start }))
    let kills = 0
    let reached = 0
    for (; kills < killsMax; kills++) {
      await Bun.sleep(random.below(kills === 0 ? 400 : 1_500))
      const { state, done } = await newest(rule.id)
      // What it has come to is kept.
      expect(done).toBeGreaterThanOrEqual(reached)
      reached = done
      if (state === 'completed') break
      await server.kill()
      server = spawn()
      rules = new Rules(new Project(await server.listening(), 'crash', 'backfill'))
      for (const table of ['jobs', 'feedback', 'calls']) {
        expect(await findLastingFaults(tableFolder(data, table), ['project_id', 'id'])).toEqual([])
      }
    }
    expect(kills).toBeGreaterThan(0)
    while (!['completed', 'failed'].includes((await newest(rule.id)).state)) await Bun.sleep(50)
    expect(await newest(rule.id)).toMatchObject({
      id: backfill.id,
      state: 'completed',
      total: callCount,
      done: callCount,
    })
    const scored = (await queryFeedback(rules.project)).map(({ ext_ref }) => String(ext_ref).split('/').at(-1)!)
    expect(scored.toSorted()).toEqual(
      questions(callCount)
        .map(({ id }) => id)
        .toSorted(),
    )
    const scores = (await rules.project.query()).filter(({ op_name }) => op_name === 'judge.score')
    expect(scores).toHaveLength(callCount)
    // A kill may lose the answers to the requests in progress, which are then asked for again.
    console.log(`backfill: ${kills} kills, ${stub.requests.length} requests to the model for ${callCount} calls`)
    expect(stub.requests.length).toBeGreaterThanOrEqual(callCount)
    expect(stub.requests.length).toBeLessThanOrEqual(callCount + kills * jobLimits.trialsAtOnce)
    const asked = Map.groupBy(stub.requests, ({ text }) => text)
    expect(asked.size).toBe(callCount)
    expect(await server.stop()).toBe(0)
  } finally {
    await server.kill()
    await stub.stop()
  }
  await removeFolder(data)
}, 300_000)
