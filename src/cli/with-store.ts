import { refuseCache } from '../engine/folder/cache-marker.ts'
import { refuseLaterFormat } from '../engine/folder/folder-format.ts'
import { tablesFolder } from '../engine/layout.ts'
import type { StoreSize } from '../engine/stats.ts'
import type { Store } from '../engine/store.ts'
import { ConfigError } from '../runtime/config/config-error.ts'
import type { Config } from '../runtime/config/configuration.ts'
import { createLog } from '../runtime/log.ts'
import { systemClock } from '../runtime/platform/clock.ts'
import { fileExists } from '../runtime/platform/files/files.ts'
import { openStore } from '../server/open-store.ts'
import { Progress } from './output.ts'

/**
 * @throws ConfigError if the folder is not a data folder: a command that only reads must not create
 *   one; DataFolderError if a later version wrote it
 */
export async function requireTables(folder: string): Promise<void> {
  if (!(await fileExists(tablesFolder(folder))))
    throw new ConfigError(`${folder} is not a data folder: it has no tables; select the folder with --data`)
  await refuseCache(folder)
  await refuseLaterFormat(folder)
}

/** Store sizes before and after an operation. */
export interface Sizes {
  readonly before: StoreSize
  readonly after: StoreSize
}

/**
 * Opens the store of a folder that no server has open, runs `work` on it and closes it, reporting
 * progress.
 *
 * @throws DataFolderError, ConfigError if it cannot be opened
 */
export async function withStore(config: Config, work: (store: Store) => Promise<void>): Promise<Sizes> {
  await requireTables(config.data)
  // Commands report success in their own words.
  const log = createLog(config.logLevel === 'info' ? 'warn' : config.logLevel)
  const store = await openStore(config, log, systemClock)
  const progress = new Progress()
  const timer = setInterval(() => progress.say('Parquet files', store.size.files), 1_000)
  try {
    const before = store.size
    await work(store)
    return { before, after: store.size }
  } finally {
    clearInterval(timer)
    progress.end()
    await store.close()
  }
}
