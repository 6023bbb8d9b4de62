import { expect, test } from 'bun:test'
import type { FilesSnapshot } from '../../src/engine/reads/files-snapshot.ts'
import { placeOrder, type RowPlace, type RowsWanted } from '../../src/engine/reads/rows-wanted.ts'
import { callsTable } from '../../src/engine/tables/calls-table.ts'
import { readLimits } from '../../src/lib/limits/reads.ts'
import { storageLimits } from '../../src/lib/limits/storage.ts'
import { callRow } from './call-row.ts'
import { startMs } from './notes-table.ts'
import { Random, seedOr } from './random.ts'
import { StoreBench } from './store-bench.ts'

const projectId = 'acme/pages'
const firstMicros = 1e15
const pageRows = 20

const callOf = ({ id, time }: RowPlace, project = projectId) =>
  callRow(project, 0, { id, started_at: time, ended_at: time + 1, written_at: startMs * 1000 })

/** Rows of one file; neighbouring files overlap, and many rows share a time. */
function rowsOfFile(random: Random, file: number, rows: number): RowPlace[] {
  const from = firstMicros + file * 900
  return Array.from({ length: rows }, (_, at) => ({ id: `id-${file}-${at}`, time: from + random.below(1000) }))
}

const isIn = ({ time }: RowPlace, { after = -Infinity, through = Infinity }: RowsWanted['times']): boolean =>
  time > after && time <= through

test('pages far from the beginning are those of all rows in order, however many are counted instead of read', async () => {
  const random = new Random(seedOr(20_261_129))
  const { pointSkippedMin } = readLimits
  const { rowGroupRowsMax } = storageLimits
  Object.assign(readLimits, { pointSkippedMin: 1 })
  Object.assign(storageLimits, { rowGroupRowsMax: 2048 })
  try {
    await using bench = await StoreBench.open([callsTable])
    const all: RowPlace[] = []
    let [asked, skipping, groupsSkipped] = [0, 0, 0]
    const ask = async (files: FilesSnapshot) => {
      const offset = random.below(all.length + 10)
      const bound = firstMicros + random.below(5000)
      const [isTimeDescending, isIdDescending] = [random.chance(0.5), random.chance(0.5)]
      const times = random.pick([{}, {}, { after: bound }, { through: bound }])
      const limit = offset + pageRows
      const wanted = { oneOf: new Map(), areNull: [], times, isTimeDescending, isIdDescending, limit, offset }
      const isPlain = Object.keys(times).length === 0 && isTimeDescending && isIdDescending
      const few = await files.fewRows('calls', {}, { times, lastRows: isPlain ? limit : undefined }, {}, wanted)
      asked++
      // Too many of the rows before the page would have been read.
      if (few === undefined) return
      const expected = all.filter((row) => isIn(row, times)).toSorted(placeOrder(wanted))
      const page = few.places.slice(offset - few.skipped).map(({ id }) => id)
      expect(page).toEqual(expected.slice(offset, limit).map(({ id }) => id))
      if (few.skipped > 0) skipping++
      if (few.skipped % 2048 === 0 && few.skipped > 0) groupsSkipped++
    }
    for (const [file, rows] of [700, 5000, 40, 5000, 300].entries()) {
      const some = rowsOfFile(random, file, rows)
      all.push(...some)
      await bench.store.write(
        'calls',
        some.map((row) => callOf(row)),
      )
      // Rows of another project are in the same file.
      if (file === 2) await bench.store.write('calls', [callOf({ id: 'other', time: firstMicros }, 'acme/others')])
      await bench.store.flush()
      for (let at = 0; at < 40; at++) await bench.store.inFiles('calls', { projectId }, ask)
    }
    expect(skipping).toBeGreaterThan(asked / 10)
    expect(groupsSkipped).toBeGreaterThan(0)
    // A row that is hidden in a file is not counted there.
    const gone = all.splice(0, 1).map(({ id }) => callsTable.tombstone(projectId, id, bench.nowMs * 1000))
    await bench.store.write('calls', gone)
    await bench.store.read(['calls'], { projectId }, async (snapshot) => {
      const limit = all.length
      const wanted = { oneOf: new Map(), areNull: [], times: {}, isTimeDescending: true, isIdDescending: true }
      const few = await snapshot.fewRows('calls', {}, {}, {}, { ...wanted, limit, offset: limit - pageRows })
      if (few !== undefined) expect(few.skipped).toBe(0)
    })
  } finally {
    Object.assign(readLimits, { pointSkippedMin })
    Object.assign(storageLimits, { rowGroupRowsMax })
  }
}, 120_000)
