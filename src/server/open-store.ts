import type { LakeOptions } from '../engine/lake-parts.ts'
import { Store } from '../engine/store.ts'
import { tables } from '../engine/tables/tables.ts'
import type { Config } from '../runtime/config/configuration.ts'
import type { Log } from '../runtime/log.ts'
import type { Clock } from '../runtime/platform/clock.ts'

/**
 * Opens the data folder of a configuration, for the server and for commands that work offline.
 *
 * @throws DataFolderInUse if another process has the folder open; DataFolderError if it cannot be
 *   used
 */
export const openStore = (
  {
    data,
    memoryBytesMax,
    logKeptMs,
    versionsKeptMs,
    reservedBytes,
    coldBytesMax,
    queryTimeoutMs,
    cacheBytesMax,
  }: Config,
  log: Log,
  clock: Clock,
  lake?: LakeOptions,
): Promise<Store> => {
  const kept = { logKeptMs, versionsKeptMs, reservedBytes, coldBytesMax }
  return Store.open({
    dataFolder: data,
    tables,
    memoryBytesMax,
    ...kept,
    queryTimeoutMs,
    clock,
    log,
    ...(lake && { lake: { ...lake, cacheBytesMax } }),
  })
}
