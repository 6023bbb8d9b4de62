import { refuseCache } from '../engine/folder/cache-marker.ts'
import { refuseLaterFormat } from '../engine/folder/folder-format.ts'
import { tablesFolder } from '../engine/layout.ts'
import type { StoreSize } from '../engine/stats.ts'
import type { Store } from '../engine/store.ts'
import type { Table } from '../lib/table.ts'
import { ConfigError } from '../runtime/config/config-error.ts'
import type { Config } from '../runtime/config/configuration.ts'
import { createLog, type Log } from '../runtime/log.ts'
import { systemClock } from '../runtime/platform/clock.ts'
import { fileExists } from '../runtime/platform/files/files.ts'
import { openStore } from '../server/open-store.ts'
import { Progress } from './output.ts'
import { type PlaceOptions, placeConfig } from './place.ts'

/**
 * @throws ConfigError if the folder is not a data folder: a command that only reads must not create
 *   one; DataFolderError if a later version wrote it
 */
export async function requireTables(folder: string, insteadOfCache?: string): Promise<void> {
  if (!(await fileExists(tablesFolder(folder))))
    throw new ConfigError(`${folder} is not a data folder: it has no tables; select the folder with --data`)
  await refuseCache(folder, insteadOfCache)
  await refuseLaterFormat(folder)
}

/** A store, and its sizes before and after an operation. */
export interface Worked {
  /** As messages name it. */
  readonly place: string
  readonly before: StoreSize
  readonly after: StoreSize
}

/** Commands report success in their own words. */
export const commandLog = ({ logLevel }: Config): Log => createLog(logLevel === 'info' ? 'warn' : logLevel)

/**
 * Opens the store of a folder or lake that no server has open, runs `work` on it and closes it,
 * reporting progress.
 *
 * @param instead what to do if a server has the lake open
 * @throws DataFolderError, ConfigError if it cannot be opened
 */
export async function withStore(
  options: PlaceOptions,
  instead: string,
  work: (store: Store, place: string) => Promise<void>,
): Promise<Worked> {
  const config = placeConfig(options)
  const log = commandLog(config)
  if (config.lake === undefined) return await withFolder(config, log, work)
  // Imported lazily: few commands need it.
  const { ownLake } = await import('./own-lake.ts')
  return await ownLake({ settings: config.lake, keptIn: options.data, log, instead }, async (lake) => {
    const { store, node, folder, held, leave } = lake
    const refusal = () => (held.state === 'away' ? 'the object store does not answer' : undefined)
    const parts = { store, node, folder, refusal, onReplaced: leave }
    const opened = await openStore({ ...config, data: lake.cache }, log, systemClock, parts)
    opened.onLost(leave)
    return await working(opened, store.place, work)
  })
}

/**
 * The same for work that only reads. Of a lake it gets the tables as they are, whether or not a
 * server is running.
 */
export async function readStore(
  options: PlaceOptions,
  tables: readonly Table[],
  work: (store: Store, place: string) => Promise<void>,
): Promise<Worked> {
  const config = placeConfig(options)
  const log = commandLog(config)
  if (config.lake === undefined) return await withFolder(config, log, work)
  refuseKept(options.data)
  const { readLake } = await import('./read-lake.ts')
  return await readLake({ config, settings: config.lake, keptIn: undefined, wanted: { tables } }, async (place) =>
    working(await openStore(place.config, log, systemClock), place.name, work),
  )
}

/** @throws ConfigError if a folder is named for what is fetched: this command would change it */
export function refuseKept(folder: string | undefined): void {
  if (folder !== undefined)
    throw new ConfigError('--data: this command fetches what it needs of a lake into a temporary folder; leave it out')
}

async function withFolder(config: Config, log: Log, work: (store: Store, place: string) => Promise<void>) {
  await requireTables(config.data)
  return await working(await openStore(config, log, systemClock), config.data, work)
}

async function working(
  store: Store,
  place: string,
  work: (store: Store, place: string) => Promise<void>,
): Promise<Worked> {
  const progress = new Progress()
  const timer = setInterval(() => progress.say('Parquet files', store.size.files), 1_000)
  try {
    const before = store.size
    await work(store, place)
    return { place, before, after: store.size }
  } finally {
    clearInterval(timer)
    progress.end()
    await store.close()
  }
}
