import { expect, test } from 'bun:test'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { notesTable } from '../../../test/store/notes-table.ts'
import { createLog } from '../../runtime/log.ts'
import { NotAtHand, refuseToWait, withoutWaiting } from '../../runtime/platform/without-waiting.ts'
import type { DataFile } from '../data-files/data-file.ts'
import { TableLayout } from '../layout.ts'
import { localFiles } from '../stored-files.ts'
import { DamagedFiles } from './damaged-files.ts'

test('a check that must not wait for its file does not fail those who may', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tracelake-damaged-'))
  try {
    const { promise: fetched, resolve: fetch } = Promise.withResolvers<void>()
    const files = {
      ...localFiles,
      hold: async () => {
        refuseToWait()
        await fetched
        return new DisposableStack()
      },
    }
    const layout = new TableLayout(folder, notesTable.name, undefined, files)
    const [fileName, size] = ['part-1.parquet', 100]
    await mkdir(dirname(layout.parquet(fileName)), { recursive: true })
    await writeFile(layout.parquet(fileName), 'damaged')
    // Of a data file, a check needs no more.
    const dataFile = { fileName, add: { path: fileName, size } } as DataFile
    const damaged = new DamagedFiles(layout, async () => true, createLog('silent'))
    const check = () => damaged.check(dataFile)
    const ends = Promise.allSettled([withoutWaiting(check), check(), withoutWaiting(check)])
    fetch()
    const refused = { status: 'rejected', reason: new NotAtHand() }
    expect(await ends).toEqual([refused, { status: 'fulfilled', value: true }, refused] as never)
  } finally {
    await rm(folder, { recursive: true })
  }
})
