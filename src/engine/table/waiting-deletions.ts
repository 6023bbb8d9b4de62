import { storageLimits } from '../../lib/limits/storage.ts'
import type { Table } from '../../lib/table.ts'
import { cellAt, positionOf } from '../../lib/typed-rows.ts'
import type { DataFile } from '../data-files/data-file.ts'
import type { KeyIndex } from '../key-index/key-index.ts'
import type { Memtable } from '../memtable/memtable.ts'
import type { RowKey } from '../row-key.ts'

/** A data file with deleted rows. */
interface FileWithDeletions {
  readonly rows: number
  readonly bytes: number
  readonly deletedRows: number
  /** When the first of these rows was deleted. */
  readonly oldestMs: number
}

/**
 * Selects the files that a flush rewrites without their deleted rows: all of them if they are
 * small; otherwise those that have lost much, and those whose deletions have waited long enough, as
 * many as the size of one step allows. The deletions in the others go on waiting in memory, within
 * a bound. See docs/decisions/275-scattered-deletions.md.
 */
export function selectRewrites<F extends FileWithDeletions>(files: readonly F[], nowMs: number): ReadonlySet<F> {
  const { rewrittenFreelyBytesMax, rewritesAtOnceBytesMax, waitingDeletionsMax, rewrittenShareMin, retainedAgeMs } =
    storageLimits
  const bytesOf = (some: Iterable<F>) => [...some].reduce((sum, { bytes }) => sum + bytes, 0)
  if (bytesOf(files) <= rewrittenFreelyBytesMax) return new Set(files)
  const shareOf = ({ deletedRows, rows }: F) => deletedRows / rows
  const isLarge = (file: F) => shareOf(file) >= rewrittenShareMin
  const isOld = (file: F) => nowMs - file.oldestMs >= retainedAgeMs
  const chosen = new Set<F>()
  const due = [
    ...files.filter(isLarge).toSorted((a, b) => shareOf(b) - shareOf(a)),
    ...files.filter((file) => !isLarge(file) && isOld(file)).toSorted((a, b) => a.oldestMs - b.oldestMs),
  ]
  let bytes = 0
  for (const file of due) {
    bytes += file.bytes
    if (chosen.size > 0 && bytes > rewritesAtOnceBytesMax) break
    chosen.add(file)
  }
  const others = files.filter((file) => !chosen.has(file)).toSorted((a, b) => shareOf(b) - shareOf(a))
  let waiting = others.reduce((sum, { deletedRows }) => sum + deletedRows, 0)
  for (const file of others) {
    if (waiting <= waitingDeletionsMax) break
    chosen.add(file)
    waiting -= file.deletedRows
  }
  return chosen
}

/**
 * The keys of deleted rows that stay in data files when a memtable is flushed: its masks and
 * tombstones go on to the next memtable. Files with rows that were replaced, rather than deleted,
 * are rewritten in any case.
 */
export async function selectWaitingDeletions(options: {
  table: Table
  memtable: Memtable
  dataFiles: readonly DataFile[]
  keyIndex: KeyIndex
  nowMs: number
}): Promise<ReadonlySet<RowKey>> {
  const { table, memtable, dataFiles, keyIndex, nowMs } = options
  const { masked, tombstones } = memtable
  if (tombstones.size === 0 || masked.size === 0 || masked.size > storageLimits.waitingDeletionsMax) return new Set()
  const touched = positionOf(table, table.updatedAtColumn, 'time')
  const files: (FileWithDeletions & { readonly keys: readonly RowKey[] })[] = []
  const rewritten = new Set<RowKey>()
  for (const [{ rows, bytes }, { positions }] of await masked.in(dataFiles, keyIndex)) {
    const keys = positions.map((position) => masked.at(position))
    const deleted = keys.map((key) => tombstones.get(key)).filter((row) => row !== undefined)
    if (deleted.length < keys.length) for (const key of keys) rewritten.add(key)
    else {
      const oldestMs = Math.min(...deleted.map((row) => (cellAt(row, touched) ?? 0) / 1000))
      files.push({ rows, bytes, deletedRows: keys.length, oldestMs, keys })
    }
  }
  for (const { keys } of selectRewrites(files, nowMs)) for (const key of keys) rewritten.add(key)
  return new Set(files.flatMap(({ keys }) => keys.filter((key) => !rewritten.has(key))))
}

/** Looks up most of the keys that sealing the memtable asks for, before writers have to wait. */
export async function lookUpDeletions({
  active,
  intact,
  keyIndex,
}: {
  active: Memtable
  intact: readonly DataFile[]
  keyIndex: KeyIndex
}): Promise<void> {
  const { masked, tombstones } = active
  if (tombstones.size > 0 && masked.size <= storageLimits.waitingDeletionsMax) await masked.in(intact, keyIndex)
}
