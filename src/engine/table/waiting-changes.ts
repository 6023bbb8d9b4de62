import { storageLimits } from '../../lib/limits/storage.ts'
import type { DataFile } from '../data-files/data-file.ts'
import type { KeyIndex, LookUpOptions } from '../key-index/key-index.ts'
import type { Memtable } from '../memtable/memtable.ts'
import type { WaitingKeys } from '../memtable/retained-rows.ts'
import type { RowKey } from '../row-key.ts'
import { isCold } from './compaction-policy.ts'

/** A data file with rows that have been deleted or replaced. */
interface ChangedFile {
  readonly rows: number
  readonly bytes: number
  readonly changedRows: number
  /** Bytes in memory of the rows that replace others. */
  readonly changedBytes: number
  /** When the first of these rows was changed. */
  readonly oldestMs: number
}

/**
 * Selects the files that a flush rewrites without their changed rows: all of them if they are
 * small; otherwise those of which much has changed, and those whose changes have waited long
 * enough, as many as the size of one step allows. The changes of the others go on waiting in
 * memory, within bounds. See docs/decisions/275-scattered-deletions.md and
 * docs/decisions/261-scattered-updates.md.
 */
export function selectRewrites<F extends ChangedFile>(
  files: readonly F[],
  { nowMs, bytesMax }: { readonly nowMs: number; readonly bytesMax: number },
): ReadonlySet<F> {
  const { rewrittenFreelyBytesMax, rewritesAtOnceBytesMax } = storageLimits
  const bytesOf = (some: Iterable<F>) => [...some].reduce((sum, { bytes }) => sum + bytes, 0)
  if (bytesOf(files) <= rewrittenFreelyBytesMax) return new Set(files)
  const chosen = new Set<F>()
  // Cold files are split first.
  const usual = files.filter((file) => !isCold(file))
  const due = [
    ...usual.filter(hasChangedMuch).toSorted((a, b) => shareOf(b) - shareOf(a)),
    ...usual.filter((file) => !hasChangedMuch(file) && isOld(file, nowMs)).toSorted((a, b) => a.oldestMs - b.oldestMs),
  ]
  let bytes = 0
  for (const file of due) {
    bytes += file.bytes
    if (chosen.size > 0 && bytes > rewritesAtOnceBytesMax) break
    chosen.add(file)
  }
  chooseBeyond(files, chosen, { sizeOf: ({ changedRows }) => changedRows, max: storageLimits.waitingChangesMax })
  chooseBeyond(files, chosen, { sizeOf: ({ changedBytes }) => changedBytes, max: bytesMax })
  return chosen
}

const shareOf = ({ changedRows, rows }: ChangedFile): number => changedRows / rows
const hasChangedMuch = (file: ChangedFile): boolean => shareOf(file) >= storageLimits.rewrittenShareMin
const isOld = ({ oldestMs }: ChangedFile, nowMs: number): boolean => nowMs - oldestMs >= storageLimits.retainedAgeMs

/** Whether a file should lose its changed rows by now. */
export const isDue = (file: ChangedFile, nowMs: number): boolean => hasChangedMuch(file) || isOld(file, nowMs)

/** Chooses further files, those with most changes first, until the others have few enough. */
function chooseBeyond<F extends ChangedFile>(
  files: readonly F[],
  chosen: Set<F>,
  { sizeOf, max }: { sizeOf: (file: F) => number; max: number },
): void {
  const others = files.filter((file) => !chosen.has(file)).toSorted((a, b) => sizeOf(b) / b.rows - sizeOf(a) / a.rows)
  let waiting = others.reduce((sum, file) => sum + sizeOf(file), 0)
  for (const file of others) {
    if (waiting <= max) break
    chosen.add(file)
    waiting -= sizeOf(file)
  }
}

/**
 * The keys of changed rows whose earlier versions stay in data files when a memtable is flushed:
 * its masks go on to the next memtable, with the tombstones and the rows that replace them.
 */
export async function selectWaitingChanges(options: {
  memtable: Memtable
  dataFiles: readonly DataFile[]
  keyIndex: KeyIndex
  nowMs: number
  /** Of the rows that replace others. */
  bytesMax: number
}): Promise<WaitingKeys> {
  const { memtable, dataFiles, keyIndex } = options
  if (!mayWait(memtable)) return new Set()
  const { files, others: rewritten } = await changesOf(memtable, dataFiles, keyIndex)
  for (const { keys } of selectRewrites(files, options)) for (const key of keys) rewritten.add(key)
  return new Set(files.flatMap(({ keys }) => keys.filter((key) => !rewritten.has(key))))
}

interface ChangesInFile extends ChangedFile {
  readonly dataFile: DataFile
  readonly keys: readonly RowKey[]
}

/** Files with rows that were deleted or replaced. Changes of others cannot wait in their files. */
export async function changesOf(
  memtable: Memtable,
  dataFiles: readonly DataFile[],
  keyIndex: KeyIndex,
): Promise<{ readonly files: readonly ChangesInFile[]; readonly others: Set<RowKey> }> {
  const { masked } = memtable
  const files: ChangesInFile[] = []
  const others = new Set<RowKey>()
  for (const [dataFile, { positions }] of await masked.in(dataFiles, keyIndex)) {
    const { rows, bytes } = dataFile
    const keys = positions.map((position) => masked.at(position))
    const changes = keys.map((key) => memtable.changeOf(key)).filter((change) => change !== undefined)
    if (changes.length < keys.length) for (const key of keys) others.add(key)
    else {
      const oldestMs = Math.min(...changes.map(({ sinceMs }) => sinceMs))
      const changedBytes = changes.reduce((sum, change) => sum + change.bytes, 0)
      files.push({ dataFile, rows, bytes, changedRows: keys.length, changedBytes, oldestMs, keys })
    }
  }
  return { files, others }
}

const mayWait = ({ masked, tombstones, replaced }: Memtable): boolean =>
  tombstones.size + replaced.size > 0 && masked.size > 0 && masked.size <= storageLimits.waitingChangesMax

/**
 * Looks up most of the keys that sealing the memtable asks for, before writers have to wait.
 *
 * @throws DomainError StoreUnavailable with `mustKnow`; see `KeyIndex.holdersOf`
 */
export async function lookUpChanges(
  { active, intact, keyIndex }: { active: Memtable; intact: readonly DataFile[]; keyIndex: KeyIndex },
  options?: LookUpOptions,
): Promise<void> {
  if (mayWait(active)) await active.masked.in(intact, keyIndex, options)
}
