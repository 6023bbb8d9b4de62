import { expect, test } from 'bun:test'
import { append, Tables } from '../support/tables.ts'
import { freshProject, ownServer } from '../support/target.ts'

const server = await ownServer()
const rowsOf = (count: number, from = 0) => Array.from({ length: count }, (_, n) => ({ n: from + n }))

/**
 * The longest wait of others, who ask one after the other, as a share of the time that `work`
 * takes.
 */
async function longestWaitDuring<T>(work: Promise<T>): Promise<{ result: T; share: number }> {
  const startedMs = performance.now()
  let isOver = false
  const result = work.finally(() => {
    isOver = true
  })
  let longestMs = 0
  while (!isOver) {
    const askedMs = performance.now()
    expect((await server.client.get('/version')).status).toBe(200)
    longestMs = Math.max(longestMs, performance.now() - askedMs)
  }
  return { result: await result, share: longestMs / (performance.now() - startedMs) }
}

const rows = rowsOf(150_000)
const more = rowsOf(150_000, 150_000)

/** Creates a large table and makes it twice as large. */
async function makeLarge(tables: Tables) {
  const created = await longestWaitDuring(tables.create(rows))
  expect(await tables.count(created.result.digest)).toBe(rows.length)
  const grown = await longestWaitDuring(tables.update(created.result.digest, more.map(append)))
  return { ...grown, share: created.share + grown.share }
}

test('other requests are answered while a large table is created or updated', async () => {
  let tables = new Tables(freshProject(server.client))
  let grown = await makeLarge(tables)
  // Where rows are taken in and looked up in one piece, it is always two thirds; on a busy machine
  // a request may have to wait for other reasons.
  for (let again = 0; again < 4 && grown.share >= 0.6; again++) {
    tables = new Tables(freshProject(server.client))
    grown = await makeLarge(tables)
  }
  expect(grown.share).toBeLessThan(0.6)
  expect(await tables.count(grown.result.digest)).toBe(300_000)
  const page = await tables.vals(grown.result.digest, { offset: 149_998, limit: 4 })
  expect(page).toEqual([{ n: 149_998 }, { n: 149_999 }, { n: 150_000 }, { n: 150_001 }])
  const again = await tables.create([...rows, ...more])
  expect(again.digest).toBe(grown.result.digest)
}, 300_000)
