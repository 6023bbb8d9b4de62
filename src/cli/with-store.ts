import type { StoreSize } from '../engine/stats.ts'
import type { Store } from '../engine/store.ts'
import type { Config } from '../runtime/config/configuration.ts'
import { createLog } from '../runtime/log.ts'
import { systemClock } from '../runtime/platform/clock.ts'
import { openStore } from '../server/open-store.ts'
import { Progress } from './progress.ts'
import { requireTables } from './require-tables.ts'

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
