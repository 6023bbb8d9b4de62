import { describe, expect, test } from 'bun:test'
import type { CallRecord } from '../support/call-shapes.ts'
import { encodings, exportOf, groupOf, newSpanId, newTraceId, type SpanDraft, send, spanOf } from '../support/otlp.ts'
import type { Project } from '../support/project.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const client = await sharedServer()

describe.each(encodings)('a span in %s', (encoding) => {
  async function store(project: Project, ...drafts: SpanDraft[]): Promise<void> {
    const sent = await send(client, exportOf(groupOf(drafts.map(spanOf), { 'service.name': 'bot' })), encoding, {
      headers: { project_id: project.id },
    })
    expect(sent).toMatchObject({ status: 200, rejected: 0 })
  }

  async function callOf(draft: SpanDraft): Promise<CallRecord> {
    const project = freshProject(client)
    await store(project, draft)
    const [call, ...others] = await project.query()
    expect(others).toEqual([])
    return call!
  }

  const dumpOf = ({ attributes }: CallRecord) => attributes['otel_span'] as Record<string, unknown>

  test('becomes a call with its ids and times', async () => {
    const ids = { traceId: newTraceId().toUpperCase(), spanId: newSpanId(), parentSpanId: newSpanId() }
    const call = await callOf({ ...ids, name: 'plan the day' })
    expect(call).toMatchObject({
      id: ids.spanId,
      trace_id: ids.traceId.toLowerCase(),
      parent_id: ids.parentSpanId,
      started_at: '2024-05-01T10:00:00.123456Z',
      ended_at: '2024-05-01T10:00:01.123456Z',
      exception: null,
      thread_id: null,
      turn_id: null,
    })
    expect(call.summary.ext).toMatchObject({ status: 'success', latency_ms: 1000, trace_name: 'plan-the-day' })
    expect(call.ext_user_id).toBeString()
  })

  test('is stored in full', async () => {
    const link = { traceId: newTraceId(), spanId: newSpanId(), attributes: { why: 'retry' } }
    const call = await callOf({
      kind: 3,
      traceState: 'a=b',
      attributes: { 'http.route': '/x', big: 9_223_372_036_854_775_807n, small: -5, half: 0.5, no: Number.NaN },
      events: [{ name: 'exception', attributes: { 'exception.message': 'boom' } }],
      links: [link],
    })
    expect(dumpOf(call)).toMatchObject({
      name: 'work',
      kind: 'CLIENT',
      parent_id: null,
      context: { trace_id: call.trace_id, span_id: call.id, trace_state: 'a=b' },
      start_time: '2024-05-01T10:00:00.123456789Z',
      end_time: '2024-05-01T10:00:01.123456789Z',
      status: { code: 'UNSET', message: '' },
      attributes: { http: { route: '/x' }, small: -5, half: 0.5, no: 'NaN' },
      events: [
        {
          name: 'exception',
          timestamp: '2024-05-01T10:00:00.123456789Z',
          attributes: { exception: { message: 'boom' } },
        },
      ],
      links: [{ context: { trace_id: link.traceId, span_id: link.spanId }, attributes: { why: 'retry' } }],
      resource: { attributes: { service: { name: 'bot' } } },
      scope: { name: 'a-library', version: '1.2.3' },
    })
    const { text } = await client.post('/call/read', { project_id: call.project_id, id: call.id })
    expect(text).toContain('"big":9223372036854775807')
  })

  test('keeps its schema URLs and link flags', async () => {
    const project = freshProject(client)
    const link = { traceId: newTraceId(), spanId: newSpanId(), flags: 257 }
    const group: Record<string, unknown> = {
      ...groupOf([spanOf({ links: [link] })]),
      schemaUrl: 'https://example.com/resource',
    }
    group['scopeSpans'] = (group['scopeSpans'] as object[]).map((scope) => ({
      ...scope,
      schemaUrl: 'https://example.com/scope',
    }))
    await send(client, exportOf(group), encoding, { headers: { project_id: project.id } })
    expect(dumpOf((await project.query())[0]!)).toMatchObject({
      links: [{ context: { trace_id: link.traceId }, flags: 257 }],
      resource: { attributes: {}, schema_url: 'https://example.com/resource' },
      scope: { name: 'a-library', schema_url: 'https://example.com/scope' },
    })
  })

  test('can be queried by attributes.otel_span', async () => {
    const project = freshProject(client)
    await store(
      project,
      {
        spanId: '000000000000000a',
        name: 'first',
        attributes: { tenant: 'blue', 'gen_ai.request.model': 'm', tries: 7 },
      },
      {
        spanId: '000000000000000b',
        name: 'second',
        attributes: { tenant: 'red', 'gen_ai.request.model': 'm', tries: 8 },
      },
    )
    // A call that somebody copied has it among its own attributes.
    await project.add({
      id: 'c',
      attributes: { otel_span: { name: 'copied', attributes: { tenant: 'blue', tries: 9 } } },
    })
    const field = (path: string) => ({ $getField: `attributes.otel_span.${path}` })
    const found = (expression: unknown) => project.idsOf({ query: { $expr: expression }, sort_by: sortById })
    const sortById = [{ field: 'id', direction: 'asc' }]
    const [a, b] = ['000000000000000a', '000000000000000b']
    expect(await found({ $eq: [field('attributes.tenant'), { $literal: 'blue' }] })).toEqual([a, 'c'])
    expect(await found({ $gt: [field('attributes.tries'), { $literal: 7 }] })).toEqual([b, 'c'])
    expect(
      await found({ $contains: { input: field('name'), substr: { $literal: 'IR' }, case_insensitive: true } }),
    ).toEqual([a])
    expect(await found({ $eq: [field('attributes.tenant'), { $literal: null }] })).toEqual([])
    expect(
      await found({ $in: [{ $convert: { input: field('name'), to: 'string' } }, [{ $literal: 'second' }]] }),
    ).toEqual([b])
    const byTries = [{ field: 'attributes.otel_span.attributes.tries', direction: 'desc' }]
    expect(await project.idsOf({ sort_by: byTries, columns: ['id'] })).toEqual(['c', b, a])
  })

  test('accepts every type of value', async () => {
    const attributes = { t: 'text', b: true, i: 7, d: 1.5, l: ['a', 2, [null]], o: { k: { l: false } }, n: null }
    const call = await callOf({ attributes: { ...attributes, bytes: new Uint8Array([0, 255]) } })
    expect(dumpOf(call)['attributes']).toEqual({ ...attributes, bytes: 'AP8=' })
  })

  test('may have names that are each other’s prefix', async () => {
    const call = await callOf({
      attributes: { 'a.b': 1, a: 'x', p: 'y', 'p.q.r': 2, j: '{"k": 1}', 'j.m': 2, '': 3, '..': 4, '__proto__.x': 5 },
    })
    expect(dumpOf(call)['attributes']).toEqual(
      JSON.parse(
        '{"a": "x", "a.b": 1, "p": "y", "p.q.r": 2, "j": {"k": 1, "m": 2}, "": 3, "__proto__": {"x": 5}}'.replace(
          '"": 3',
          '"": 3, "..": 4',
        ),
      ),
    )
  })

  test('with an error has failed', async () => {
    expect(await callOf({ status: { code: 2, message: 'no such table' } })).toMatchObject({
      exception: 'no such table',
      summary: { ext: { status: 'error' } },
    })
    expect(await callOf({ status: { code: 2 } })).toMatchObject({
      exception: 'ERROR',
      summary: { ext: { status: 'error' } },
    })
    expect(await callOf({ status: { code: 1, message: 'fine' } })).toMatchObject({
      exception: null,
      summary: { ext: { status: 'success' } },
    })
  })

  test('with an error only in an exception event fails with that error', async () => {
    const thrown = (attributes: Record<string, unknown>) => ({ name: 'exception', attributes })
    const exceptionOf = async (message: string | undefined, ...events: NonNullable<SpanDraft['events']>) =>
      (await callOf({ status: { code: 2, ...(message === undefined ? {} : { message }) }, events })).exception
    const first = thrown({ 'exception.type': 'KeyError', 'exception.message': 'retried' })
    const last = thrown({ 'exception.type': 'ValueError', 'exception.message': 'no such city' })
    const later = { name: 'gen_ai.choice', attributes: { message: 'no exception' } }
    expect(await exceptionOf(undefined, first, last, later)).toBe('no such city')
    expect(await exceptionOf('stopped', last)).toBe('stopped')
    expect(await exceptionOf('', thrown({ 'exception.type': 'ValueError', 'exception.message': '' }))).toBe(
      'ValueError',
    )
    expect(await exceptionOf('', thrown({ 'exception.type': 'ValueError' }))).toBe('ValueError')
    expect(await exceptionOf('', thrown({ 'exception.message': '{"code": 5}' }))).toBe('{"code":5}')
    expect(await exceptionOf('', thrown({ 'exception.escaped': true }))).toBe('ERROR')
    expect(await exceptionOf('')).toBe('ERROR')
    const call = await callOf({ status: { code: 1 }, events: [last] })
    expect(call.exception).toBeNull()
    expect(call.attributes['otel_span']).toMatchObject({
      events: [{ name: 'exception', attributes: { exception: { type: 'ValueError', message: 'no such city' } } }],
    })
  })

  test('without an end is running until it is sent again', async () => {
    const project = freshProject(client)
    const ids = { traceId: newTraceId(), spanId: newSpanId() }
    await store(project, { ...ids, end: '0' })
    expect(await project.readExisting(ids.spanId)).toMatchObject({
      ended_at: null,
      summary: { ext: { status: 'running' } },
    })
    await store(project, ids)
    expect(await project.readExisting(ids.spanId)).toMatchObject({ summary: { ext: { status: 'success' } } })
  })

  test('with an all-zero parent id is a root', async () => {
    expect((await callOf({ parentSpanId: '0'.repeat(16) })).parent_id).toBeNull()
    expect((await callOf({ parentSpanId: '' })).parent_id).toBeNull()
  })

  test('has credentials redacted in mapped and raw values', async () => {
    const call = await callOf({
      attributes: {
        input: '{"api_key": "sk-1", "q": "hi"}',
        'http.request.header.authorization': 'Bearer sk-2',
        'wandb.attributes': '{"secret_key": "sk-3"}',
      },
      events: [{ name: 'e', attributes: { access_token: 'sk-4' } }],
    })
    expect(call.inputs).toEqual({ api_key: 'REDACTED', q: 'hi' })
    expect(JSON.stringify(call)).not.toContain('sk-')
  })

  test('may have a long name, an empty one or one that looks like a ref', async () => {
    const project = freshProject(client)
    const names = [`summarise the ${'very '.repeat(40)}long text`, 'x'.repeat(500), '', 'ext:///a/b/object/c:d']
    await store(project, ...names.map((name) => ({ name })))
    const calls = await project.query()
    expect(calls).toHaveLength(names.length)
    for (const { op_name } of calls) {
      expect(op_name.length).toBeWithin(1, 1024)
    }
    expect(calls.map((call) => dumpOf(call)['name']).sort()).toEqual(names.toSorted())
  })

  test('has usage and costs', async () => {
    const project = freshProject(client)
    const attributes = {
      'gen_ai.response.model': 'gpt-4o-2024-08-06',
      'gen_ai.usage.input_tokens': 1000,
      'gen_ai.usage.output_tokens': 100,
      'gen_ai.usage.cache_read.input_tokens': 400,
    }
    await store(project, { attributes })
    const [call] = await project.query({ include_costs: true })
    const costs = call!.summary.ext['costs'] as Record<string, Record<string, number>>
    expect(costs['gpt-4o-2024-08-06']).toMatchObject({ prompt_tokens: 1000, completion_tokens: 100 })
    expect(costs['gpt-4o-2024-08-06']!['prompt_tokens_total_cost']).toBeCloseTo(600 * 2.5e-6, 9)
  })
})

describe.each(encodings)('a conversation in %s', (encoding) => {
  test('has a turn for each topmost span', async () => {
    const project = freshProject(client)
    const traceId = newTraceId()
    const [web, agent, tool, chat] = [newSpanId(), newSpanId(), newSpanId(), newSpanId()]
    const attributes = { 'gen_ai.conversation.id': 'talk 1' }
    const drafts: SpanDraft[] = [
      { traceId, spanId: chat, parentSpanId: tool, attributes },
      { traceId, spanId: tool, parentSpanId: agent },
      { traceId, spanId: agent, parentSpanId: web, attributes },
      { traceId, spanId: web },
    ]
    await send(client, exportOf(groupOf(drafts.map(spanOf))), encoding, { headers: { project_id: project.id } })
    const turns = Object.fromEntries((await project.query()).map(({ id, turn_id }) => [id, turn_id]))
    expect(turns).toEqual({ [web]: null, [agent]: agent, [tool]: null, [chat]: null })
    const { text } = await client.post('/threads/stream_query', { project_id: project.id })
    expect(JSON.parse(text)).toMatchObject({ thread_id: 'talk 1', turn_count: 1, first_turn_id: agent })
  })

  test('has one turn even if its spans arrive one by one, inner ones first', async () => {
    const project = freshProject(client)
    const traceId = newTraceId()
    const [web, agent, tool, chat] = [newSpanId(), newSpanId(), newSpanId(), newSpanId()]
    const attributes = { 'session.id': 'talk' }
    const drafts: SpanDraft[] = [
      { traceId, spanId: chat, parentSpanId: tool, attributes },
      { traceId, spanId: tool, parentSpanId: agent },
      { traceId, spanId: agent, parentSpanId: web, attributes },
      { traceId, spanId: web },
    ]
    const take = (...spans: SpanDraft[]) =>
      send(client, exportOf(groupOf(spans.map(spanOf))), encoding, { headers: { project_id: project.id } })
    const turns = async () => Object.fromEntries((await project.query()).map(({ id, turn_id }) => [id, turn_id]))
    await take(drafts[0]!, drafts[0]!)
    expect(await turns()).toEqual({ [chat]: chat })
    await take(drafts[1]!)
    await take(drafts[2]!)
    expect(await turns()).toEqual({ [chat]: agent, [tool]: null, [agent]: agent })
    await take(drafts[3]!)
    // What an exporter sends once more changes nothing.
    await take(drafts[0]!)
    expect(await turns()).toEqual({ [chat]: agent, [tool]: null, [agent]: agent, [web]: null })
    const { text } = await client.post('/threads/stream_query', { project_id: project.id })
    expect(JSON.parse(text)).toMatchObject({ thread_id: 'talk', turn_count: 1, first_turn_id: agent })
    // A span above belongs to the conversation too, as it turns out.
    await take({ traceId, spanId: web, attributes })
    expect(await turns()).toEqual({ [chat]: web, [tool]: null, [agent]: web, [web]: web })
  })

  test('is identified by the attributes of its own spans', async () => {
    const project = freshProject(client)
    const drafts: SpanDraft[] = [
      { attributes: { 'wandb.thread_id': 't', 'wandb.is_turn': true } },
      { attributes: { 'ext.thread_id': 't', 'ext.is_turn': false } },
      { attributes: { 'ext.thread_id': 't' } },
      { attributes: { 'ext.is_turn': true } },
      { attributes: { 'session.id': 't', 'ext.is_turn': 'no' } },
    ]
    const spans = drafts.map(spanOf)
    await send(client, exportOf(groupOf(spans)), encoding, { headers: { project_id: project.id } })
    const calls = await Promise.all(spans.map(({ spanId }) => project.readExisting(spanId as string)))
    expect(calls.map(({ thread_id }) => thread_id)).toEqual(['t', 't', 't', null, 't'])
    expect(calls.map(({ id, turn_id }) => turn_id === id)).toEqual([true, false, false, false, false])
  })
})
