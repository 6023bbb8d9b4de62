import { expect, test } from 'bun:test'
import type { Writer } from '../../runtime/duck/writer.ts'
import { idempotencyTable } from '../tables/idempotency-table.ts'
import { materialize } from './materialize.ts'
import { Memtable } from './memtable.ts'
import type { OlderLayers } from './stored-rows.ts'

const row = () =>
  idempotencyTable.row({
    project_id: 'p',
    id: 'a',
    target_project_id: null,
    fingerprint: 'f',
    status: null,
    answer: null,
    created_at: 1,
  })

for (const fails of [false, true])
  test(`rows count while they move into DuckDB, which ${fails ? 'fails' : 'succeeds'}`, async () => {
    const memtable = new Memtable(idempotencyTable, 1)
    memtable.applyUnaccounted([row()], 0)
    const counts: number[] = []
    const writer = {
      transaction: async () => {
        counts.push(memtable.rows)
        if (fails) throw new Error('out of memory')
      },
    } as unknown as Writer
    const older = {
      sealedTable: undefined,
      sealedHas: () => false,
      isMaskedInFiles: () => false,
      findInDamagedFiles: async () => [],
      findInFiles: async () => {
        counts.push(memtable.rows)
        return { dataFiles: [], matchingKeys: [] }
      },
    } as unknown as OlderLayers
    await materialize({ memtable: writer, older: writer }, idempotencyTable, memtable, older, 'all').catch(() => {})
    expect([...counts, memtable.rows]).toEqual([1, 1, 1])
  })
