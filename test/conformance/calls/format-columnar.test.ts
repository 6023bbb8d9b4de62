import { describe, expect, test } from 'bun:test'
import { type Table, tableFromIPC } from 'apache-arrow'
import type { Project } from '../support/project.ts'
import { expectRefusal } from '../support/refusals.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const server = await sharedServer()
const arrow = 'application/vnd.apache.arrow.stream'
const parquet = 'application/vnd.apache.parquet'

async function tableOf(project: Project, request: Record<string, unknown> = {}): Promise<Table> {
  const answer = await project.ask(request, arrow)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toStartWith(arrow)
  return tableFromIPC(answer.bytes)
}

const namesOf = (table: Table): string[] => table.schema.fields.map((field) => field.name)

const valuesOf = (table: Table, name: string): unknown[] => [...(table.getChild(name) ?? [])]

describe('Arrow stream', () => {
  test('has one row per call, in order', async () => {
    const project = freshProject(server)
    await project.add(
      { id: 'b', op_name: 'one' },
      { id: 'c', op_name: 'two' },
      { id: 'a', started_at: '2024-05-02T00:00:00Z' },
    )
    const table = await tableOf(project, { columns: ['id', 'op_name'] })
    expect(valuesOf(table, 'id')).toEqual(['b', 'c', 'a'])
    expect(valuesOf(table, 'op_name')).toEqual(['one', 'two', 'answer'])
  })

  test('has free JSON as text', async () => {
    const project = freshProject(server)
    await project.add({ id: 'a', inputs: { x: [1, { y: 'ä' }] }, output: 'plain text' })
    const table = await tableOf(project)
    const [inputs] = valuesOf(table, 'inputs')
    const [output] = valuesOf(table, 'output')
    expect(JSON.parse(String(inputs))).toEqual({ x: [1, { y: 'ä' }] })
    expect(JSON.parse(String(output))).toBe('plain text')
  })

  test('has the derived summary', async () => {
    const project = freshProject(server)
    await project.add({ id: 'a' })
    const [summary] = valuesOf(await tableOf(project, { columns: ['id', 'summary'] }), 'summary')
    expect(JSON.parse(String(summary))).toMatchObject({ ext: { status: 'success' } })
  })

  test('has the same schema with and without calls', async () => {
    const project = freshProject(server)
    await project.add({ id: 'a' })
    const [some, none] = [await tableOf(project), await tableOf(freshProject(server))]
    expect(none.numRows).toBe(0)
    expect(none.schema.fields.map(String)).toEqual(some.schema.fields.map(String))
    expect(namesOf(some)).toEqual(
      expect.arrayContaining(['id', 'project_id', 'op_name', 'started_at', 'inputs', 'output']),
    )
  })

  test('has null for missing values', async () => {
    const project = freshProject(server)
    await project.add({ id: 'a', ended_at: null })
    const table = await tableOf(project)
    expect(valuesOf(table, 'ended_at')).toEqual([null])
    expect(valuesOf(table, 'display_name')).toEqual([null])
  })

  test('has many calls', async () => {
    const project = freshProject(server)
    const ids = Array.from({ length: 3000 }, (_, index) => `call-${String(index).padStart(4, '0')}`)
    await project.add(...ids.map((id) => ({ id })))
    expect(valuesOf(await tableOf(project, { columns: ['id'] }), 'id')).toEqual(ids)
  })
})

describe('Parquet', () => {
  test.each(['some calls', 'no calls'])('is one whole file of %s', async (kind) => {
    const project = freshProject(server)
    if (kind === 'some calls') await project.add({ id: 'a' }, { id: 'b' })
    const { status, headers, bytes } = await project.ask({}, parquet)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toStartWith(parquet)
    expect(new TextDecoder().decode(bytes.subarray(0, 4))).toBe('PAR1')
    expect(new TextDecoder().decode(bytes.subarray(-4))).toBe('PAR1')
  })
})

test.each([{}, { include_costs: true }, { expand_columns: ['inputs.model'] }])(
  'a table without columns has all of its rows: %j',
  async (more) => {
    const project = freshProject(server)
    await project.add({ id: 'a' }, { id: 'b' })
    const request = { columns: [], ...more }
    expect((await tableOf(project, request)).numRows).toBe(2)
    expect((await project.ask(request, 'text/csv')).text).toBe('\r\n\r\n\r\n')
    const answer = await project.ask(request, parquet)
    expect(answer.status).toBe(200)
    expect(answer.text).toStartWith('PAR1')
  },
)

test.each([arrow, parquet])('an invalid request for %s is rejected in JSON', async (accept) => {
  expectRefusal(await freshProject(server).ask({ limit: -1 }, accept), 400)
})
