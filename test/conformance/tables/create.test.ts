import { describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { digestOfRows, rowDigest, Tables } from '../support/tables.ts'
import { freshProject, ownServer, sharedServer } from '../support/target.ts'

const server = await sharedServer()
const emptyTable = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
const twoRows = '1c95cdc46a75d6e7e971986a80adfcd676dd22f2222a3405c7743f3db8df6785'

describe('a table', () => {
  test('has a digest computed from its row digests', async () => {
    const tables = new Tables(freshProject(server))
    const created = await tables.create([{ a: 1 }, { a: 2 }])
    expect(created).toEqual({ digest: twoRows, row_digests: [rowDigest({ a: 1 }), rowDigest({ a: 2 })] })
    expect(await tables.query(twoRows)).toEqual([
      { digest: rowDigest({ a: 1 }), val: { a: 1 }, original_index: 0 },
      { digest: rowDigest({ a: 2 }), val: { a: 2 }, original_index: 1 },
    ])
  })

  test('may be empty', async () => {
    const tables = new Tables(freshProject(server))
    expect(await tables.create([])).toEqual({ digest: emptyTable, row_digests: [] })
    expect(await tables.query(emptyTable)).toEqual([])
    expect(await tables.count(emptyTable)).toBe(0)
  })

  test('has the same digest when created again', async () => {
    const tables = new Tables(freshProject(server))
    const rows = [{ a: 1 }, { b: 'x' }]
    expect(await tables.create(rows)).toEqual(await tables.create(rows))
    const { digest } = await tables.create(rows)
    expect(await tables.vals(digest)).toEqual(rows)
  })

  test('keeps duplicate rows at every position', async () => {
    const tables = new Tables(freshProject(server))
    const { digest } = await tables.create([{ a: 1 }, { a: 2 }, { a: 1 }])
    expect((await tables.query(digest)).map(({ val, original_index }) => [val, original_index])).toEqual([
      [{ a: 1 }, 0],
      [{ a: 2 }, 1],
      [{ a: 1 }, 2],
    ])
  })

  test('returns rows verbatim and digests them as Python does', async () => {
    const tables = new Tables(freshProject(server))
    const rows = '[{"i":1},{"f":1.0,"big":123456789012345678901234567890,"2":0,"1":{"b":null}},{"é":"😀 \\u0000"}]'
    const text = `{"table":{"project_id":"${tables.project.id}","rows":${rows}}}`
    const { json } = await server.postRaw<{ digest: string; row_digests: string[] }>('/table/create', text)
    expect(json.row_digests[0]).toBe('X9JzV19XGsTuoYkllRKAipPm3SFXfSO3ce8QJUxep1k')
    const answer = await tables.askQuery(json.digest)
    const vals = [...answer.text.matchAll(/"val":(.*?),"original_index"/g)].map(([, val]) => val)
    expect(`[${vals.join(',')}]`).toBe(rows)
  })

  test('has a digest independent of member order; rows read as first sent', async () => {
    const tables = new Tables(freshProject(server))
    const sent = '[{"b":{"z":1,"10":2,"9":3},"a":1.0},{"a":1.0,"b":{"9":3,"10":2,"z":1}}]'
    const text = `{"table":{"project_id":"${tables.project.id}","rows":${sent}}}`
    const { json } = await server.postRaw<{ digest: string; row_digests: string[] }>('/table/create', text)
    const python = '{"a": 1.0, "b": {"10": 2, "9": 3, "z": 1}}'
    const digest = createHash('sha256').update(python).digest('base64url').replaceAll('-', 'X').replaceAll('_', 'Y')
    expect(json).toEqual({ digest: digestOfRows([digest, digest]), row_digests: [digest, digest] })
    expect((await tables.askQuery(json.digest)).text).toContain('"val":{"b":{"z":1,"10":2,"9":3},"a":1.0}')
    const grown = await tables.update(json.digest, [{ append: { row: { b: 1, a: 2 } } }])
    expect(grown.updated_row_digests).toEqual(['IVAduvcYUiOTTSIoPwHKY0EyvB3kqVUMHtDfYrOXoyM'])
  })

  test('is not visible to another project', async () => {
    await new Tables(freshProject(server)).create([{ a: 1 }, { a: 2 }])
    const other = new Tables(freshProject(server))
    expect(await other.query(twoRows)).toEqual([])
    expect(await other.count(twoRows)).toBe(0)
    await other.create([{ a: 2 }])
    expectInvalid(await other.askFromDigests([rowDigest({ a: 1 }), rowDigest({ a: 2 })]), ['body', 'row_digests', '0'])
  })

  test('shares rows with concurrently created tables, and each reads in full', async () => {
    const tables = new Tables(freshProject(server))
    const shared = Array.from({ length: 50 }, (_, n) => ({ shared: n }))
    const wanted = Array.from({ length: 20 }, (_, n) => [{ first: n }, ...shared.slice(n % 7), { last: n }])
    const made = await Promise.all(wanted.map((rows) => tables.create(rows)))
    const grown = await Promise.all(
      made.map(async ({ digest }, n) => (await tables.askUpdate(digest, [{ append: { row: { grown: n % 3 } } }])).json),
    )
    for (const [n, rows] of wanted.entries()) {
      expect(await tables.vals(made[n]!.digest)).toEqual(rows)
      expect(await tables.vals(grown[n]!.digest)).toEqual([...rows, { grown: n % 3 }])
    }
  })

  test('is stored once when created concurrently', async () => {
    const tables = new Tables(freshProject(server))
    const rows = Array.from({ length: 200 }, (_, n) => ({ n }))
    const made = await Promise.all(Array.from({ length: 6 }, () => tables.create(rows)))
    expect(new Set(made.map(({ digest }) => digest)).size).toBe(1)
    expect(await tables.vals(made[0]!.digest)).toEqual(rows)
  })
})

describe('a table created from row digests', () => {
  test('equals a table created from rows', async () => {
    const tables = new Tables(freshProject(server))
    const { digest, row_digests } = await tables.create([{ a: 1 }, { a: 2 }, { a: 3 }])
    expect(await tables.fromDigests(row_digests)).toBe(digest)
    const turned = await tables.fromDigests(row_digests.toReversed())
    expect(turned).toBe(digestOfRows(row_digests.toReversed()))
    expect(await tables.vals(turned)).toEqual([{ a: 3 }, { a: 2 }, { a: 1 }])
  })

  test('is rejected with the missing row digest, and nothing is stored', async () => {
    const tables = new Tables(freshProject(server))
    const { row_digests } = await tables.create([{ a: 1 }])
    const missing = rowDigest({ a: 0 })
    const digests = [row_digests[0]!, missing, row_digests[0]!]
    const refused = await tables.askFromDigests(digests)
    expectInvalid(refused, ['body', 'row_digests', '1'])
    expect(refused.text).toContain(missing)
    expect(refused.json).toHaveProperty('detail.length', 1)
    expect(await tables.count(digestOfRows(digests))).toBe(0)
    await tables.create([{ a: 0 }])
    expect(await tables.vals(await tables.fromDigests(digests))).toEqual([{ a: 1 }, { a: 0 }, { a: 1 }])
  })

  test('lists a bounded number of missing rows', async () => {
    const tables = new Tables(freshProject(server))
    const refused = await tables.askFromDigests(Array.from({ length: 5000 }, (_, n) => rowDigest({ missing: n })))
    expectInvalid(refused, ['body', 'row_digests', '0'])
    expect(refused.json).toHaveProperty('detail.length', 20)
  })

  test('rejects malformed digests', async () => {
    const tables = new Tables(freshProject(server))
    for (const wrong of ['', '../x', 'a"b', 'x'.repeat(129)]) {
      expectInvalid(await tables.askFromDigests([wrong]), ['body', 'row_digests', '0'])
    }
  })
})

describe('an expected digest', () => {
  test('is accepted if it matches; otherwise the table is rejected and nothing is stored', async () => {
    const tables = new Tables(freshProject(server))
    expect((await tables.askCreate([{ a: 1 }, { a: 2 }], twoRows)).json.digest).toBe(twoRows)
    const other = new Tables(freshProject(server))
    expectRefusal(await other.askCreate([{ a: 1 }], twoRows), 409, twoRows)
    expectRefusal(await other.askCreate([{ a: 1 }], ''), 409)
    expectRefusal(await other.askFromDigests([rowDigest({ a: 1 })], emptyTable), 409)
    expectInvalid(await other.askFromDigests([rowDigest({ a: 1 })]), ['body', 'row_digests', '0'])
  })
})

test.each([[1], ['x'], [null], [[{}]], [1.5], [{}, 2]])(
  'rows that are not objects are rejected: %j',
  async (...rows) => {
    const tables = new Tables(freshProject(server))
    expectInvalid(await tables.askCreate(rows), ['body', 'table', 'rows', String(rows.length - 1)])
  },
)

test('a row that is a number such as 1.0 is rejected', async () => {
  const project = freshProject(server)
  const text = `{"table":{"project_id":"${project.id}","rows":[1.0]}}`
  expectInvalid(await server.postRaw('/table/create', text), ['body', 'table', 'rows', '0'])
})

test('creating tables needs write access, reading them read access', async () => {
  const own = await ownServer()
  const project = freshProject(own.client)
  const tables = new Tables(project)
  const { digest } = await tables.create([{ a: 1 }])
  const reader = new Tables(project.withKey(await own.createKey({ name: 'reader', role: 'read', scope: project.id })))
  const stranger = new Tables(
    project.withKey(await own.createKey({ name: 's', role: 'write', scope: 'other/project' })),
  )
  expect(await reader.vals(digest)).toEqual([{ a: 1 }])
  expectRefusal(await reader.askCreate([]), 403)
  expectRefusal(await reader.askUpdate(digest, []), 403)
  expectRefusal(await reader.askFromDigests([]), 403)
  expectRefusal(await stranger.askQuery(digest), 403)
  expectRefusal(await stranger.askCreate([]), 403)
}, 120_000)

test('refs in rows are digested with the internal project id and returned with the project name', async () => {
  const project = freshProject(server)
  const tables = new Tables(project)
  const internal = btoa(project.id).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
  const row = { at: `ext:///${project.id}/object/x:y` }
  const { digest, row_digests } = await tables.create([row, { at: `ext-internal:///${internal}/object/x:y` }])
  expect(row_digests[0]!).toBe(rowDigest({ at: `ext-internal:///${internal}/object/x:y` }))
  expect(row_digests[1]!).toBe(row_digests[0]!)
  expect(await tables.vals(digest)).toEqual([row, row])
  expectRefusal(await tables.askCreate([{ deep: ['weave:///one'] }]), 400, 'weave:///one')
})
