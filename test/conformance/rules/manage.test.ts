import { describe, expect, test } from 'bun:test'
import { createObject } from '../support/evaluation-engine.ts'
import { ok, Queues } from '../support/queues.ts'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { Rules } from '../support/rules.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const server = await sharedServer()
const webhook = { kind: 'webhook', url: 'https://example.com/hook' }
const condition = { metric: 'error_rate', comparison: 'above', threshold: 0.1, window_seconds: 60 }

describe('rules', () => {
  test('are created, listed, read, updated and deleted', async () => {
    const rules = new Rules(freshProject(server))
    const { rule, signing_secret } = await ok(
      rules.create({ name: 'Errors', filter: { trace_roots_only: true }, condition, action: webhook }),
    )
    const { id } = rule
    expect(signing_secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(rule).toMatchObject({
      id: expect.any(String),
      project_id: rules.project.id,
      name: 'Errors',
      filter: { trace_roots_only: true },
      query: null,
      sample_rate: 1,
      condition: { ...condition, calls_min: 0, scorer: null, score_path: null },
      action: { ...webhook, header_names: [] },
      is_paused: false,
      created_by: expect.any(String),
      status: { state: 'active', alert: 'ok', position: null, handled: 0, error: null },
    } as never)
    expect((await ok(rules.list())).rules.map((listed) => listed.id)).toEqual([id])
    expect((await ok(rules.read(id))).rule.name).toBe('Errors')
    const paused = (await ok(rules.update(id, { name: 'Paused', is_paused: true }))).rule
    expect(paused).toMatchObject({ name: 'Paused', is_paused: true, status: { state: 'paused' }, condition })
    expect((await ok(rules.delete(id))).rule.name).toBe('Paused')
    expect((await ok(rules.list())).rules).toEqual([])
    expectRefusal(await rules.read(id), 404)
    expectRefusal(await rules.update(id, { name: 'gone' }), 404)
    expectRefusal(await rules.delete(id), 404)
    expectRefusal(await rules.deliveries(id), 404)
  })

  test('never show the headers they send', async () => {
    const rules = new Rules(freshProject(server))
    const action = { ...webhook, headers: { Authorization: 'Bearer hidden-value' } }
    const created = await rules.create({ condition, action })
    expect(created.json.rule.action).toMatchObject({ header_names: ['Authorization'] })
    const { id } = created.json.rule
    // Sent again without them, they are kept for the same host and dropped for another.
    const same = await rules.update(id, { action: { ...webhook, url: 'https://example.com/other' } })
    expect(same.json.rule.action).toMatchObject({ header_names: ['Authorization'] })
    const other = await rules.update(id, { action: { ...webhook, url: 'https://example.org/hook' } })
    expect(other.json.rule.action).toMatchObject({ header_names: [] })
    for (const { text } of [created, same, other, await rules.list()]) expect(text).not.toContain('hidden-value')
  })

  test('lose their query by null, and keep it when it is omitted', async () => {
    const project = freshProject(server)
    const rules = new Rules(project)
    const { id } = await ok(new Queues(project).create())
    const query = { $expr: { $eq: [{ $getField: 'op_name' }, { $literal: 'ask' }] } }
    const { rule } = await ok(rules.create({ query, action: { kind: 'add_to_queue', queue_id: id } }))
    expect((await ok(rules.update(rule.id, { name: 'kept' }))).rule.query).toEqual(query)
    expect((await ok(rules.update(rule.id, { query: null }))).rule.query).toBeNull()
  })

  test('belong to one project', async () => {
    const rules = new Rules(freshProject(server))
    const { rule } = await ok(rules.create({ condition, action: webhook }))
    const others = new Rules(freshProject(server))
    expect((await ok(others.list())).rules).toEqual([])
    expectRefusal(await others.read(rule.id), 404)
    expectRefusal(await others.delete(rule.id), 404)
  })

  test('run scorers and fill queues that exist', async () => {
    const project = freshProject(server)
    const rules = new Rules(project)
    const scorer = await createObject(project, 'exact', 'ExactMatchScorer', {})
    const queue = await ok(new Queues(project).create())
    const { rule } = await ok(rules.create({ action: { kind: 'score', scorer_refs: [scorer] } }))
    expect(rule.action).toEqual({ kind: 'score', scorer_refs: [scorer] })
    await ok(rules.create({ action: { kind: 'add_to_queue', queue_id: queue.id } }))
    expectRefusal(await rules.create({ action: { kind: 'add_to_queue', queue_id: 'none' } }), 404)
    const missing = `ext:///${project.id}/object/none:v0`
    expectRefusal(await rules.create({ action: { kind: 'score', scorer_refs: [missing] } }), 404)
  })
})

describe('a rule is refused', () => {
  const rules = new Rules(freshProject(server))
  test.each([
    ['without a condition for its webhook', { action: webhook }, 'condition'],
    ['with a sample rate for its webhook', { action: webhook, condition, sample_rate: 0.5 }, 'sample_rate'],
    ['with a private address', { action: { ...webhook, url: 'http://127.0.0.1/' }, condition }, 'private'],
    [
      'with credentials in its URL',
      { action: { ...webhook, url: 'https://a:b@example.com/' }, condition },
      'credentials',
    ],
    ['with another protocol', { action: { ...webhook, url: 'ftp://example.com/' }, condition }, 'http'],
    ['with a header of HTTP itself', { action: { ...webhook, headers: { Host: 'a' } }, condition }, 'Host'],
    ['with a line break in a header', { action: { ...webhook, headers: { A: 'a\nb' } }, condition }, 'ASCII'],
    ['with a score without a scorer', { action: webhook, condition: { ...condition, metric: 'score_avg' } }, 'scorer'],
    [
      'with a query about an unknown field',
      { action: webhook, condition, query: { $expr: { $eq: [{ $getField: 'nothing' }, { $literal: 1 }] } } },
      'nothing',
    ],
  ])('%s', async (_, members, message) => {
    expectRefusal(await rules.create(members), message === 'nothing' ? 422 : 400, message)
    expect((await ok(rules.list())).rules).toEqual([])
  })

  test.each([
    { action: { kind: 'unknown' } },
    { action: webhook, condition: { ...condition, window_seconds: 1 } },
    { action: webhook, condition: { ...condition, metric: 'moon_phase' } },
    { action: webhook, condition, sample_rate: 2 },
    { action: webhook, condition, signing_secret: 'short' },
    { action: webhook, condition, name: '' },
    { action: webhook, condition, query: { $expr: { $eq: [1] } } },
    {},
  ])('for a member that does not fit: %j', async (members) => {
    expectInvalid(await rules.create(members))
  })
})
