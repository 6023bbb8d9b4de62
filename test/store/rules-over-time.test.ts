import { expect, test } from 'bun:test'
import { pino } from 'pino'
import { startStubModel } from '../../scripts/stub-model/server.ts'
import { loadConfig } from '../../src/runtime/config.ts'
import { createApp } from '../../src/server/app.ts'
import { openContext } from '../../src/server/context.ts'
import { WebhookReceiver } from '../conformance/support/rules.ts'
import { makeTempFolder, removeFolder } from '../conformance/support/temp-folder.ts'
import { until } from '../conformance/support/until.ts'

const adminKey = 'rules-admin-key-0123456789-0123456789'
const project_id = 'time/rules'
const dayMs = 86_400_000

interface RuleStatus {
  readonly state: string
  readonly alert: string | null
  readonly evaluated_at: string | null
  readonly handled: number
  readonly passed: number
  readonly cost_today: number
  readonly capped_until: string | null
}

/** A server in this process whose clock says what the test wants. */
async function openServer(env: Record<string, string>) {
  const data = await makeTempFolder()
  const clock = { ms: Date.now() }
  const set: Record<string, string> = { TRACELAKE_ADMIN_KEY: adminKey, ...env }
  const config = loadConfig({ data }, (name) => set[name])
  const context = await openContext(config, pino({ level: 'error' }), { nowMs: () => clock.ms })
  const app = createApp(context)
  const send = async <T>(method: string, path: string, body: unknown): Promise<T> => {
    const headers = { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' }
    const request = new Request(`http://localhost${path}`, { method, body: JSON.stringify(body), headers })
    const answer = await app.fetch(request, { ip: () => undefined, holdOpen: () => () => {} })
    const text = await answer.text()
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${text}`)
    return JSON.parse(text) as T
  }
  const post = <T>(path: string, body: object) => send<T>('POST', path, { project_id, ...body })
  return {
    clock,
    post,
    createRule: async (members: object) =>
      (await post<{ rule: { id: string } }>('/rules', { name: 'rule', ...members })).rule.id,
    statusOf: async (id: string) =>
      (await post<{ rules: { id: string; status: RuleStatus }[] }>('/rules/query', {})).rules.find(
        (rule) => rule.id === id,
      )!.status,
    complete: async (...calls: { id: string; endedMs: number; exception?: string }[]) => {
      const batch = calls.map(({ id, endedMs, exception = null }) => ({
        project_id,
        id,
        trace_id: id,
        op_name: 'ask',
        attributes: {},
        inputs: { question: id },
        output: 'a',
        summary: {},
        exception,
        started_at: new Date(endedMs - 100).toISOString(),
        ended_at: new Date(endedMs).toISOString(),
      }))
      await send('POST', '/v2/time/rules/calls/complete', { batch })
    },
    [Symbol.asyncDispose]: async () => {
      await context.close()
      await removeFolder(data)
    },
  }
}

test('an alert fires once and is resolved once, over two windows', async () => {
  using hook = new WebhookReceiver()
  await using server = await openServer({ TRACELAKE_PRIVATE_HOSTS: '127.0.0.1' })
  const { clock, statusOf } = server
  const id = await server.createRule({
    condition: { metric: 'error_rate', comparison: 'above', threshold: 0.5, window_seconds: 60, calls_min: 2 },
    action: { kind: 'webhook', url: hook.url },
  })
  /** Waits until the condition was evaluated at the time of the clock. */
  const evaluated = () =>
    until(async () => Date.parse((await statusOf(id)).evaluated_at ?? '1970-01-01') >= clock.ms - 1)
  await server.complete(
    { id: 'a', endedMs: clock.ms - 1_000, exception: 'failed' },
    { id: 'b', endedMs: clock.ms - 1_000, exception: 'failed' },
  )
  await until(async () => (await statusOf(id)).alert === 'firing')
  // Later in the same window, with more failures, it does not fire again.
  clock.ms += 30_000
  await server.complete({ id: 'c', endedMs: clock.ms - 1_000, exception: 'failed' })
  await evaluated()
  expect((await statusOf(id)).alert).toBe('firing')
  // In the next window all calls succeed.
  const nextMs = clock.ms + 60_000
  await server.complete({ id: 'd', endedMs: nextMs - 1_000 }, { id: 'e', endedMs: nextMs - 1_000 })
  // Only now: with the clock ahead of them, the window would be empty for a moment.
  clock.ms = nextMs
  await until(async () => (await statusOf(id)).alert === 'ok')
  clock.ms += 20_000
  await server.complete({ id: 'f', endedMs: clock.ms - 1_000 })
  await evaluated()
  await until(() => hook.received.length >= 2)
  expect(hook.types).toEqual(['rule.firing', 'rule.resolved'])
  expect(hook.received.map(({ body }) => body.data['value'])).toEqual([1, 0])
}, 120_000)

test('a rule whose daily limit is spent goes on the next day', async () => {
  const stub = startStubModel()
  await using server = await openServer({ OPENAI_API_KEY: 'stub', TRACELAKE_OPENAI_BASE_URL: stub.url })
  const { clock, statusOf } = server
  // An hour before the day ends.
  clock.ms = (Math.floor(clock.ms / dayMs) + 1) * dayMs - 3_600_000
  const midnight = new Date(clock.ms + 3_600_000).toISOString()
  const val = { model: 'gpt-4o', scoring_prompt: 'Judge {question}' }
  const obj = { project_id, object_id: 'judge', builtin_object_class: 'LLMAsAJudgeScorer', val }
  const { digest } = await server.post<{ digest: string }>('/obj/create', { obj })
  const action = { kind: 'score', scorer_refs: [`ext:///${project_id}/object/judge:${digest}`] }
  const id = await server.createRule({ filter: { op_names: ['ask'] }, daily_cost_max: 1e-9, action })
  const call = (name: string) => ({ id: name, endedMs: clock.ms - 1_000 })
  await server.complete(call('a'), call('b'), call('c'))
  await until(async () => (await statusOf(id)).passed === 2)
  const spent = await statusOf(id)
  expect(spent).toMatchObject({ state: 'capped', handled: 1 })
  expect(Date.parse(spent.capped_until!)).toBe(Date.parse(midnight))
  expect(stub.requests).toHaveLength(1)
  clock.ms += 3_600_001
  expect(await statusOf(id)).toMatchObject({ state: 'active', cost_today: 0, capped_until: null })
  await server.complete(call('d'), call('e'))
  await until(async () => (await statusOf(id)).passed === 3)
  expect(await statusOf(id)).toMatchObject({ state: 'capped', handled: 2 })
  expect(stub.requests).toHaveLength(2)
  await stub.stop()
}, 120_000)
