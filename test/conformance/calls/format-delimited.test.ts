import { describe, expect, test } from 'bun:test'
import type { CallDraft } from '../support/call-shapes.ts'
import { parseDelimited } from '../support/delimited-text.ts'
import type { Project } from '../support/project.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const server = await sharedServer()

const kinds = [
  ['text/csv', ','],
  ['text/tab-separated-values', '\t'],
] as const

async function projectWith(...drafts: (CallDraft & { id: string })[]): Promise<Project> {
  const project = freshProject(server)
  await project.add(...drafts)
  return project
}

describe.each(kinds)('%s', (accept, delimiter) => {
  const rowsOf = async (project: Project, request: Record<string, unknown>): Promise<string[][]> => {
    const answer = await project.ask(request, accept)
    expect(`${answer.status} ${answer.status === 200 ? '' : answer.text}`).toBe('200 ')
    return parseDelimited(answer.text, delimiter)
  }
  const cellOf = async (value: unknown): Promise<string | undefined> => {
    const project = await projectWith({ id: 'a', inputs: { value } })
    return (await rowsOf(project, { columns: ['inputs.value'] }))[1]?.[0]
  }

  test('has its content type', async () => {
    const answer = await freshProject(server).ask({ columns: ['id'] }, accept)
    expect(answer.headers.get('content-type')).toStartWith(accept)
  })

  test('has the requested columns, in their order, as its header and one row per call', async () => {
    const project = await projectWith({ id: 'a', op_name: 'one' }, { id: 'b', op_name: 'two' })
    expect(await rowsOf(project, { columns: ['op_name', 'id'] })).toEqual([
      ['op_name', 'id'],
      ['one', 'a'],
      ['two', 'b'],
    ])
  })

  test('ends every row with CRLF', async () => {
    const project = await projectWith({ id: 'a' })
    expect((await project.ask({ columns: ['id'] }, accept)).text).toBe('id\r\na\r\n')
  })

  test('of no calls is only the header', async () => {
    expect(await rowsOf(freshProject(server), { columns: ['id', 'inputs.x'] })).toEqual([['id', 'inputs.x']])
  })

  test('without columns has all columns', async () => {
    const project = await projectWith({ id: 'a', op_name: 'one' })
    const [header, row] = await rowsOf(project, {})
    expect(header).toEqual(expect.arrayContaining(['id', 'op_name', 'started_at', 'inputs', 'output', 'summary']))
    expect(row).toHaveLength(header!.length)
    expect(row![header!.indexOf('op_name')]).toBe('one')
  })

  test('accepts dotted paths as separate columns', async () => {
    const project = await projectWith({ id: 'a', inputs: { x: { y: 'deep', n: 1.5, b: true } }, output: { list: [7] } })
    const columns = ['inputs.x.y', 'inputs.x.n', 'inputs.x.b', 'output.list.0', 'summary.ext.status']
    expect(await rowsOf(project, { columns })).toEqual([columns, ['deep', '1.5', 'true', '7', 'success']])
  })

  test('writes null and missing values as an empty cell', async () => {
    const project = await projectWith({ id: 'a', inputs: { x: null } })
    const columns = ['id', 'inputs.x', 'inputs.y', 'display_name', 'output']
    expect(await rowsOf(project, { columns })).toEqual([columns, ['a', '', '', '', '']])
  })

  test('writes nested values as JSON', async () => {
    const value = { text: 'a "quoted", cell\twith\nlines', list: [1, null, {}] }
    const cell = await cellOf(value)
    expect(JSON.parse(cell!)).toEqual(value)
  })

  test.each([
    ['quotes', 'a "b" c'],
    ['delimiters', 'a,b\tc;d'],
    ['line ends', 'a\nb\r\nc'],
    ['characters of many scripts', 'ä 你好 🦊'],
    ['blanks at both ends', '  a  '],
  ])('keeps text with %s', async (_kind, text) => {
    expect(await cellOf(text)).toBe(text)
  })

  test.each(['=1+1', '+1', '-1+1', '@SUM(A1)', '\tx', '\rx'])(
    'escapes %p, which a spreadsheet may evaluate',
    async (text) => {
      expect(await cellOf(text)).toBe(`'${text}`)
    },
  )

  test('writes numbers unchanged', async () => {
    expect(await cellOf(-5)).toBe('-5')
  })

  test('writes an output that is a string as plain text', async () => {
    const project = await projectWith({ id: 'a', output: 'plain' })
    expect(await rowsOf(project, { columns: ['output'] })).toEqual([['output'], ['plain']])
  })

  test('writes times in the usual format', async () => {
    const project = await projectWith({ id: 'a', started_at: '2024-05-01T12:00:00.5+02:00' })
    const rows = await rowsOf(project, { columns: ['started_at', 'ended_at'] })
    expect(rows[1]).toEqual(['2024-05-01T10:00:00.500000Z', '2024-05-01T10:00:01Z'])
  })
})
