import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { openReadOnly } from '../../src/engine/read-only.ts'
import { closedNote, notesTable, openNote } from './notes-table.ts'
import { StoreBench } from './store-bench.ts'

/** Ids visible to a read-only opener of the folder. */
async function idsBeside(bench: StoreBench): Promise<string[]> {
  const { database, close } = await openReadOnly({
    dataFolder: bench.folder,
    tables: [notesTable],
    memoryBytesMax: 256e6,
    temporaryFolder: join(bench.folder, 'tmp'),
  })
  try {
    const ids: string[] = []
    for await (const { rows } of database.query('SELECT id FROM notes ORDER BY id'))
      ids.push(...rows.map(([id]) => String(id)))
    return ids
  } finally {
    close()
  }
}

test('a read-only opener of a flushing store sees every row once, retained rows too', async () => {
  await using bench = await StoreBench.open()
  await bench.store.write('notes', [openNote('open')])
  let isDone = false
  const written = ['open']
  const flushing = (async () => {
    for (let i = 0; !isDone; i++) {
      const id = `id-${String(i).padStart(5, '0')}`
      await bench.store.write('notes', [closedNote(id)])
      written.push(id)
      await bench.store.flush()
    }
  })()
  try {
    for (let i = 0; i < 150; i++) {
      const before = [...written].sort()
      const seen = await idsBeside(bench)
      expect(seen).toEqual([...new Set(seen)])
      expect(before.filter((id) => !seen.includes(id))).toEqual([])
    }
  } finally {
    isDone = true
    await flushing
  }
}, 600_000)
