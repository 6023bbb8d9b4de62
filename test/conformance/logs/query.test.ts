import { beforeAll, describe, expect, test } from 'bun:test'
import { logExportOf, logGroupOf, queryLogs, recordOf, sendLogs } from '../support/otlp-logs.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const client = await sharedServer()
const project = freshProject(client)
const second = (number: number) => `17145576${String(number).padStart(2, '0')}000000000`

beforeAll(async () => {
  const records = ['a', 'b', 'c', 'd'].map((name, index) =>
    recordOf({
      time: second(index),
      event: `event.${name}`,
      body: name,
      severity: 5 + 4 * index,
      attributes: { 'session.id': index < 2 ? 'first' : 'second', cost: index / 2 },
      ...(index === 3 && { traceId: 'ab'.repeat(16), spanId: 'cd'.repeat(8) }),
    }),
  )
  // Not in order.
  const body = logExportOf(logGroupOf(records.toReversed(), { 'service.name': 'one' }))
  await sendLogs(client, body, 'protobuf', { headers: { project_id: project.id } })
})

const bodies = async (question: Readonly<Record<string, unknown>>) =>
  (await queryLogs(client, project.id, question)).map(({ body }) => body).join('')

describe('a query of logs', () => {
  test.each([
    ['nothing', {}, 'abcd'],
    ['a page', { limit: 2, offset: 1 }, 'bc'],
    ['no rows', { limit: 0 }, ''],
    ['the newest first', { sort_by: [{ field: 'time', direction: 'desc' }] }, 'dcba'],
    ['threads', { filter: { thread_ids: ['second'] } }, 'cd'],
    ['events', { filter: { event_names: ['event.a', 'event.d'] } }, 'ad'],
    ['a severity', { filter: { severity_min: 13 } }, 'cd'],
    ['traces', { filter: { trace_ids: ['ab'.repeat(16)] } }, 'd'],
    ['spans', { filter: { span_ids: ['cd'.repeat(8)] } }, 'd'],
    ['calls', { filter: { call_ids: ['cd'.repeat(8)] } }, 'd'],
    ['services', { filter: { service_names: ['two'] } }, ''],
    ['empty lists', { filter: { thread_ids: [], event_names: null } }, 'abcd'],
    ['a time range', { filter: { after: '2024-05-01T10:00:00Z', before: '2024-05-01T10:00:02Z' } }, 'b'],
    [
      'an expression over attributes',
      { query: { $expr: { $gt: [{ $getField: 'attributes.cost' }, { $literal: 0.7 }] } } },
      'cd',
    ],
  ])('may ask for %s', async (_name, question, found) => {
    expect(await bodies(question)).toBe(found)
  })

  test('returns the fields that it names', async () => {
    const fields = ['body', 'attributes.session.id', 'severity_number']
    expect(await queryLogs(client, project.id, { fields, limit: 1 })).toEqual([
      { body: 'a', 'attributes.session.id': 'first', severity_number: 5 } as never,
    ])
  })

  test('pages by the last row, whatever arrives in between', async () => {
    const busy = freshProject(client)
    const send = (names: readonly string[]) =>
      sendLogs(
        client,
        logExportOf(
          logGroupOf(
            // Two of each have the same time and the same cost.
            names.map((body, index) => recordOf({ time: second(index >> 1), body, attributes: { cost: index >> 1 } })),
          ),
        ),
        'protobuf',
        { headers: { project_id: busy.id } },
      )
    await send(['a', 'b', 'c', 'd', 'e', 'f', 'g'])
    const orders: [keys: readonly string[], sort_by: { field: string; direction: string }[] | undefined][] = [
      [['time'], undefined],
      [['time'], [{ field: 'time', direction: 'desc' }]],
      [
        ['attributes.cost', 'time'],
        [
          { field: 'attributes.cost', direction: 'desc' },
          { field: 'time', direction: 'asc' },
        ],
      ],
    ]
    const fields = ['id', 'body', 'time', 'attributes.cost']
    for (const [keys, sort_by] of orders) {
      const whole = await queryLogs(client, busy.id, { fields, sort_by })
      const paged: Record<string, unknown>[] = []
      for (let after: unknown[] | undefined; ; ) {
        const page = await queryLogs(client, busy.id, { fields, sort_by, limit: 2, after })
        paged.push(...(page as never[]))
        if (page.length < 2) break
        const last = paged.at(-1)!
        after = [...keys.map((key) => last[key]), last['id']]
        // Before the page in every order, or after the last row of this test's own.
        if (keys.length === 1 && sort_by === undefined) await send(['z'])
      }
      const own = (rows: readonly Record<string, unknown>[]) =>
        rows.map(({ body }) => body).filter((body) => body !== 'z')
      expect(own(paged)).toEqual(own(whole as never[]))
    }
  })

  test.each([
    ['an unknown member of the filter', { filter: { thread_id: ['first'] } }, 'thread_ids'],
    ['an unknown field', { fields: ['nothing'] }, 'nothing'],
    ['a time that is none', { filter: { after: 'yesterday' } }, 'after'],
    ['a negative limit', { limit: -1 }, 'limit'],
    ['a cursor without an id', { after: ['2024-05-01T10:00:00Z'] }, 'after'],
    ['a cursor of another type', { after: [true, 'x'] }, 'a time'],
  ])('is rejected with %s', async (_name, question, mentioned) => {
    const answer = await client.post('/logs/query', { project_id: project.id, ...question })
    expect(answer.status).toBeOneOf([400, 422])
    expect(answer.text).toContain(mentioned)
  })
})
