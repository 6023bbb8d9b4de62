import { beforeAll, describe, expect, test } from 'bun:test'
import type { CallRecord } from '../support/call-shapes.ts'
import { expectRefusal } from '../support/refusals.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const project = freshProject(await sharedServer())
const full = {
  id: 'a',
  trace_id: 't',
  op_name: 'answer',
  display_name: 'Named',
  parent_id: 'p',
  thread_id: 'h',
  attributes: { env: 'test' },
  inputs: { x: { y: 1, z: 2 } },
  output: { text: 'because' },
  summary: { note: 'n' },
}

beforeAll(async () => {
  await project.add(full)
})

async function withColumns(...columns: string[]): Promise<CallRecord> {
  const [call] = await project.query({ columns })
  if (call === undefined) throw new Error('The call is missing')
  return call
}

describe('columns', () => {
  test('null selects all columns', async () => {
    const [call] = await project.query({ columns: null })
    expect(call).toMatchObject(full)
  })

  test('id, project, trace, op and start are always included', async () => {
    expect(await withColumns('display_name')).toMatchObject({
      id: 'a',
      project_id: project.id,
      trace_id: 't',
      op_name: 'answer',
      started_at: '2024-05-01T10:00:00Z',
      display_name: 'Named',
    })
  })

  test('columns that are not requested are empty', async () => {
    const call = await withColumns('id')
    expect(call.attributes).toEqual({})
    expect(call.inputs).toEqual({})
    expect(call.output ?? null).toBeNull()
    expect(call.parent_id ?? null).toBeNull()
    expect(call.thread_id ?? null).toBeNull()
  })

  test('a dotted entry selects the whole top-level value', async () => {
    expect((await withColumns('inputs.x.y')).inputs).toEqual({ x: { y: 1, z: 2 } })
    expect((await withColumns('output.text')).output).toEqual({ text: 'because' })
  })

  test('output_dump selects output', async () => {
    expect((await withColumns('output_dump')).output).toEqual({ text: 'because' })
  })

  test('an entry may be repeated', async () => {
    expect((await withColumns('inputs', 'inputs', 'inputs.x')).inputs).toEqual({ x: { y: 1, z: 2 } })
  })

  test('a repeated entry is answered once, in every format', async () => {
    const columns = ['id', 'op_name', 'id', 'inputs', 'op_name', 'inputs']
    const { text } = await project.ask({ columns })
    for (const member of ['id', 'op_name', 'inputs']) expect(text.split(`"${member}":`)).toHaveLength(2)
    for (const [accept, separator] of [
      ['text/csv', ','],
      ['text/tab-separated-values', '\t'],
    ] as const) {
      const lines = (await project.ask({ columns }, accept)).text.split('\r\n')
      expect(lines[0]!.split(separator)).toEqual(['id', 'op_name', 'inputs'])
    }
    for (const accept of ['application/vnd.apache.parquet', 'application/vnd.apache.arrow.stream']) {
      expect((await project.ask({ columns }, accept)).status).toBe(200)
    }
  })

  test.each(['summary', 'summary.note', 'summary.ext.status'])(
    '%s includes the inputs of its derived values',
    async (column) => {
      const call = await withColumns(column)
      expect(call.ended_at).toBe('2024-05-01T10:00:01Z')
      expect(call.display_name).toBe('Named')
      expect(call.summary['note']).toBe('n')
      expect(call.summary.ext).toEqual({ status: 'success', latency_ms: 1000, display_name: 'Named' })
    },
  )

  test('storage sizes may be listed in addition to their flags', async () => {
    const [call] = await project.query({
      columns: ['id', 'storage_size_bytes', 'total_storage_size_bytes'],
      include_storage_size: true,
      include_total_storage_size: true,
    })
    expect(call?.storage_size_bytes).toBeGreaterThan(0)
  })

  test.each([
    ['outputs', 'output'],
    ['ext_user', 'ext_user_id'],
    ['startedat', 'started_at'],
  ])('rejects the unknown column %s and suggests the nearest known one', async (column, nearest) => {
    expectRefusal(await project.ask({ columns: ['id', column] }), 422, column, nearest)
  })
})
