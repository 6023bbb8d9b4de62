import type { Config } from '../config.ts'
import { createLog } from '../log.ts'
import { systemClock } from '../platform/clock.ts'
import type { StoreSize } from '../store/stats.ts'
import { Store } from '../store/store.ts'
import { tables } from '../tables/tables.ts'
import { Progress } from './progress.ts'
import { requireTables } from './require-tables.ts'

/** A store before and after some work. */
export interface Sizes {
  readonly before: StoreSize
  readonly after: StoreSize
}

/**
 * Opens the store of a folder that no server has open, works on it and closes it. Meanwhile it is said how many files there are.
 *
 * @throws DataFolderError, ConfigError where it cannot be opened
 */
export async function withStore(
  { data, memoryBytesMax, logKeptMs, logLevel }: Config,
  work: (store: Store) => Promise<void>,
): Promise<Sizes> {
  await requireTables(data)
  // What goes well the command says in its own words.
  const log = createLog(logLevel === 'info' ? 'warn' : logLevel)
  const store = await Store.open({ dataFolder: data, tables, memoryBytesMax, logKeptMs, clock: systemClock, log })
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
