import { expect, test } from 'bun:test'
import { createObject } from '../support/evaluation-engine.ts'
import { queryFeedback } from '../support/feedback.ts'
import { ok, Queues } from '../support/queues.ts'
import { Rules } from '../support/rules.ts'
import { freshProject, sharedServer } from '../support/target.ts'
import { until } from '../support/until.ts'

const server = await sharedServer()

test('calls are scored once, and scores are not scored themselves', async () => {
  const project = freshProject(server)
  const rules = new Rules(project)
  const scorer = await createObject(project, 'exact', 'ExactMatchScorer', { column_map: { expected: 'answer' } })
  const { rule } = await ok(rules.create({ action: { kind: 'score', scorer_refs: [scorer] } }))
  await project.add(
    { id: 'right', inputs: { answer: 'x' }, output: 'x' },
    { id: 'wrong', inputs: { answer: 'x' }, output: 'y' },
    { id: 'running', ended_at: null },
  )
  await until(async () => (await queryFeedback(project)).length === 2)
  // Written again, it is not scored again.
  await project.update('right', 'renamed')
  await project.end({ id: 'running', output: 'z' })
  await until(async () => (await ok(rules.read(rule.id))).rule.status.handled >= 4)
  const scores = async () => (await project.query()).filter(({ op_name }) => op_name === 'exact.score')
  await until(async () => (await scores()).length >= 3)
  expect(await scores()).toHaveLength(3)
  expect(new Set((await queryFeedback(project)).map(({ ext_ref }) => ext_ref)).size).toBeGreaterThanOrEqual(2)
}, 120_000)

test('calls that match are added to a queue once', async () => {
  const project = freshProject(server)
  const rules = new Rules(project)
  const queues = new Queues(project)
  const { id } = await ok(queues.create())
  const { rule } = await ok(
    rules.create({
      filter: { op_names: ['wanted'] },
      query: { $expr: { $eq: [{ $getField: 'inputs.topic' }, { $literal: 'refund' }] } },
      action: { kind: 'add_to_queue', queue_id: id, display_fields: ['inputs.topic'] },
    }),
  )
  await project.complete(
    { id: 'a', op_name: 'wanted', inputs: { topic: 'refund' } },
    { id: 'b', op_name: 'wanted', inputs: { topic: 'other' } },
    { id: 'c', op_name: 'other', inputs: { topic: 'refund' } },
  )
  await until(async () => (await ok(queues.items(id))).items.length > 0)
  await project.update('a', 'renamed')
  await project.complete({ id: 'd', op_name: 'wanted', inputs: { topic: 'refund' } })
  await until(async () => (await ok(queues.items(id))).items.length > 1)
  const { items } = await ok(queues.items(id))
  expect(items.map(({ call_id }) => call_id)).toEqual(['a', 'd'])
  expect((await ok(rules.read(rule.id))).rule.status).toMatchObject({ state: 'active', alert: null })
}, 120_000)

test('a call whose descendant fails later matches a rule for errors inside from then on', async () => {
  const project = freshProject(server)
  const rules = new Rules(project)
  const queues = new Queues(project)
  const { id } = await ok(queues.create())
  const isStatus = (status: string) => ({ $expr: { $eq: [{ $getField: 'summary.ext.status' }, { $literal: status }] } })
  const inside = isStatus('descendant_error')
  await ok(rules.create({ query: inside, action: { kind: 'add_to_queue', queue_id: id } }))
  const others = await ok(queues.create())
  const fine = await ok(
    rules.create({ query: isStatus('success'), action: { kind: 'add_to_queue', queue_id: others.id } }),
  )
  const t = { trace_id: 't' }
  await project.complete({ id: 'root', ...t }, { id: 'step', parent_id: 'root', ...t }, { id: 'other' })
  // The rule has seen them, and passed them.
  await until(async () => (await ok(rules.read(fine.rule.id))).rule.status.handled === 3)
  await project.complete({ id: 'tool', parent_id: 'step', ...t, exception: 'ValueError: no' })
  await until(async () => (await ok(queues.items(id))).items.length > 1)
  const { items } = await ok(queues.items(id))
  expect(items.map(({ call_id }) => call_id).toSorted()).toEqual(['root', 'step'])
}, 120_000)

test('a sample rate handles whole traces', async () => {
  const project = freshProject(server)
  const rules = new Rules(project)
  const queues = new Queues(project)
  const { id } = await ok(queues.create())
  const sampled = await ok(rules.create({ sample_rate: 0.5, action: { kind: 'add_to_queue', queue_id: id } }))
  const all = await ok(queues.create())
  const { rule } = await ok(rules.create({ action: { kind: 'add_to_queue', queue_id: all.id } }))
  const calls = Array.from({ length: 100 }, (_, n) => ({ id: `call-${n}`, trace_id: `trace-${Math.floor(n / 2)}` }))
  await project.complete(...calls)
  const handled = async (of: { id: string }) => (await ok(rules.read(of.id))).rule.status.handled
  await until(async () => (await handled(rule)) === 100)
  // The calls are few enough to be handled at once.
  await until(async () => (await handled(sampled.rule)) > 0)
  const { items } = await ok(queues.items(id))
  expect(items.length).toBeGreaterThan(20)
  expect(items.length).toBeLessThan(80)
  const traces = Map.groupBy(items, ({ call_id }) => Math.floor(Number(call_id.slice(5)) / 2))
  expect([...traces.values()].every((calls) => calls.length === 2)).toBe(true)
}, 120_000)

test('a rule that cannot act says why, and goes on when it can', async () => {
  const project = freshProject(server)
  const rules = new Rules(project)
  const queues = new Queues(project)
  const { id } = await ok(queues.create())
  const { rule } = await ok(rules.create({ action: { kind: 'add_to_queue', queue_id: id } }))
  await ok(queues.delete(id))
  await project.complete({ id: 'a' })
  await until(async () => (await ok(rules.read(rule.id))).rule.status.state === 'failing')
  expect((await ok(rules.read(rule.id))).rule.status.error).toContain('not found')
  const other = await ok(queues.create())
  await ok(rules.update(rule.id, { action: { kind: 'add_to_queue', queue_id: other.id } }))
  await until(async () => (await ok(queues.items(other.id))).items.length === 1)
  await until(async () => (await ok(rules.read(rule.id))).rule.status.state === 'active')
}, 120_000)

test('a paused rule handles nothing, and later only what arrives later', async () => {
  const project = freshProject(server)
  const rules = new Rules(project)
  const queues = new Queues(project)
  const { id } = await ok(queues.create())
  const { rule } = await ok(rules.create({ is_paused: true, action: { kind: 'add_to_queue', queue_id: id } }))
  await project.complete({ id: 'before' })
  await ok(rules.update(rule.id, { is_paused: false }))
  await project.complete({ id: 'after' })
  await until(async () => (await ok(queues.items(id))).items.length > 0)
  expect((await ok(queues.items(id))).items.map(({ call_id }) => call_id)).toEqual(['after'])
}, 120_000)
