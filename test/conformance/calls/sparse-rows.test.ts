import { beforeAll, describe, expect, test } from 'bun:test'
import { expectInvalid } from '../support/refusals.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const project = freshProject(await sharedServer())
const long = 'x'.repeat(5000)
const message = (content: unknown) => ({ role: 'user', content })

/** Inputs and output of calls, with the previews that they have. */
const calls: [inputs: Record<string, unknown>, output: unknown, inputsPreview: string, outputPreview: string | null][] =
  [
    [{ question: 'why?' }, 'because', 'why?', 'because'],
    [
      { messages: [message('first'), message('last "quoted"\n')] },
      message('an answer'),
      'last "quoted"\n',
      'an answer',
    ],
    [{ self: {}, messages: [message('hello')] }, { choices: [{ message: message('chosen') }] }, 'hello', 'chosen'],
    [{ a: 1, b: [2, 3] }, { message: { role: 'assistant', content: 'told' }, id: 1 }, '{"a":1,"b":[2,3]}', 'told'],
    [
      { prompt: [message([{ type: 'image_url' }, { type: 'text', text: 'one' }, { type: 'text', text: 'two' }])] },
      [message('a'), message('z')],
      'one\ntwo',
      'z',
    ],
    [{ x: { y: 1 } }, 5, '{"y":1}', '5'],
    [{}, null, '{}', null],
    [{ text: long }, [1, 2], 'x'.repeat(20), '[1,2]'],
    [{ text: '😀'.repeat(30) }, false, '😀'.repeat(20), 'false'],
    [{ messages: [] }, { content: [{ type: 'text', text: 'part' }] }, '[]', 'part'],
    [
      { messages: [{ role: 'assistant', content: null, tool_calls: [1] }] },
      { data: [1], more: null },
      '[{"role":"assistant",',
      '{"data":[1],"more":nu',
    ],
  ]

beforeAll(async () => {
  await project.add(
    ...calls.map(([inputs, output], index) => ({
      id: `c${index}`,
      started_at: `2024-05-01T10:00:${10 + index}Z`,
      inputs,
      output,
    })),
    { id: 'running', started_at: '2024-05-01T11:00:00Z', ended_at: null, thread_id: 'thread', inputs: { n: 1.5 } },
  )
})

const linesOf = async (request: object) => {
  const answer = await project.ask({ ...request })
  expect(`${answer.status} ${answer.text}`).toStartWith('200 ')
  return answer.text.trimEnd().split('\n')
}

describe('omit_null', () => {
  test('leaves out what is null or not requested', async () => {
    const [line] = await linesOf({
      filter: { call_ids: ['running'] },
      columns: ['thread_id', 'ended_at'],
      omit_null: true,
    })
    const { trace_id, ...rest } = JSON.parse(line!) as Record<string, unknown>
    expect(trace_id).toBeString()
    expect(rest).toEqual({
      id: 'running',
      project_id: project.id,
      op_name: 'answer',
      started_at: '2024-05-01T11:00:00Z',
      thread_id: 'thread',
      summary: { ext: { status: 'running', trace_name: 'answer' } },
    })
  })

  test('keeps every value to the letter', async () => {
    const whole = (await linesOf({})).map((line) => JSON.parse(line) as Record<string, unknown>)
    const sparse = (await linesOf({ omit_null: true })).map((line) => JSON.parse(line) as Record<string, unknown>)
    const present = (call: object) => Object.fromEntries(Object.entries(call).filter(([, value]) => value !== null))
    expect(sparse).toEqual(whole.map(present))
    const [line] = await linesOf({ filter: { call_ids: ['running'] }, omit_null: true })
    expect(line).toContain('"inputs":{"n":1.5}')
  })

  test('works with costs, usernames and sizes', async () => {
    const request = { include_costs: true, include_usernames: true, include_storage_size: true, limit: 1 }
    const [line] = await linesOf({ ...request, omit_null: true })
    const [whole] = await linesOf(request)
    const present = Object.entries(JSON.parse(whole!) as object).filter(([, value]) => value !== null)
    expect(JSON.parse(line!)).toEqual(Object.fromEntries(present))
  })

  test('does not change the columns of a table', async () => {
    const columns = ['id', 'thread_id', 'exception']
    const csv = await project.ask({ columns, omit_null: true, limit: 1 }, 'text/csv')
    expect(csv.text).toStartWith('id,thread_id,exception\r\n')
  })
})

describe('preview_chars', () => {
  test.each(calls.map((call, index) => [index, ...call] as const))(
    'call %d',
    async (index, _inputs, _output, inputsPreview, outputPreview) => {
      const filter = { call_ids: [`c${index}`] }
      const [line] = await linesOf({ filter, preview_chars: 20, columns: ['id'] })
      const call = JSON.parse(line!) as Record<string, unknown>
      expect(call['inputs_preview']).toBe([...inputsPreview].slice(0, 20).join(''))
      expect(call['output_preview']).toBe(outputPreview === null ? null : outputPreview.slice(0, 20))
      expect(call['inputs']).toEqual({})
      expect(call['output']).toBeNull()
    },
  )

  test('leaves out the values that are not named', async () => {
    const [line] = await linesOf({ filter: { call_ids: ['c0'] }, preview_chars: 100, omit_null: true })
    const call = JSON.parse(line!) as Record<string, unknown>
    expect(Object.keys(call)).not.toContain('inputs')
    expect(Object.keys(call)).not.toContain('output')
    expect(call).toMatchObject({ inputs_preview: 'why?', output_preview: 'because', ended_at: '2024-05-01T10:00:01Z' })
    const [named] = await linesOf({ filter: { call_ids: ['c0'] }, preview_chars: 100, columns: ['output'] })
    expect(JSON.parse(named!)).toMatchObject({ inputs: {}, output: 'because', output_preview: 'because' })
    const [running] = await linesOf({ filter: { call_ids: ['running'] }, preview_chars: 9, omit_null: true })
    expect(JSON.parse(running!)).toMatchObject({ inputs_preview: '1.5' })
    expect(running).not.toContain('output_preview')
  })

  test('adds columns to tables', async () => {
    const request = { columns: ['id'], preview_chars: 9, filter: { call_ids: ['c0'] } }
    expect((await project.ask(request, 'text/csv')).text).toBe(
      'id,inputs_preview,output_preview\r\nc0,why?,because\r\n',
    )
  })

  test('has bounds', async () => {
    expectInvalid(await project.ask({ preview_chars: 0 }), ['body', 'preview_chars'])
    expectInvalid(await project.ask({ preview_chars: 4097 }), ['body', 'preview_chars'])
  })
})
