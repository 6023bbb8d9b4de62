import { describe, expect, test } from 'bun:test'
import { ProjectObjects } from '../support/objects.ts'
import { Project } from '../support/project.ts'
import { expectRefusal } from '../support/refusals.ts'
import { digestOfRows, rowDigest, Tables } from '../support/tables.ts'
import { freshProject, ownServer } from '../support/target.ts'

const server = await ownServer({ env: { TRACELAKE_DIALECT: 'weave' } })

function fresh() {
  const project = freshProject(server.client)
  const objects = new ProjectObjects(server.client, project.id)
  return { objects, tables: new Tables(project), at: `weave:///${project.id}` }
}

const read = (...refs: string[]) => server.client.post<{ vals: unknown[] }>('/refs/read_batch', { refs })

describe('digests computed by a client over refs as it sends them', () => {
  test('match those of the Python client 0.53.13 without internal ids', async () => {
    const objects = new ProjectObjects(server.client, 'acme/log-of-client')
    const table = '1c95cdc46a75d6e7e971986a80adfcd676dd22f2222a3405c7743f3db8df6785'
    const val = { _type: 'Dataset', rows: `weave:///acme/log-of-client/table/${table}`, name: 'questions', é: ['F', 2] }
    // 1.0 must arrive with its fraction.
    const stored = await objects.createText('questions', JSON.stringify(val).replace('"F"', '1.0'))
    expect(stored).toBe('0Y1Sq5VsfbV097lfEqSBZaCh3LbOM9UXjbW53gE2et4')
    const found = await objects.read('questions', 'HTOcMs95kX3x18XfmB7bon1ua7tYBDSt0yWN56Iy6YI')
    expect(found.digest).toBe(stored)
    const tables = new Tables(new Project(server.client, 'acme', 'log-of-client'))
    const row = { of: 'weave:///acme/log-of-client/object/a:v0', n: 7 }
    await tables.create([row, { n: 2 }])
    expect((await tables.query(digestOfRows([rowDigest(row), rowDigest({ n: 2 })]))).map(({ val }) => val)).toEqual([
      row,
      { n: 2 },
    ])
  })

  test('identify the version wherever a digest is accepted', async () => {
    const { objects, at } = fresh()
    const val = { inner: `${at}/object/other:v0`, n: 1 }
    const sent = rowDigest(val)
    await objects.create('a', { n: 0 })
    const digest = await objects.create('a', val)
    expect(digest).not.toBe(sent)
    await objects.create('a', { n: 2 })
    const found = await objects.read('a', sent, { include_tags_and_aliases: true })
    expect(found).toMatchObject({ digest, val, version_index: 1, tags: [], aliases: [] })
    await objects.addTags('a', sent, 'good')
    await objects.setAliases('a', sent, 'prod')
    expect((await objects.read('a', digest, { include_tags_and_aliases: true })).tags).toEqual(['good'])
    expect((await objects.read('a', 'prod')).digest).toBe(digest)
    expect([await objects.tags(), await objects.aliases()]).toEqual([['good'], ['latest', 'prod']])
    expect((await objects.askRemoveTags('a', sent, ['good'])).status).toBe(200)
    expect(await objects.tags()).toEqual([])
    expect(await objects.delete('a', sent)).toBe(1)
    expectRefusal(await objects.askRead('a', sent), 404, 'was deleted')
    expectRefusal(await objects.askRead('b', sent), 404, 'not found')
  })

  test('work in refs, which are read and followed', async () => {
    const { objects, tables, at } = fresh()
    const inner = { n: 1, of: `${at}/object/x:v0` }
    await objects.create('inner', inner)
    const row = { of: `${at}/object/inner:${rowDigest(inner)}` }
    await tables.create([row])
    const outer = {
      rows: `${at}/table/${digestOfRows([rowDigest(row)])}`,
      inner: `${at}/object/inner:${rowDigest(inner)}`,
    }
    const digest = await objects.create('outer', outer)
    const sent = `${at}/object/outer:${rowDigest(outer)}`
    const answer = await read(sent, `${at}/object/outer:${digest}`, `${sent}/attr/inner/attr/n`)
    expect(answer.json.vals).toEqual([outer, outer, 1])
    const missing = await read(sent, `${at}/object/outer:${'0'.repeat(43)}`)
    expect(missing.status).toBe(404)
  })

  test('of a table can be an update base, but not in another project', async () => {
    const { tables, at } = fresh()
    const rows = [{ of: `${at}/object/a:v0` }, { n: 1 }]
    const sent = digestOfRows(rows.map(rowDigest))
    const { digest, row_digests } = await tables.create(rows)
    expect(digest).toBe(digestOfRows(row_digests))
    const { digest: longer } = await tables.update(sent, [{ append: { row: { n: 2 } } }])
    expect(longer).toBe(digestOfRows([...row_digests, rowDigest({ n: 2 })]))
    expect((await tables.query(sent)).length).toBe(2)
    expect(await fresh().tables.query(sent)).toEqual([])
  })

  test('are not accepted as expected_digest', async () => {
    const { objects, at } = fresh()
    const val = { at: `${at}/object/x:v0` }
    expectRefusal(await objects.askCreate('a', val, { expected_digest: rowDigest(val) }), 409, 'its digest is')
  })
})
