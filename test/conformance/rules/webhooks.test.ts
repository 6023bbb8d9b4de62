import { expect, test } from 'bun:test'
import process from 'node:process'
import { ok } from '../support/queues.ts'
import { Rules, signatureOf, WebhookReceiver } from '../support/rules.ts'
import { freshProject, ownServer } from '../support/target.ts'
import { until } from '../support/until.ts'

const server = await ownServer({ env: { TRACELAKE_PRIVATE_HOSTS: '127.0.0.1' } })

/** A call that has just ended, after `ms`. */
function recent(id: string, { exception = null, ms = 100 }: { exception?: string | null; ms?: number } = {}) {
  const endedAt = Date.now() - 500
  return {
    id,
    exception,
    started_at: new Date(endedAt - ms).toISOString(),
    ended_at: new Date(endedAt).toISOString(),
  }
}

// It waits for a window to pass, which is the same on Deno; the others below show what is sent.
test.skipIf(process.env['TRACELAKE_TEST_RUNTIME'] === 'deno')(
  'a webhook is called once when its condition begins to be true, and once when it ceases',
  async () => {
    using hook = new WebhookReceiver()
    const rules = new Rules(freshProject(server.client))
    const { rule, signing_secret } = await ok(
      rules.create({
        name: 'Errors',
        condition: { metric: 'error_rate', comparison: 'above', threshold: 0.4, window_seconds: 10, calls_min: 2 },
        action: { kind: 'webhook', url: hook.url, headers: { Authorization: 'Bearer a' } },
      }),
    )
    await rules.project.complete(
      recent('a'),
      recent('b', { exception: 'failed' }),
      recent('c', { exception: 'failed' }),
    )
    await until(() => hook.received.length > 0)
    expect((await ok(rules.read(rule.id))).rule.status).toMatchObject({ state: 'active', alert: 'firing' })
    await rules.project.complete(recent('d', { exception: 'failed' }))
    // The window passes without calls.
    await until(() => hook.received.length > 1)
    expect(hook.types).toEqual(['rule.firing', 'rule.resolved'])
    const [firing] = hook.received
    expect(firing!.body.data).toMatchObject({
      rule_id: rule.id,
      rule_name: 'Errors',
      project_id: rules.project.id,
      metric: 'error_rate',
      threshold: 0.4,
      count: 3,
    })
    expect(firing!.body.data['value']).toBeCloseTo(2 / 3)
    expect(firing!.headers.get('webhook-signature')).toBe(signatureOf(firing!, signing_secret!))
    expect(firing!.headers.get('authorization')).toBe('Bearer a')
    // The receiver has the second one before its delivery is recorded.
    const shown = async () =>
      (await ok(rules.deliveries(rule.id))).deliveries.map(({ type, state }) => `${type} ${state}`).join()
    await until(async () => (await shown()) === 'rule.resolved delivered,rule.firing delivered')
    const { deliveries } = await ok(rules.deliveries(rule.id))
    expect(deliveries[1]).toMatchObject({
      id: firing!.headers.get('webhook-id')!,
      attempts: [{ status: 204, error: null, answer: null }],
    })
    // It fires again at the next crossing, under another id.
    await rules.project.complete(recent('e', { exception: 'failed' }), recent('f', { exception: 'failed' }))
    await until(() => hook.received.length > 2)
    expect(hook.types.at(-1)).toBe('rule.firing')
    expect(new Set(hook.received.map(({ headers }) => headers.get('webhook-id'))).size).toBe(3)
  },
  120_000,
)

test('an alert counts a call whose descendant fails after it has ended', async () => {
  using hook = new WebhookReceiver()
  const rules = new Rules(freshProject(server.client))
  const { rule } = await ok(
    rules.create({
      filter: { trace_roots_only: true },
      query: { $expr: { $eq: [{ $getField: 'summary.ext.status' }, { $literal: 'descendant_error' }] } },
      condition: { metric: 'call_count', comparison: 'above', threshold: 0, window_seconds: 300 },
      action: { kind: 'webhook', url: hook.url },
    }),
  )
  await rules.project.complete({ ...recent('root'), trace_id: 't' })
  await until(async () => (await ok(rules.read(rule.id))).rule.status.value === 0)
  await rules.project.complete({ ...recent('tool', { exception: 'no' }), trace_id: 't', parent_id: 'root' })
  await until(() => hook.received.length > 0)
  expect(hook.received[0]!.body.data).toMatchObject({ metric: 'call_count', value: 1 })
}, 120_000)

const metrics: [object, number][] = [
  [{ metric: 'call_count', threshold: 2.5 }, 3],
  [{ metric: 'error_count', threshold: 0.5 }, 1],
  [{ metric: 'latency_avg_ms', threshold: 1 }, 400],
  [{ metric: 'latency_p95_ms', threshold: 1 }, 910],
  [{ metric: 'total_cost', threshold: 0.001 }, 3.5],
]

test('every metric is measured over the calls that match', async () => {
  using hook = new WebhookReceiver()
  const rules = new Rules(freshProject(server.client))
  const filter = { op_names: ['wanted'] }
  for (const [condition] of metrics) {
    await ok(
      rules.create({
        filter,
        condition: { comparison: 'above', window_seconds: 60, ...condition },
        action: { kind: 'webhook', url: hook.url },
      }),
    )
  }
  const summary = { usage: { 'gpt-4o': { input_tokens: 1_000_000, output_tokens: 100_000 } } }
  await rules.project.complete(
    { ...recent('a', { ms: 100 }), op_name: 'wanted', summary },
    { ...recent('b', { ms: 100 }), op_name: 'wanted' },
    { ...recent('c', { ms: 1_000, exception: 'failed' }), op_name: 'wanted' },
    { ...recent('d', { ms: 5_000, exception: 'failed' }), op_name: 'other' },
  )
  await until(() => hook.received.length >= metrics.length)
  const values = Object.fromEntries(hook.received.map(({ body: { data } }) => [data['metric'], data['value']]))
  for (const [condition, value] of metrics) {
    expect(values[(condition as { metric: string }).metric]).toBeCloseTo(value, 1)
  }
}, 120_000)

test('a mean of scores is measured', async () => {
  using hook = new WebhookReceiver()
  const rules = new Rules(freshProject(server.client))
  await ok(
    rules.create({
      condition: { metric: 'score_avg', comparison: 'below', threshold: 0.5, window_seconds: 60, scorer: 'good' },
      action: { kind: 'webhook', url: hook.url },
    }),
  )
  const { project } = rules
  await project.complete(recent('a'))
  for (const output of [true, false, false, 0]) {
    const sent = { project_id: project.id, ext_ref: `ext:///${project.id}/call/a`, feedback_type: 'ext.runnable.good' }
    const members = { payload: { output }, runnable_ref: `ext:///${project.id}/object/good:v0` }
    const { status, text } = await project.client.post('/feedback/create', { ...sent, ...members })
    expect(`${status} ${text}`).toStartWith('200')
  }
  await until(() => hook.received.length > 0)
  expect(Number(hook.received[0]!.body.data['value'])).toBeLessThan(0.5)
}, 120_000)

test('a webhook that fails is sent again with the same id', async () => {
  using hook = new WebhookReceiver()
  hook.statuses.push(500, 302)
  const rules = new Rules(freshProject(server.client))
  const { rule } = await ok(
    rules.create({
      condition: { metric: 'call_count', comparison: 'above', threshold: 5, window_seconds: 60 },
      action: { kind: 'webhook', url: hook.url },
    }),
  )
  const { delivery_id } = await ok(rules.test(rule.id))
  await until(() => hook.received.length === 3)
  expect(hook.received.map(({ headers }) => headers.get('webhook-id'))).toEqual(Array(3).fill(delivery_id))
  await until(async () => (await ok(rules.deliveries(rule.id))).deliveries[0]?.state === 'delivered')
  const [delivery] = (await ok(rules.deliveries(rule.id))).deliveries
  expect(delivery!.attempts.map(({ status }) => status)).toEqual([500, 302, 204])
  expect(delivery!.type).toBe('rule.test')
}, 120_000)

test('a webhook is not sent to a host that the operator does not allow', async () => {
  const rules = new Rules(freshProject(server.client))
  const { rule } = await ok(
    rules.create({
      condition: { metric: 'call_count', comparison: 'above', threshold: 5, window_seconds: 60 },
      // Resolves to a private address only when it is contacted.
      action: { kind: 'webhook', url: 'http://localtest.invalid/' },
    }),
  )
  await ok(rules.test(rule.id))
  await until(async () => ((await ok(rules.deliveries(rule.id))).deliveries[0]?.attempts.length ?? 0) > 0)
  const [delivery] = (await ok(rules.deliveries(rule.id))).deliveries
  expect(delivery!.attempts[0]!.error).toContain('Cannot resolve the host')
}, 120_000)

test('the beginning of the answer is kept, and a body that does not end does not fail a webhook', async () => {
  using hook = new WebhookReceiver()
  hook.answer = `ok: ${'é'.repeat(2_000)}`
  hook.statuses.push(500, 200)
  const rules = new Rules(freshProject(server.client))
  const { rule } = await ok(
    rules.create({
      condition: { metric: 'call_count', comparison: 'above', threshold: 5, window_seconds: 60 },
      action: { kind: 'webhook', url: hook.url },
    }),
  )
  const delivered = async () => {
    await until(async () => (await ok(rules.deliveries(rule.id))).deliveries[0]?.state === 'delivered')
    return (await ok(rules.deliveries(rule.id))).deliveries[0]!
  }
  await ok(rules.test(rule.id))
  const { attempts } = await delivered()
  expect(attempts.map(({ status }) => status)).toEqual([500, 200])
  for (const { answer } of attempts) {
    expect(answer).toStartWith('ok: é')
    expect(answer!.length).toBeLessThan(600)
  }
  hook.isEndless = true
  await ok(rules.test(rule.id))
  await until(() => hook.received.length === 3)
  expect((await delivered()).attempts).toMatchObject([{ status: 200, error: null }])
}, 120_000)
