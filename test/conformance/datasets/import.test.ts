import { describe, expect, test } from 'bun:test'
import { DatasetFiles } from '../support/datasets.ts'
import { formBytes, postForm } from '../support/files.ts'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const server = await sharedServer()
const fresh = () => new DatasetFiles(freshProject(server))

describe('an imported file', () => {
  test('is a version whose values keep their spelling', async () => {
    const data = fresh()
    const csv =
      'id,n,ok,note,doc\n007,1.50,true,"a ""b""\n\tc","{""a"": [1.0]}"\n12345678901234567890,-2,false,=1+1,[]\n'
    const made = await data.import(csv)
    expect(made).toMatchObject({ object_id: 'data', version_index: 0, rows: 2, added: 2, skipped: 0 })
    expect(await data.rows(made.digest)).toEqual([
      '{"id":"007","n":1.50,"ok":true,"note":"a \\"b\\"\\n\\tc","doc":{"a":[1.0]}}',
      '{"id":"12345678901234567890","n":-2,"ok":false,"note":"=1+1","doc":[]}',
    ])
  })

  test('is the same version when it is imported again', async () => {
    const data = fresh()
    const first = await data.import('a\n1\n2\n')
    expect(await data.import('a\n1\n2\n')).toMatchObject({ digest: first.digest, version_index: 0 })
    expect(await data.versions()).toBe(1)
  })

  test('takes types, names and empty cells from the options', async () => {
    const data = fresh()
    const columns = [
      { source: 'a', type: 'text' },
      { source: 1, name: 'B', empty: 'absent' },
      { source: 'c', skip: true },
      { source: 'd', empty: 'text' },
    ]
    const made = await data.import('a,b,c,d\n1,,x,\n2,3,y,z\n', { columns })
    expect(await data.rows(made.digest)).toEqual(['{"a":"1","d":""}', '{"a":"2","B":3,"d":"z"}'])
  })

  test('distinguishes an empty cell from an empty text', async () => {
    const data = fresh()
    const made = await data.import('a,b\n,""\nx,y\n')
    expect(await data.rows(made.digest)).toEqual(['{"a":null,"b":""}', '{"a":"x","b":"y"}'])
  })

  test('may be JSON Lines, whose values are kept', async () => {
    const data = fresh()
    const lines = [
      '{"2":1,"1":1.0,"big":12345678901234567890123,"t":"\\u00e9\\u0000"}',
      '{"m":[{"role":"user","content":"x"}]}',
    ]
    const made = await data.import(`${lines.join('\n')}\n\n`, {}, 'rows.jsonl')
    expect(await data.rows(made.digest)).toEqual([
      '{"2":1,"1":1.0,"big":12345678901234567890123,"t":"é\\u0000"}',
      '{"m":[{"role":"user","content":"x"}]}',
    ])
  })

  test('may have other separators, line ends and encodings', async () => {
    const data = fresh()
    const expected = ['{"a":1,"b":"é"}', '{"a":2,"b":"x,y"}']
    const text = 'a;b\n1;é\n2;"x,y"\n'
    const bytes = (encode: (text: string) => Uint8Array) => encode(text)
    const utf16 = (text: string) => new Uint8Array(Buffer.from(`\ufeff${text}`, 'utf16le'))
    const cases: [string | Uint8Array, object][] = [
      [text, {}],
      [`\ufeff${text}`, {}],
      [text.replaceAll('\n', '\r\n'), {}],
      [text.replaceAll('\n', '\r'), {}],
      [text.replaceAll(';', '\t'), {}],
      [text.replaceAll(';', '|'), {}],
      [bytes(utf16), {}],
      [bytes((one) => new Uint8Array(Buffer.from(one, 'latin1'))), { encoding: 'windows-1252' }],
    ]
    for (const [content, options] of cases) {
      const made = await data.import(content, options)
      expect(await data.rows(made.digest)).toEqual(expected)
    }
    expect(await data.versions()).toBe(1)
  })
})

describe('another import', () => {
  test('replaces the rows, and keeps the description', async () => {
    const data = fresh()
    await data.import('a\n1\n', { description: 'first' })
    const second = await data.import('a\n2\n')
    expect(second.version_index).toBe(1)
    expect(await data.rows()).toEqual(['{"a":2}'])
    const read = await server.get<{ description: string }>(data.project.v2('datasets/data/versions/latest'))
    expect(read.json.description).toBe('first')
  })

  test('appends to the latest version or the one that is named', async () => {
    const data = fresh()
    const first = await data.import('a\n1\n2\n')
    const second = await data.import('a\n3\n', { mode: 'append' })
    expect(second).toMatchObject({ rows: 3, added: 1 })
    const third = await data.import('a\n4\n', { mode: 'append', base_digest: first.digest })
    expect(await data.rows(third.digest)).toEqual(['{"a":1}', '{"a":2}', '{"a":4}'])
    const fourth = await data.import('a\n3\n', { mode: 'append', base_digest: 'v0' })
    expect(fourth.digest).toBe(second.digest)
    expectRefusal(await data.ask('a\n3\n', { mode: 'append', base_digest: 'v9' }), 404)
  })

  test('skips equal rows if told to', async () => {
    const data = fresh()
    expect(await data.import('a\n1\n1\n2\n', { equal_rows: 'skip' })).toMatchObject({ rows: 2, added: 2, skipped: 1 })
    expect(await data.import('a\n2\n3\n', { equal_rows: 'skip', mode: 'append' })).toMatchObject({
      rows: 3,
      added: 1,
      skipped: 1,
    })
    expect(await data.import('a\n3\n3\n', { mode: 'append' })).toMatchObject({ rows: 5, added: 2, skipped: 0 })
  })

  test('is refused if another version came first', async () => {
    const data = fresh()
    const first = await data.import('a\n1\n', { expected_latest_digest: '' })
    const second = await data.import('a\n2\n', { expected_latest_digest: first.digest })
    const late = await data.ask('a\n3\n', { expected_latest_digest: first.digest })
    expectRefusal(late, 409, 'has changed')
    expect(late.json).toMatchObject({ error_type: 'VersionConflict', latest_digest: second.digest })
    expect(await data.versions()).toBe(2)
  })
})

describe('access', () => {
  test('a read key may inspect, export and compare, but not import', async () => {
    const data = fresh()
    const { digest } = await data.import('a\n1\n')
    const key = await server.post<{ key: string }>('/keys/create', { name: 'reader', role: 'read' })
    const reader = new DatasetFiles(data.project.withKey(key.json.key))
    expectRefusal(await reader.ask('a\n2\n'), 403)
    expect((await reader.inspect('a\n2\n')).status).toBe(200)
    expect(await reader.rows(digest)).toEqual(['{"a":1}'])
    expect(await reader.diff(digest, digest)).toMatchObject({ same: 1 })
    expect(await data.versions()).toBe(1)
  })

  test('a key reaches its own projects only', async () => {
    const data = fresh()
    const { digest } = await data.import('a\n1\n')
    const scope = `${data.project.entity}/other`
    const key = await server.post<{ key: string }>('/keys/create', { name: 'other', role: 'write', scope })
    const other = new DatasetFiles(data.project.withKey(key.json.key))
    expectRefusal(await other.ask('a\n2\n'), 403)
    expectRefusal(await other.inspect('a\n2\n'), 403)
    const body = { project_id: data.project.id, object_id: 'data', digest, format: 'csv' }
    expectRefusal(await other.project.client.post('/datasets/export', body), 403)
  })
})

describe('a form', () => {
  test('needs a project, a file and options that match', async () => {
    const { client, id } = freshProject(server)
    const file = { member: 'file', content: 'a\n1\n', fileName: 'a.csv' }
    const project = { member: 'project_id', content: id }
    const options = (value: unknown) => ({ member: 'options', content: JSON.stringify(value) })
    const send = (...parts: Parameters<typeof formBytes>[0][number][]) =>
      postForm(client, '/datasets/import', formBytes(parts))
    expectInvalid(await send(project, options({ name: 'x' })), ['body', 'file'])
    expectInvalid(await send(file, options({ name: 'x' })), ['body', 'project_id'])
    expectInvalid(await send(project, file), ['body', 'options', 'name'])
    expectInvalid(await send(project, file, options({ name: 'x', mode: 'merge' })), ['body', 'options', 'mode'])
    expectInvalid(await send(project, file, { member: 'options', content: '{' }), ['body', 'options'])
    expectRefusal(await client.post('/datasets/import', {}), 415)
  })

  test.each([
    ['a/b', 'letters'],
    ['', 'letters'],
    ['x'.repeat(129), '128'],
    ['a b', 'letters'],
  ])('refuses the name %p', async (name, word) => {
    const data = fresh()
    const answer = await data.ask('a\n1\n', { name })
    expect([400, 422]).toContain(answer.status)
    expect(answer.text).toContain(word)
    expect(await data.versions()).toBe(0)
  })

  test('takes a name of 128 letters of any script', async () => {
    const data = fresh()
    const name = 'ש'.repeat(128)
    expect((await data.import('a\n1\n', { name })).object_id).toBe(name)
    expect(await data.rows('latest', name)).toEqual(['{"a":1}'])
  })
})
