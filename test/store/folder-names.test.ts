import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { pino } from 'pino'
import { Store } from '../../src/engine/store.ts'
import { closedNote, noteRow, notesTable, startMs } from './notes-table.ts'

const names = ['with space', "with 'quote'", 'data[1]', 'star*', 'what?', 'a WHERE b', '{a,b}', 'ümläut', '100%25']

for (const name of names) test(`a data folder may be named ${name}`, () => checkFolder((parent) => join(parent, name)))

test('the path of a data folder may be relative', () =>
  checkFolder((parent) => relative(process.cwd(), join(parent, 'data'))))

/** Writes, flushes, opens again and reads. */
async function checkFolder(folderIn: (parent: string) => string): Promise<void> {
  const parent = mkdtempSync(join(tmpdir(), 'tracelake-odd-'))
  const dataFolder = folderIn(parent)
  const open = () =>
    Store.open({
      dataFolder,
      tables: [notesTable],
      memoryBytesMax: 256e6,
      clock: { nowMs: () => startMs },
      log: pino({ level: 'silent' }),
    })
  try {
    let store = await open()
    await store.write('notes', [closedNote('a'), closedNote('b')])
    await store.close()
    rmSync(join(dataFolder, 'tables', 'notes', '_filters'), { recursive: true })
    store = await open()
    await store.write('notes', [noteRow({ id: 'a', votes: 1 })])
    await store.flush()
    const rows = await store.read(['notes'], { projectId: 'p' }, async (snapshot) => {
      const { branches } = snapshot.relation('notes')
      const paths = branches.flatMap(({ source }) => (source.kind === 'files' ? source.paths : []))
      const sql = { text: 'SELECT id, votes FROM read_parquet($1) ORDER BY id', values: [{ files: paths }] }
      return await snapshot.rows(sql)
    })
    expect(rows).toEqual([
      ['a', 1],
      ['b', null],
    ])
    await store.close()
  } finally {
    rmSync(parent, { recursive: true })
  }
}
