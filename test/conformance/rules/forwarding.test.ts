import { expect, test } from 'bun:test'
import { ok } from '../support/queues.ts'
import { Rules } from '../support/rules.ts'
import { StubCollector, sentSpans } from '../support/stub-collector.ts'
import { freshProject, ownServer } from '../support/target.ts'
import { until } from '../support/until.ts'

const server = await ownServer({ env: { TRACELAKE_PRIVATE_HOSTS: '127.0.0.1' } })
const receiver = await ownServer()

const attribute = (key: string, value: Readonly<Record<string, unknown>>) => ({ key, value })
const text = (value: string) => ({ stringValue: value })
const nanos = (ms: number) => `${ms}123456`
const startMs = 1_767_600_000_000

/** A trace of every kind of value that a span can have. */
const request = {
  resourceSpans: [
    {
      resource: { attributes: [attribute('service.name', text('bot')), attribute('host.cpus', { intValue: '4' })] },
      schemaUrl: 'https://opentelemetry.io/schemas/1.30.0',
      scopeSpans: [
        {
          scope: { name: 'lib', version: '1.2', attributes: [attribute('scope.flag', { boolValue: true })] },
          schemaUrl: 'https://opentelemetry.io/schemas/1.31.0',
          spans: [
            {
              traceId: '5b8efff798038103d269b633813fc60c',
              spanId: 'eee19b7ec3c1b174',
              traceState: 'a=1,b=2',
              name: 'agent',
              kind: 3,
              flags: 1,
              startTimeUnixNano: nanos(startMs),
              endTimeUnixNano: nanos(startMs + 1_500),
              status: { code: 2, message: 'it failed' },
              droppedAttributesCount: 2,
              attributes: [
                attribute('gen_ai.operation.name', text('chat')),
                attribute('gen_ai.request.model', text('gpt-4o')),
                attribute('gen_ai.input.messages', text('[{"role":"user","parts":[{"type":"text","content":"hi"}]}]')),
                attribute('input.value', text('{"question": "why", "n": 1.0}')),
                attribute('input.value.extra', text('beside')),
                attribute('gen_ai.usage.input_tokens', { intValue: '12' }),
                attribute('score', { doubleValue: 0.5 }),
                attribute('big', { intValue: '9223372036854775807' }),
                attribute('negative', { intValue: '-5' }),
                attribute('list', { arrayValue: { values: [text('a'), text('b')] } }),
                attribute('map', { kvlistValue: { values: [attribute('inner', { boolValue: false })] } }),
                attribute('empty', text('')),
              ],
              events: [
                {
                  name: 'exception',
                  timeUnixNano: nanos(startMs + 1_000),
                  attributes: [attribute('exception.message', text('{"code": 7}'))],
                },
              ],
              links: [
                {
                  traceId: '5b8efff798038103d269b633813fc60d',
                  spanId: 'eee19b7ec3c1b175',
                  attributes: [attribute('why', text('because'))],
                },
              ],
            },
            {
              traceId: '5b8efff798038103d269b633813fc60c',
              spanId: 'eee19b7ec3c1b176',
              parentSpanId: 'eee19b7ec3c1b174',
              name: 'tool',
              kind: 1,
              startTimeUnixNano: nanos(startMs + 100),
              endTimeUnixNano: nanos(startMs + 200),
              attributes: [],
            },
          ],
        },
      ],
    },
  ],
}

test('spans arrive at another tracelake as they came', async () => {
  const project = freshProject(server.client)
  const target = freshProject(receiver.client)
  const rules = new Rules(project)
  const headers = { Authorization: `Bearer ${receiver.adminKey}`, project_id: target.id }
  await ok(rules.create({ action: { kind: 'forward', url: receiver.client.address, headers } }))
  const { status } = await project.client.post('/v1/traces', request, { headers: { project_id: project.id } })
  expect(status).toBe(200)
  await until(async () => (await target.query()).length === 2)
  const here = await project.query({ sort_by: [{ field: 'started_at', direction: 'asc' }] })
  const there = await target.query({ sort_by: [{ field: 'started_at', direction: 'asc' }] })
  const comparable = (calls: typeof here, { id }: { readonly id: string }) =>
    JSON.parse(JSON.stringify(calls.map((call) => ({ ...call, ext_user_id: '' }))).replaceAll(id, 'p')) as unknown
  expect(comparable(there, target)).toEqual(comparable(here, project))
}, 120_000)

test('attributes leave with the types and texts that they came with', async () => {
  using collector = new StubCollector()
  const project = freshProject(server.client)
  await ok(new Rules(project).create({ action: { kind: 'forward', url: collector.url, headers: { 'x-key': 'k' } } }))
  await project.client.post('/v1/traces', request, { headers: { project_id: project.id } })
  await until(() => sentSpans(collector).length === 2)
  const span = sentSpans(collector).find(({ name }) => name === 'agent')!
  const given = request.resourceSpans[0]!.scopeSpans[0]!.spans[0]!
  const names = given.attributes.map(({ key }) => key).filter((key) => key !== 'map' && !key.startsWith('input.value'))
  for (const name of names) {
    const value = given.attributes.find(({ key }) => key === name)!.value
    expect({ name, value: span.attributes[name] }).toEqual({ name, value })
  }
  expect(span.attributes['map.inner']).toEqual({ boolValue: false })
  expect(collector.requests[0]!.headers.get('x-key')).toBe('k')
}, 120_000)

test('calls that came as JSON leave as spans of generative AI', async () => {
  using collector = new StubCollector()
  const project = freshProject(server.client)
  await ok(new Rules(project).create({ action: { kind: 'forward', url: collector.url } }))
  const parent = { id: '0198f2d6-5c7e-7b7a-9c58-1d2f3a4b5c6d', trace_id: '0198f2d6-5c7e-7b7a-9c58-1d2f3a4b5c6e' }
  await project.complete(
    { ...parent, op_name: 'agent', thread_id: 'thread', attributes: { team: 'a' } },
    {
      id: 'child',
      trace_id: parent.trace_id,
      parent_id: parent.id,
      op_name: 'chat',
      inputs: { model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] },
      output: { model: 'gpt-4o-2024-08-06' },
      summary: { usage: { 'gpt-4o-2024-08-06': { input_tokens: 7, output_tokens: 3 } } },
      exception: 'it failed',
    },
  )
  await until(() => sentSpans(collector).length === 2)
  const spans = sentSpans(collector)
  const root = spans.find(({ name }) => name === 'agent')!
  const child = spans.find(({ name }) => name === 'chat')!
  expect(child.traceId).toBe('0198f2d65c7e7b7a9c581d2f3a4b5c6e')
  expect(child.parentSpanId).toBe(root.spanId)
  expect(child.status).toMatchObject({ code: 2, message: 'it failed' })
  expect(child.events).toMatchObject([{ name: 'exception', attributes: { 'exception.message': text('it failed') } }])
  expect(root.events).toBeEmpty()
  expect(child.attributes).toMatchObject({
    'gen_ai.operation.name': text('chat'),
    'gen_ai.request.model': text('gpt-4o'),
    'gen_ai.response.model': text('gpt-4o-2024-08-06'),
    'gen_ai.usage.input_tokens': { intValue: '7' },
    'gen_ai.usage.output_tokens': { intValue: '3' },
    'input.value': text('{"model":"gpt-4o","messages":[{"role":"user","content":"hi"}]}'),
    'ext.call_id': text('child'),
  })
  expect(root.attributes).toMatchObject({
    'gen_ai.conversation.id': text('thread'),
    'ext.attributes': text('{"team":"a"}'),
  })
}, 120_000)

test('a receiver that fails now and then gets every call', async () => {
  using collector = new StubCollector()
  // Refused as a whole, so the bad span is found by halving; then not accepted for a while.
  collector.refuse = (spans) => spans.some(({ name }) => name === 'bad')
  collector.statuses.push(503, 429)
  const project = freshProject(server.client)
  const rules = new Rules(project)
  const { rule } = await ok(rules.create({ action: { kind: 'forward', url: collector.url } }))
  const ids = Array.from({ length: 30 }, (_, n) => `call-${n}`)
  await project.complete({ id: 'bad', op_name: 'bad' }, ...ids.map((id) => ({ id, op_name: 'good' })))
  const arrived = () => new Set(sentSpans(collector).map(({ attributes }) => attributes['ext.call_id']?.stringValue))
  await until(() => arrived().size === ids.length)
  expect([...arrived()].toSorted()).toEqual(ids.toSorted())
  const status = async () => (await ok(rules.read(rule.id))).rule.status
  await until(async () => (await status()).handled >= ids.length && (await status()).state === 'active')
  expect(await status()).toMatchObject({ handled: 30, rejected: 1, error: null })
}, 120_000)
