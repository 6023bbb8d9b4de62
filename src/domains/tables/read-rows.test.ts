import { expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { Store } from '../../engine/store.ts'
import { tableRows } from '../../engine/tables/stored-tables.ts'
import { tables } from '../../engine/tables/tables.ts'
import { systemClock } from '../../runtime/platform/clock.ts'
import { Caller } from '../access/caller.ts'
import { RowTables } from './row-tables.ts'

test('a row stored again after its chunk was written still belongs to the row table', async () => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'tracelake-rows-'))
  const log = pino({ level: 'silent' })
  const store = await Store.open({ dataFolder, tables, memoryBytesMax: 256e6, clock: systemClock, log })
  try {
    const { writer, reader } = new RowTables({ store, clock: systemClock })
    const project = new Caller({ userId: 'u', userName: 'U', role: 'write', scope: '*' }).write('a/b')
    const { digest, rowDigests } = await writer.create(project, [{ n: 1 }, { n: 2 }])
    const later = { seq: Number.MAX_SAFE_INTEGER, created_at: Date.now() * 1000 }
    const again = { project_id: 'a/b', digest: rowDigests[0]!, val: '{"n":1}', size_bytes: 7, ...later }
    await store.write(tableRows.name, [tableRows.row(again)])
    for (const request of [
      { digest },
      { digest, limit: 1, offset: 0 },
      { digest, filter: { row_digests: rowDigests } },
    ]) {
      expect((await reader.rows(project, request))[0]).toEqual({ digest: rowDigests[0]!, val: '{"n":1}', index: 0 })
    }
  } finally {
    await store.close()
    await rm(dataFolder, { recursive: true })
  }
})
