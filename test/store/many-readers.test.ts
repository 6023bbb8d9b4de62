import { expect, test } from 'bun:test'
import { readLimits } from '../../src/lib/limits/reads.ts'
import { HeldSnapshot } from './held-snapshot.ts'
import { closedNote, notesTable } from './notes-table.ts'
import { StoreBench } from './store-bench.ts'
import { until } from './until.ts'

const scope = { projectId: 'p' }
const idsIn = (name: string) => ({ text: `SELECT id FROM "${name}"`, values: [] })

test('streams that perform lookups all finish, however many run at once', async () => {
  await using bench = await StoreBench.open()
  const { store } = bench
  await store.write('notes', [closedNote('a'), closedNote('b')])
  const work = async () => {
    return await store.readLong([notesTable.name], scope, async (stream) => {
      const [branch] = stream.relation(notesTable.name).branches
      if (branch?.source.kind !== 'table') throw new Error('the notes are not hot')
      const sql = idsIn(branch.source.name)
      let found = 0
      for await (const texts of stream.texts(sql)) {
        const rows = await store.read([notesTable.name], scope, (lookup) => lookup.rows(sql))
        found += texts.length + rows.length
      }
      return found
    })
  }
  const count = 4 * Math.max(readLimits.lookupsMax, readLimits.streamsMax)
  expect(new Set(await Promise.all(Array.from({ length: count }, work)))).toEqual(new Set([4]))
})

test('lookups continue while the maximum number of streams is stalled', async () => {
  await using bench = await StoreBench.open()
  const { store } = bench
  await store.write('notes', [closedNote('a')])
  const streams = await Promise.all(Array.from({ length: readLimits.streamsMax }, () => HeldSnapshot.ofLongRead(store)))
  const next = HeldSnapshot.ofLongRead(store)
  await using lookup = await HeldSnapshot.ofLookup(store)
  expect(lookup.snapshot.relation(notesTable.name).branches).toHaveLength(1)
  await until(async () => (await store.stats()).readers.waiting === 1)
  expect((await store.stats()).readers).toEqual({ busy: readLimits.streamsMax + 1, waiting: 1 })
  for (const stream of streams) await stream.release()
  await (await next).release()
})
