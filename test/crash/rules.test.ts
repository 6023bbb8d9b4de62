import { afterAll, expect, test } from 'bun:test'
import type { Client } from '../conformance/support/client.ts'
import { createObject } from '../conformance/support/evaluation-engine.ts'
import { queryFeedback } from '../conformance/support/feedback.ts'
import { Project } from '../conformance/support/project.ts'
import { ok, Queues } from '../conformance/support/queues.ts'
import { Rules, WebhookReceiver } from '../conformance/support/rules.ts'
import { StubCollector, sentSpans } from '../conformance/support/stub-collector.ts'
import { makeTempFolder, removeFolder } from '../conformance/support/temp-folder.ts'
import { until } from '../conformance/support/until.ts'
import { tableFolder } from '../store/folder-state.ts'
import { findLastingFaults } from '../store/lasting-faults.ts'
import { Random, seedOr } from '../store/random.ts'
import { ServerChild } from './server-child.ts'

const lives = 3
const callsPerLife = 12
const adminKey = 'd'.repeat(40)
const tables = ['rules', 'rule_progress', 'rule_deliveries', 'annotation_queue_items', 'feedback']
const seed = seedOr(Math.floor(Math.random() * 2 ** 31))
const receiver = new WebhookReceiver()
const collector = new StubCollector()
afterAll(() => {
  receiver[Symbol.dispose]()
  collector[Symbol.dispose]()
})

/** Acknowledged calls of all lives, which a kill may have hit before any rule saw them. */
const acknowledged: string[] = []

async function load(project: Project, life: number): Promise<void> {
  for (let n = 0; n < callsPerLife; n++) {
    const id = `call-${life}-${n}`
    await project.complete({
      id,
      inputs: { answer: 'x' },
      output: n % 2 ? 'x' : 'y',
      ended_at: new Date().toISOString(),
    })
    acknowledged.push(id)
  }
}

test(`rules act once on every acknowledged call and forward it, over ${lives} kills (TRACELAKE_TEST_SEED=${seed})`, async () => {
  const data = await makeTempFolder()
  const random = new Random(seed)
  const env = { TRACELAKE_PRIVATE_HOSTS: '127.0.0.1' }
  const projectOn = (client: Client) => new Project(client, 'crash', 'rules')
  let queueId = ''
  let alertId = ''
  for (let life = 0; life < lives; life++) {
    const server = new ServerChild({ kind: random.chance(0.5) ? 'flushing' : 'plain', data, adminKey, env })
    try {
      const project = projectOn(await server.listening())
      for (const table of tables) {
        expect(await findLastingFaults(tableFolder(data, table), ['project_id', 'id'])).toEqual([])
      }
      if (life === 0) {
        const rules = new Rules(project)
        queueId = (await ok(new Queues(project).create())).id
        const scorer = await createObject(project, 'exact', 'ExactMatchScorer', { column_map: { expected: 'answer' } })
        const query = { $expr: { $contains: { input: { $getField: 'id' }, substr: { $literal: 'call-' } } } }
        await ok(rules.create({ query, action: { kind: 'add_to_queue', queue_id: queueId } }))
        await ok(rules.create({ query, action: { kind: 'score', scorer_refs: [scorer] } }))
        await ok(rules.create({ query, action: { kind: 'forward', url: collector.url } }))
        const condition = { metric: 'call_count', comparison: 'above', threshold: 5, window_seconds: 86_400 }
        const action = { kind: 'webhook', url: receiver.url }
        alertId = (await ok(rules.create({ condition, action }))).rule.id
      }
      server.beginFlushing()
      await load(project, life)
      // Rules gather calls for a second, so the kill comes before, while or after they act.
      collector.statuses.push(503)
      await Bun.sleep(random.below(2_500))
    } finally {
      await server.kill()
    }
  }
  const last = new ServerChild({ kind: 'plain', data, adminKey, env })
  try {
    const project = projectOn(await last.listening())
    const queues = new Queues(project)
    const queued = async () => (await ok(queues.items(queueId, { limit: 1_000 }))).items.map(({ call_id }) => call_id)
    await until(async () => (await queued()).length >= acknowledged.length)
    expect((await queued()).toSorted()).toEqual(acknowledged.toSorted())
    const scored = async () => (await queryFeedback(project)).map(({ ext_ref }) => String(ext_ref).split('/').at(-1)!)
    await until(async () => (await scored()).length >= acknowledged.length)
    expect((await scored()).toSorted()).toEqual(acknowledged.toSorted())
    const forwarded = () => new Set(sentSpans(collector).map((span) => span.attributes['ext.call_id']!['stringValue']))
    await until(() => forwarded().size >= acknowledged.length)
    expect([...forwarded()].toSorted()).toEqual(acknowledged.toSorted())
    await until(() => receiver.received.length > 0)
    // A kill after the request and before it is recorded repeats it, with the same id.
    expect(new Set(receiver.received.map(({ headers }) => headers.get('webhook-id'))).size).toBe(1)
    const { deliveries } = await ok(new Rules(project).deliveries(alertId))
    expect(deliveries.map(({ type }) => type)).toEqual(['rule.firing'])
    expect(await last.stop()).toBe(0)
  } finally {
    await last.kill()
  }
  await removeFolder(data)
}, 300_000)

test('a rule whose progress was never stored begins with its creation', async () => {
  const data = await makeTempFolder()
  const first = new ServerChild({ kind: 'plain', data, adminKey })
  let queueId = ''
  try {
    const project = new Project(await first.listening(), 'crash', 'new-rule')
    queueId = (await ok(new Queues(project).create())).id
    await ok(new Rules(project).create({ action: { kind: 'add_to_queue', queue_id: queueId } }))
    await project.complete({ id: 'early', inputs: {}, output: null })
  } finally {
    await first.kill()
  }
  // As if the kill had come before the rule did anything.
  for (const table of ['rule_progress', 'annotation_queue_items']) await removeFolder(tableFolder(data, table))
  const second = new ServerChild({ kind: 'plain', data, adminKey })
  try {
    const project = new Project(await second.listening(), 'crash', 'new-rule')
    const queued = async () => (await ok(new Queues(project).items(queueId, {}))).items.map(({ call_id }) => call_id)
    await until(async () => (await queued()).length > 0)
    expect(await queued()).toEqual(['early'])
  } finally {
    await second.kill()
  }
  await removeFolder(data)
}, 300_000)
