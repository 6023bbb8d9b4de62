import { beforeAll, describe, expect, test } from 'bun:test'
import { expectRefusal } from '../support/refusals.ts'
import { ownServer, sharedServer } from '../support/target.ts'
import { traceIds, travelProject } from './travel-spans.ts'

const shared = await sharedServer()
const { client: weave } = await ownServer({ env: { TRACELAKE_DIALECT: 'weave' } })

type Members = Record<string, unknown>
interface Answer {
  spans: Members[]
  groups: { group_keys: Members; span_count: number; metrics: Members; distributions: Members }[]
  total_count: number
}

const derived = (key: string) => ({ source: 'derived', key })
const equals = (field: string, value: unknown) => ({ $expr: { $eq: [{ $getField: field }, { $literal: value }] } })
const count = { alias: 'n', aggregation: 'count' }

describe.each([
  ['ext', shared],
  ['weave', weave],
] as const)('filters of spans in the dialect %s', (dialect, client) => {
  let project: Awaited<ReturnType<typeof travelProject>>
  const [scheme, prefix, ref] = dialect === 'ext' ? ['ext', 'ext', 'ext_ref'] : ['weave', 'wandb', 'weave_ref']
  const refTo = (kind: string, id: string) => `${scheme}:///${project.id}/${kind}/${id}`
  const judge = async (members: Members) => {
    const subject = { [ref]: refTo('call', 'elsewhere'), feedback_type: 'thought', payload: {} }
    const answer = await client.post('/feedback/create', { project_id: project.id, ...subject, ...members })
    expect(`${answer.status} ${answer.text}`).toStartWith('200 ')
  }
  const query = async (request: object): Promise<Answer> => {
    const answer = await client.post<Answer>('/agents/spans/query', { project_id: project.id, ...request })
    expect(`${answer.status} ${answer.text}`).toStartWith('200 ')
    return answer.json
  }
  const countOf = async (request: object) => (await query(request)).total_count
  const byOperation = { group_by: [{ key: 'operation_name' }] }
  const operations = ({ groups }: Answer) => groups.map(({ group_keys }) => group_keys['operation_name']).sort()

  beforeAll(async () => {
    project = await travelProject(client)
    // Tags and ratings in feedback of their own: on the conversation, on a turn and on a span.
    await judge({
      feedback_type: `${prefix}.agent_user_feedback`,
      scorer_tags: ['helpful', 'fast'],
      span_conversation_id: 'talk',
    })
    await judge({ scorer_ratings: { 'quality.all': 0.75 }, [ref]: refTo('agent_turn', traceIds[0]) })
    await judge({ scorer_ratings: { tone: 0.5 }, [ref]: refTo('call', 'b1'.padStart(16, '0')) })
    await judge({ payload: { intent_category: 'sights' }, span_trace_id: traceIds[1] })
    await judge({ payload: { output: { failure_severity: 'Major' } }, span_conversation_id: 'talk' })
    await judge({ scorer_tags: ['slow'], span_conversation_id: 'another' })
  })

  test.each([
    [{ tags: ['helpful'] }, 6],
    [{ tags: ['unknown', 'fast'] }, 6],
    [{ tags: ['help'] }, 0],
    [{ tags: ['slow'] }, 0],
    [{ ratings: [{ scorer_key: 'quality.all', op: 'gte', value: 0.75 }] }, 6],
    [{ ratings: [{ scorer_key: 'quality.all', op: 'gt', value: 0.75 }] }, 0],
    [{ ratings: [{ scorer_key: 'quality.all', op: 'lt', value: 0.8 }] }, 6],
    [{ ratings: [{ scorer_key: 'quality.all', op: 'lte', value: 0.7 }] }, 0],
    [{ ratings: [{ scorer_key: 'tone', op: 'eq', value: 0.5 }] }, 6],
    [{ ratings: [{ scorer_key: 'missing', op: 'gte', value: 0 }] }, 0],
    [{ tags: ['helpful'], ratings: [{ scorer_key: 'tone', op: 'gt', value: 0.4 }] }, 6],
    [{ tags: ['helpful'], ratings: [{ scorer_key: 'tone', op: 'gt', value: 0.6 }] }, 0],
    [{ tags: [], ratings: [] }, 6],
    [null, 6],
  ])('signals %j leave %p spans', async (signal_filters, spans) => {
    expect(await countOf({ signal_filters })).toBe(spans)
    expect(await countOf({ signal_filters, ...byOperation })).toBe(spans === 0 ? 0 : 3)
    const narrowed = await query({ signal_filters, query: equals('operation_name', 'chat') })
    expect(narrowed.total_count).toBe(spans === 0 ? 0 : 2)
  })

  test.each([
    [[{ field: 'intent_category', values: ['sights', 'food'] }], 6],
    [[{ field: 'intent_category', values: ['food'] }], 0],
    [[{ field: 'intent_category', values: ['sights'], exclude: true }], 0],
    [[{ field: 'intent_category', values: ['food'], exclude: true }], 6],
    [[{ field: 'failure_severity', values: ['major'] }], 6],
    [
      [
        { field: 'failure_severity', values: ['major'] },
        { field: 'intent_category', values: ['food'] },
      ],
      0,
    ],
    [[{ field: 'intent_sentiment', values: ['delighted'] }], 0],
    [[], 6],
  ])('insights %j leave %p spans', async (insight_filters, spans) => {
    expect(await countOf({ insight_filters })).toBe(spans)
  })

  test.each([
    [{ ...count, filter: null }, { min: 2 }, ['chat', 'execute_tool', 'invoke_agent']],
    [{ ...count, filter: equals('status_code', 'ERROR') }, { min: 1 }, ['execute_tool']],
    [{ ...count, filter: equals('status_code', 'ERROR') }, { max: 0 }, ['chat', 'invoke_agent']],
    [
      { alias: 'ms', aggregation: 'max', value: derived('duration_ms') },
      { min: 1000, max: 2000 },
      ['chat', 'execute_tool'],
    ],
    [
      { alias: 'first', aggregation: 'min', value: { key: 'started_at' } },
      { max: '2024-05-01T10:00:01Z' },
      ['chat', 'invoke_agent'],
    ],
    [{ alias: 'tokens', aggregation: 'sum', value: { key: 'input_tokens' } }, { min: 0 }, ['chat']],
    [{ alias: 'none', aggregation: 'max', value: { key: 'server_port' } }, { max: 1 }, []],
  ])('groups whose measure %j is in %j', async (measure, range, expected) => {
    const answer = await query({ ...byOperation, group_filters: [{ measure, ...range }] })
    expect(operations(answer)).toEqual(expected)
    expect(answer.total_count).toBe(expected.length)
  })

  test('group filters may measure other groups than those that are answered, and all are to be met', async () => {
    const isFailed = { alias: 'failed', aggregation: 'count_true', value: derived('is_error') }
    const ofTraces = { measure: isFailed, group_by: [{ key: 'trace_id' }], max: 0 }
    const { groups } = await query({ ...byOperation, measures: [count], group_filters: [ofTraces] })
    expect(groups.map(({ metrics }) => metrics)).toEqual([{ n: 1 }, { n: 1 }, { n: 1 }])
    const tools = { measure: { alias: 'ms', aggregation: 'max', value: derived('duration_ms') }, max: 1000 }
    expect(operations(await query({ ...byOperation, group_filters: [ofTraces, tools] }))).toEqual(['execute_tool'])
  })

  test('measures count the spans that their filter lets in', async () => {
    const measures = [count, { alias: 'failed', aggregation: 'count', filter: equals('status_code', 'ERROR') }]
    const { groups } = await query({ group_by: [{ key: 'tool_name' }], measures, query: equals('tool_name', 'height') })
    expect(groups.map(({ metrics }) => metrics)).toEqual([{ n: 2, failed: 1 }])
  })

  test('distributions of attributes in each group', async () => {
    const { groups } = await query({
      ...byOperation,
      group_distributions: [
        { alias: 'tiers', value: { source: 'custom_attrs_string', key: 'app.tier' }, top_n: 1 },
        { alias: 'tries', value: { source: 'custom_attrs_int', key: 'app.tries' }, bins: 2 },
      ],
    })
    const of = (name: string) => groups.find(({ group_keys }) => group_keys['operation_name'] === name)!.distributions
    expect(of('chat')).toEqual({
      tiers: {
        alias: 'tiers',
        source: 'custom_attrs_string',
        key: 'app.tier',
        value_type: 'string',
        total_count: 2,
        present_count: 2,
        missing_count: 0,
        other_count: 1,
        bins: [],
        values: [{ value: 'free', count: 1 }],
      },
      tries: {
        alias: 'tries',
        source: 'custom_attrs_int',
        key: 'app.tries',
        value_type: 'int',
        total_count: 2,
        present_count: 2,
        missing_count: 0,
        other_count: 0,
        bins: [
          { index: 0, min: 1, max: 1.5, count: 1 },
          { index: 1, min: 1.5, max: 2, count: 1 },
        ],
        values: [],
      },
    })
    expect(of('execute_tool')).toMatchObject({
      tiers: { total_count: 2, present_count: 0, missing_count: 2, other_count: 0, values: [] },
      tries: { present_count: 0, bins: [] },
    })
  })

  test('statistics take the same filters', async () => {
    const stats = async (more: object) => {
      const metrics = [{ alias: 'n', value_type: 'string', value: { key: 'span_id' } }]
      const range = { start: '2024-05-01T10:00:00Z', end: '2024-05-01T10:02:00Z', granularity: 3600 }
      const request = { project_id: project.id, ...range, metrics, ...more }
      const { json, status, text } = await client.post<{ rows: Members[] }>('/agents/spans/stats', request)
      expect(`${status} ${text}`).toStartWith('200 ')
      return json.rows.map((row) => row['count_n'])
    }
    expect(await stats({})).toEqual([6])
    expect(await stats({ signal_filters: { tags: ['helpful'] } })).toEqual([6])
    expect(await stats({ signal_filters: { tags: ['slow'] } })).toEqual([0])
    expect(await stats({ insight_filters: [{ field: 'intent_category', values: ['sights'], exclude: true }] })).toEqual(
      [0],
    )
    const isFailed = { alias: 'failed', aggregation: 'count_true', value: derived('is_error') }
    const group_filters = [{ measure: isFailed, group_by: [{ key: 'trace_id' }], min: 1 }]
    expect(await stats({ group_filters })).toEqual([3])
  })

  test.each([
    [{ group_filters: [{ measure: count, min: 1 }] }, 400, 'group_by'],
    [{ group_distributions: [{ alias: 'a', value: { source: 'custom_attrs_int', key: 'k' } }] }, 400, 'group_by'],
    [{ measures: [count] }, 400, 'group_by'],
    [{ ...byOperation, group_filters: [{ measure: count }] }, 400, 'min'],
    [{ ...byOperation, group_filters: [{ measure: count, min: 2, max: 1 }] }, 400, 'max'],
    [{ ...byOperation, group_filters: [{ measure: count, min: 1, max: '2024-05-01T00:00:00Z' }] }, 400, 'both'],
    [{ ...byOperation, group_filters: [{ measure: count, min: 'soon' }] }, 400, 'soon'],
    [
      { ...byOperation, group_filters: [{ measure: { ...count, filter: { $expr: { $no: [] } } }, min: 1 }] },
      422,
      '$no',
    ],
    [{ ...byOperation, group_filters: [{ measure: { ...count, value: { key: 'colour' } }, min: 1 }] }, 422, 'colour'],
    [{ ...byOperation, group_distributions: [{ alias: 'a', value: { source: 'field', key: 'k' } }] }, 422, 'source'],
    [{ insight_filters: [{ field: 'mood', values: ['x'] }] }, 422, 'field'],
    [{ insight_filters: [{ field: 'failure_severity', values: ['huge'] }] }, 422, 'values'],
    [{ signal_filters: { ratings: [{ scorer_key: 'x', op: 'near', value: 1 }] } }, 422, 'op'],
  ])('refuses %j with %p', async (request, status, word) => {
    const answer = await client.post('/agents/spans/query', { project_id: project.id, ...request })
    if (status === 400) expectRefusal(answer, status, word)
    else expect(`${answer.status} ${answer.text}`).toMatch(new RegExp(`^422 .*${word.replace('$', '\\$')}`))
  })

  describe('feedback in conversations', () => {
    const chatOf = async (path: string, request: object) => {
      const answer = await client.post<Members>(path, { project_id: project.id, ...request })
      expect(`${answer.status} ${answer.text}`).toStartWith('200 ')
      return answer.json as Members & { feedback: Members[] | null; turns: Chat[]; messages: Message[] }
    }
    interface Message {
      type: string
      span_id: string
      feedback: Members[] | null
    }
    interface Chat {
      feedback: Members[] | null
      messages: Message[]
    }
    const tone = { scorer_ratings: { tone: 0.5 }, feedback_type: 'thought' }

    test('a trace has that on its turn, and each message that on its span', async () => {
      const asked = { trace_id: traceIds[1], include_feedback: true }
      const chat = await chatOf('/agents/traces/chat', asked)
      expect(chat.feedback).toMatchObject([{ payload: { intent_category: 'sights' } }])
      const answered = chat.messages.find(({ type }) => type === 'assistant_message')
      expect(answered!.feedback).toMatchObject([{ ...tone, [ref]: refTo('call', answered!.span_id) }])
      expect(Object.keys(answered!.feedback![0]!)).toContain(dialect === 'ext' ? 'ext_user_id' : 'wb_user_id')
      expect(chat.messages.filter(({ feedback }) => feedback!.length > 0)).toHaveLength(1)
      expect(await chatOf('/agents/traces/chat', { trace_id: traceIds[1] })).toMatchObject({ feedback: null })
    })

    test('a conversation has that on all of it, too', async () => {
      const asked = { conversation_id: 'talk', include_feedback: true }
      const chat = await chatOf('/agents/conversations/chat', asked)
      expect(chat.feedback).toMatchObject([
        { feedback_type: `${prefix}.agent_user_feedback`, scorer_tags: ['helpful', 'fast'] },
        { payload: { output: { failure_severity: 'Major' } } },
      ])
      expect(chat.turns.map(({ feedback }) => feedback)).toMatchObject([
        [{ scorer_ratings: { 'quality.all': 0.75 } }],
        [{ payload: { intent_category: 'sights' } }],
      ])
      const without = await chatOf('/agents/conversations/chat', { conversation_id: 'talk' })
      expect(without).toMatchObject({ feedback: null, turns: [{ feedback: null }, { feedback: null }] })
    })

    test('the spans of conversations come with tags and ratings', async () => {
      const request = { project_id: project.id, conversation_ids: ['talk', 'silence'] }
      const { json } = await client.post('/agents/conversations/spans', request)
      const rating = (name: string, value: number) => ({ name, value, reason: null, confidence: null })
      expect(json).toMatchObject({
        conversations: [
          {
            spans_feedback: [
              {
                trace_id: null,
                feedback_type: `${prefix}.agent_user_feedback`,
                tags: ['helpful', 'fast'],
                ratings: [],
              },
              { trace_id: traceIds[0], feedback_type: 'thought', tags: [], ratings: [rating('quality.all', 0.75)] },
              { trace_id: traceIds[1], feedback_type: 'thought', tags: [], ratings: [rating('tone', 0.5)] },
            ],
          },
          { spans: [], spans_feedback: [] },
        ],
      })
    })
  })
})
