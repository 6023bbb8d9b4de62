import { describe, expect, test } from 'bun:test'
import { Random } from '../../store/random.ts'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { append, digestOfRows, insert, pop, rowDigest, Tables } from '../support/tables.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const server = await sharedServer()

describe('table updates', () => {
  test('create a new table and leave the base unchanged', async () => {
    const tables = new Tables(freshProject(server))
    const base = await tables.create([{ a: 1 }, { a: 2 }])
    const updates = [append({ a: 3 }), pop(0), insert(1, { a: 4 }), insert(3, { a: 5 }), insert(0, { a: 0 })]
    const updated = await tables.update(base.digest, updates)
    const rows = [{ a: 0 }, { a: 2 }, { a: 4 }, { a: 3 }, { a: 5 }]
    expect(await tables.vals(updated.digest)).toEqual(rows)
    expect(updated.digest).toBe(digestOfRows(rows.map(rowDigest)))
    expect(updated.updated_row_digests).toEqual([{ a: 3 }, { a: 1 }, { a: 4 }, { a: 5 }, { a: 0 }].map(rowDigest))
    expect(await tables.vals(base.digest)).toEqual([{ a: 1 }, { a: 2 }])
  })

  test('an empty update list returns the base table', async () => {
    const tables = new Tables(freshProject(server))
    const { digest } = await tables.create([{ a: 1 }])
    expect(await tables.update(digest, [])).toEqual({ digest, updated_row_digests: [] })
  })

  test('can empty a table and fill an empty one', async () => {
    const tables = new Tables(freshProject(server))
    const { digest } = await tables.create([{ a: 1 }])
    const empty = (await tables.update(digest, [pop(0)])).digest
    expect(empty).toBe(digestOfRows([]))
    expect((await tables.update(empty, [append({ a: 1 })])).digest).toBe(digest)
    expect((await tables.update(empty, [insert(0, { a: 1 })])).digest).toBe(digest)
  })

  test.each([
    ['pop', -1],
    ['pop', 2],
    ['insert', -1],
    ['insert', 3],
  ])('rejects %s at %d', async (what, index) => {
    const tables = new Tables(freshProject(server))
    const { digest } = await tables.create([{ a: 1 }, { a: 2 }])
    expectRefusal(await tables.askUpdate(digest, [what === 'pop' ? pop(index) : insert(index, {})]), 400, String(index))
  })

  test('are applied atomically', async () => {
    const tables = new Tables(freshProject(server))
    const { digest } = await tables.create([{ a: 1 }])
    expectRefusal(await tables.askUpdate(digest, [append({ a: 2 }), pop(7)]), 400)
    expectInvalid(await tables.askFromDigests([rowDigest({ a: 2 })]), ['body', 'row_digests', '0'])
  })

  test('an unknown base is 404, an invalid update 422', async () => {
    const tables = new Tables(freshProject(server))
    expectRefusal(await tables.askUpdate(digestOfRows([]), []), 404)
    const { digest } = await tables.create([])
    expectInvalid(await tables.askUpdate(digest, [{ remove: { index: 0 } }]))
    expectInvalid(await tables.askUpdate(digest, [append([1])]))
    expectInvalid(await tables.askUpdate(digest, [append({}), { ...append({}), ...pop(0) }]), ['body', 'updates', '1'])
  })
})

test('a table grows row by row and batch by batch', async () => {
  const tables = new Tables(freshProject(server))
  const rows: unknown[] = []
  let { digest } = await tables.create([])
  for (const size of [1, 1, 1, 1, 1, 2, 3, 5, 1, 1, 3000, 3000, 1, 5000, 2, 1]) {
    const batch = Array.from({ length: size }, (_, n) => ({ n: rows.length + n, same: n % 7 === 0 }))
    const updated = await tables.update(digest, batch.map(append))
    rows.push(...batch)
    digest = updated.digest
  }
  expect(digest).toBe(digestOfRows(rows.map(rowDigest)))
  expect(digest).toBe((await tables.create(rows)).digest)
  expect(await tables.vals(digest)).toEqual(rows)
  expect(await tables.vals(digest, { offset: 5990, limit: 30 })).toEqual(rows.slice(5990, 6020))
}, 120_000)

const seed = Number(process.env['TRACELAKE_TEST_SEED'] ?? 20_281)

test(`random updates match the same edits of a list (TRACELAKE_TEST_SEED=${seed})`, async () => {
  const random = new Random(seed)
  const tables = new Tables(freshProject(server))
  let rows: unknown[] = Array.from({ length: 9000 }, (_, n) => ({ n }))
  let { digest } = await tables.create(rows)
  for (let round = 0; round < 12; round++) {
    const next = [...rows]
    const removed: string[] = []
    const updates = Array.from({ length: random.between(1, 60) }, () => {
      const row = { round, at: random.below(40) }
      const choice = random.next()
      if (choice < 0.3) {
        next.push(row)
        removed.push(rowDigest(row))
        return append(row)
      }
      if (choice < 0.6) {
        const index = random.below(next.length + 1)
        next.splice(index, 0, row)
        removed.push(rowDigest(row))
        return insert(index, row)
      }
      const index = random.below(next.length)
      removed.push(rowDigest(next.splice(index, 1)[0]))
      return pop(index)
    })
    const updated = await tables.update(digest, updates)
    expect(updated.updated_row_digests).toEqual(removed)
    expect(updated.digest).toBe(digestOfRows(next.map(rowDigest)))
    digest = updated.digest
    rows = next
  }
  expect(await tables.vals(digest)).toEqual(rows)
  expect(await tables.count(digest)).toBe(rows.length)
}, 120_000)
