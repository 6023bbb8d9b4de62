import { storageLimits } from '../../lib/limits/storage.ts'
import type { ObjectStore } from '../../runtime/objects/object-store.ts'
import { indexedFile } from '../layout.ts'
import type { KeptFile } from '../table/table-storage.ts'
import type { CachedFolder } from './cached-folder.ts'

interface OldObjectsOptions {
  readonly store: ObjectStore
  /** The objects of the table. */
  readonly table: CachedFolder
  readonly isWanted: (fileName: string) => boolean
}

/**
 * Data files of a table whose objects, or those of their indexes, are so old that they may be
 * removed if no commit names them. Ages are by the clock of the store alone.
 */
export async function findOldObjects({ store, table, isWanted }: OldObjectsOptions): Promise<KeptFile[]> {
  const nowMs = await storeTime(store)
  if (nowMs === undefined) return []
  const isOld = (modifiedMs: number | undefined) =>
    modifiedMs !== undefined && nowMs - modifiedMs >= storageLimits.uncommittedKeptMs
  const found = new Map<string, number>()
  for await (const { name, bytes, modifiedMs } of table.list('part-'))
    if (isOld(modifiedMs) && isWanted(name)) found.set(name, bytes)
  // An index is sent before its data file.
  for await (const { name, modifiedMs } of table.list('_filters/')) {
    const fileName = indexedFile(name.slice('_filters/'.length))
    if (fileName !== undefined && isOld(modifiedMs) && isWanted(fileName) && !found.has(fileName))
      found.set(fileName, 0)
  }
  return [...found].map(([fileName, bytes]) => ({ fileName, bytes }))
}

/** The time of the last renewal of the lease, by the clock of the store, that of a moment ago. */
async function storeTime(store: ObjectStore): Promise<number | undefined> {
  for await (const { name, modifiedMs } of store.list('lease')) if (name === 'lease') return modifiedMs
  return undefined
}
