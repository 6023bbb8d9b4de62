import { expect, test } from 'bun:test'
import { limits } from '../../src/limits.ts'
import { closedNote, notesTable } from './notes-table.ts'
import { StoreBench } from './store-bench.ts'

const idsIn = (name: string) => ({ text: `SELECT id FROM "${name}"`, values: [] })

test('streams that look something up while they go on all end, however many there are', async () => {
  await using bench = await StoreBench.open()
  const { store } = bench
  await store.write('notes', [closedNote('a'), closedNote('b')])
  const work = async () => {
    await using stream = await store.streamSnapshot([notesTable.name])
    const [branch] = stream.relation(notesTable.name, { projectId: 'p' }).branches
    if (branch?.source.kind !== 'table') throw new Error('the notes are not hot')
    let found = 0
    for await (const texts of stream.reader.texts(idsIn(branch.source.name), { timeoutMs: 60_000 })) {
      await using lookup = await store.snapshot([notesTable.name])
      found += texts.length + (await lookup.reader.rows(idsIn(branch.source.name), { timeoutMs: 60_000 })).length
    }
    return found
  }
  const count = 4 * Math.max(limits.lookupsMax, limits.streamsMax)
  expect(new Set(await Promise.all(Array.from({ length: count }, work)))).toEqual(new Set([4]))
})

test('lookups go on while nobody takes the rows of as many streams as there may be', async () => {
  await using bench = await StoreBench.open()
  const { store } = bench
  await store.write('notes', [closedNote('a')])
  const streams = await Promise.all(
    Array.from({ length: limits.streamsMax }, () => store.streamSnapshot([notesTable.name])),
  )
  const next = store.streamSnapshot([notesTable.name])
  await using lookup = await store.snapshot([notesTable.name])
  expect(lookup.relation(notesTable.name, { projectId: 'p' }).branches).toHaveLength(1)
  expect((await store.stats()).readers).toEqual({ busy: limits.streamsMax + 1, waiting: 1 })
  for (const stream of streams) await stream.release()
  await (await next).release()
})
