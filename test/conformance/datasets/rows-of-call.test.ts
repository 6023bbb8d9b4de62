import { expect, test } from 'bun:test'
import { DatasetFiles } from '../support/datasets.ts'
import { expectInvalid } from '../support/refusals.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const server = await sharedServer()

interface Rows {
  rows: { object_id: string; digest: string; version_index: number; row_index: number; row_digest: string }[]
}

test('a call is followed to its rows in the latest version of each dataset', async () => {
  const project = freshProject(server)
  const data = new DatasetFiles(project)
  const row = (n: number, id: string) => JSON.stringify({ n, call: `ext:///${project.id}/call/${id}` })
  const lines = (...rows: string[]) => `${rows.join('\n')}\n`
  const asked = async (id: string) =>
    (await server.post<Rows>('/datasets/rows_of_call', { project_id: project.id, call_id: id })).json.rows
  expect(await asked('one')).toEqual([])
  const jsonl = { format: 'jsonl' }
  await data.import(lines(row(0, 'one'), row(1, 'gone')), jsonl)
  const many = Array.from({ length: 5_000 }, (_, n) => row(n, `other-${n}`))
  const latest = await data.import(lines(...many, row(0, 'one'), row(9, 'one'), row(0, 'one')), jsonl)
  const other = await data.import(lines(JSON.stringify({ from: { call: `ext:///${project.id}/call/one` } })), {
    ...jsonl,
    name: 'another',
  })
  const found = await asked('one')
  expect(found.map(({ object_id, version_index, row_index }) => [object_id, version_index, row_index])).toEqual([
    ['another', 0, 0],
    ['data', 1, 5_000],
    ['data', 1, 5_001],
    ['data', 1, 5_002],
  ])
  expect(found.map(({ digest }) => digest)).toEqual([other.digest, latest.digest, latest.digest, latest.digest])
  expect(found[1]?.row_digest).toBe(found[3]?.row_digest ?? '')
  // Neither the row of an older version, nor a call whose id begins like this one.
  expect(await asked('gone')).toEqual([])
  expect(await asked('on')).toEqual([])
  expect(await asked('other-4999')).toHaveLength(1)
  expect(await asked('it\'s " \\ odd')).toEqual([])
  expectInvalid(await server.post('/datasets/rows_of_call', { project_id: project.id }), ['body', 'call_id'])
})
