import { orAborted } from '../../lib/or-aborted.ts'
import { inTime } from '../../runtime/objects/store-failures.ts'
import { NotAtHand, withoutWaiting } from '../../runtime/platform/without-waiting.ts'
import type { DataFile } from '../data-files/data-file.ts'
import type { KeyIndex } from '../key-index/key-index.ts'
import type { TableLayout } from '../layout.ts'
import type { Memtable } from '../memtable/memtable.ts'
import type { RowKey } from '../row-key.ts'
import { lookUpChanges } from './waiting-changes.ts'

/**
 * Rows cannot be drained, or sealed, until something of the files with their stored halves has been
 * fetched. That is done without the layers lock, for which readers wait. See
 * docs/decisions/283-fetching-before-locking.md.
 */
export class StoredRowsAway extends Error {
  /**
   * Fetches what is missing, and keeps it until the result is disposed of.
   *
   * @throws DomainError StoreUnavailable, also if the signal aborts
   */
  readonly bring: (signal?: AbortSignal) => Promise<Disposable>

  constructor(bring: StoredRowsAway['bring'], cause: unknown) {
    super('The stored halves of rows have to be fetched first', { cause })
    this.bring = bring
  }
}

interface Layers {
  readonly layout: TableLayout
  readonly active: Memtable
  readonly sealed: { readonly memtable: Memtable } | undefined
  readonly files: { readonly dataFiles: readonly DataFile[] }
  /** Those that are not known to be damaged. */
  readonly intact: readonly DataFile[]
  readonly keyIndex: KeyIndex
}

/**
 * Does what needs no files from elsewhere, or those that `bring` fetches.
 *
 * @throws StoredRowsAway
 */
export async function atHand<T>(
  layers: Layers,
  work: () => Promise<T>,
  bring: (layers: Layers, signal?: AbortSignal) => Promise<Disposable>,
): Promise<T> {
  if (layers.layout.files.filters === undefined) return await work()
  try {
    return await withoutWaiting(work)
  } catch (cause) {
    if (!(cause instanceof NotAtHand)) throw cause
    throw new StoredRowsAway((signal) => bring(layers, signal), cause)
  }
}

/** Fetches the data files that draining the memtable will read, and finds out which these are. */
export async function bringStoredRows(layers: Layers, signal?: AbortSignal): Promise<Disposable> {
  const { active, sealed, files, intact, keyIndex, layout } = layers
  const keys = new Set<RowKey>(active.dirty.keys())
  for (const [key] of active.lessons.entries()) keys.add(key)
  const elsewhere = [active, sealed?.memtable].filter((memtable) => memtable !== undefined)
  const wanted = [...keys].filter((key) => !elsewhere.some(({ keys, masked }) => keys.has(key) || masked.has(key)))
  const { dataFiles } = await inTime(signal, () => orAborted(keyIndex.lookUp(files.dataFiles, wanted), signal))
  const readable = dataFiles.filter((dataFile) => intact.includes(dataFile))
  const paths = readable.map(({ fileName }) => layout.parquet(fileName))
  return await layout.files.hold(paths, signal)
}

/** Looks up what sealing the memtable asks for. The memtable learns most of it. */
export async function bringChangedKeys(layers: Layers, signal?: AbortSignal): Promise<Disposable> {
  const { active, files, intact, keyIndex } = layers
  const damaged = files.dataFiles.filter((dataFile) => !intact.includes(dataFile))
  const lookUp = async () => {
    await lookUpChanges(layers, { mustKnow: true })
    await keyIndex.holdersOf(damaged, [...active.tombstones.keys()], { mustKnow: true })
  }
  await inTime(signal, () => orAborted(lookUp(), signal))
  return new DisposableStack()
}
