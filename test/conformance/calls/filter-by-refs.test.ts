import { beforeAll, describe, expect, test } from 'bun:test'
import { freshProject, sharedServer } from '../support/target.ts'

const project = freshProject(await sharedServer())
const digest = (letter: string) => letter.repeat(43)
const prompt = `ext:///${project.id}/object/prompt`
const dataset = `ext:///${project.id}/object/dataset`

beforeAll(async () => {
  await project.add(
    { id: 'top', inputs: { prompt: `${prompt}:${digest('a')}` }, started_at: '2024-05-01T10:00:01Z' },
    { id: 'deep', inputs: { list: [{ p: `${prompt}:${digest('b')}` }] }, started_at: '2024-05-01T10:00:02Z' },
    { id: 'tail', inputs: { p: `${prompt}:${digest('a')}/attr/text` }, started_at: '2024-05-01T10:00:03Z' },
    { id: 'inside-text', inputs: { p: `see ${prompt}:${digest('a')}` }, started_at: '2024-05-01T10:00:04Z' },
    { id: 'out', output: { rows: [`${dataset}:${digest('c')}`] }, started_at: '2024-05-01T10:00:05Z' },
    { id: 'bare-out', output: `${dataset}:${digest('d')}`, started_at: '2024-05-01T10:00:06Z' },
  )
})

const cases: [string, Record<string, unknown>, string[]][] = [
  ['a ref matches as a whole', { input_refs: [`${prompt}:${digest('a')}`] }, ['top']],
  ['a ref is found at any depth', { input_refs: [`${prompt}:${digest('b')}`] }, ['deep']],
  ['a ref with a tail matches only with its tail', { input_refs: [`${prompt}:${digest('a')}/attr/text`] }, ['tail']],
  ['`:*` matches every version and every tail', { input_refs: [`${prompt}:*`] }, ['top', 'deep', 'tail']],
  ['any of several', { input_refs: [`${prompt}:${digest('a')}`, `${prompt}:${digest('b')}`] }, ['top', 'deep']],
  ['refs in the output', { output_refs: [`${dataset}:${digest('c')}`] }, ['out']],
  ['an output that is nothing but a ref', { output_refs: [`${dataset}:${digest('d')}`] }, ['bare-out']],
  ['every version in the output', { output_refs: [`${dataset}:*`] }, ['out', 'bare-out']],
  ['refs in inputs are not refs in the output', { output_refs: [`${prompt}:*`] }, []],
  ['refs in the output are not refs in inputs', { input_refs: [`${dataset}:*`] }, []],
  ['both are to be met', { input_refs: [`${prompt}:*`], output_refs: [`${dataset}:*`] }, []],
]

describe('input_refs and output_refs', () => {
  test.each(cases)('%s', async (_rule, filter, ids) => {
    expect(await project.idsOf({ filter })).toEqual(ids)
  })

  test('refs are returned as sent', async () => {
    expect((await project.readExisting('top')).inputs).toEqual({ prompt: `${prompt}:${digest('a')}` })
  })
})
