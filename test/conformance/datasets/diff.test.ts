import { describe, expect, test } from 'bun:test'
import { DatasetFiles } from '../support/datasets.ts'
import { expectRefusal } from '../support/refusals.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const server = await sharedServer()

/** Compares datasets of one column each, or of the given columns. */
async function compared(from: string[], to: string[], more: object = {}, header = 'a') {
  const data = new DatasetFiles(freshProject(server))
  const file = (lines: string[]) => `${[header, ...lines].join('\n')}\n`
  const old = await data.import(file(from), { header: true })
  const young = await data.import(file(to), { header: true })
  const diff = await data.diff(old.digest, young.digest, more)
  const { added, removed, changed, same } = diff
  return {
    counts: { added, removed, changed, same },
    diff,
    list: diff.changes.map((one) => [one.kind, one.from_index, one.to_index]),
  }
}

describe('two versions', () => {
  test('that are equal have no changes', async () => {
    const { counts, list } = await compared(['1', '2'], ['1', '2'])
    expect([counts, list]).toEqual([{ added: 0, removed: 0, changed: 0, same: 2 }, []])
  })

  test('pair equal rows first, then those between the same rows', async () => {
    const { counts, list, diff } = await compared(['p', 'q', 'r', 's'], ['o', 'p', 'x', 'r', 't', 'u'])
    expect(counts).toEqual({ added: 2, removed: 0, changed: 2, same: 2 })
    expect(list).toEqual([
      ['added', null, 0],
      ['changed', 1, 2],
      ['changed', 3, 4],
      ['added', null, 5],
    ])
    expect(diff.changes[1]).toMatchObject({ from_row: { a: 'q' }, to_row: { a: 'x' } })
  })

  test('count equal rows as often as they are there', async () => {
    const { counts } = await compared(['1', '1', '1', '2'], ['2', '1', '1'])
    expect(counts).toEqual({ added: 0, removed: 1, changed: 0, same: 3 })
  })

  test('may be paired by a column', async () => {
    const from = ['a,1', 'b,2', 'c,3']
    const to = ['c,4', 'b,2', 'd,5', 'a,6']
    const { counts, list } = await compared(from, to, { key: 'id' }, 'id,n')
    expect(counts).toEqual({ added: 1, removed: 0, changed: 2, same: 1 })
    expect(list).toEqual([
      ['changed', 2, 0],
      ['added', null, 2],
      ['changed', 0, 3],
    ])
  })

  test('list removed rows where they were', async () => {
    const { list } = await compared(['1', '2', '3', '4'], ['1', '4'])
    expect(list).toEqual([
      ['removed', 1, null],
      ['removed', 2, null],
    ])
  })

  test('are listed page by page, by kind', async () => {
    const rows = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => `${from + at}`)
    const { list, counts } = await compared(rows(0, 10_000), rows(5000, 12_000), {
      kinds: ['added'],
      offset: 10,
      limit: 3,
    })
    expect(counts).toEqual({ added: 2000, removed: 5000, changed: 0, same: 5000 })
    expect(list).toEqual([5010, 5011, 5012].map((at) => ['added', null, at]))
  })
})

test('an unknown version is 404', async () => {
  const data = new DatasetFiles(freshProject(server))
  const { digest } = await data.import('a\n1\n')
  const body = { project_id: data.project.id, object_id: 'data', from_digest: digest, to_digest: 'v7' }
  expectRefusal(await server.post('/datasets/diff', body), 404)
})

test('an object that is no dataset is refused', async () => {
  const { client, id } = freshProject(server)
  await client.post('/obj/create', { obj: { project_id: id, object_id: 'thing', val: { a: 1 } } })
  const named = { project_id: id, object_id: 'thing', digest: 'latest' }
  expectRefusal(await client.post('/datasets/columns', named), 400, 'no dataset')
  expectRefusal(await client.post('/datasets/export', { ...named, format: 'csv' }), 400, 'no dataset')
})
