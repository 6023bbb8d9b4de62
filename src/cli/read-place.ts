import { type PlaceOptions, placeConfig } from './place.ts'
import type { ReadablePlace, Wanted } from './read-lake.ts'
import { requireTables } from './with-store.ts'

/**
 * Lets a command read a data folder or a lake, whether or not a server is running there. Of a lake,
 * it gets a folder with what it wants.
 *
 * @throws ConfigError, DataFolderError
 */
export async function readPlace<T>(
  options: PlaceOptions,
  wanted: Wanted,
  work: (place: ReadablePlace) => Promise<T>,
): Promise<T> {
  const config = placeConfig(options)
  if (config.lake === undefined) {
    await requireTables(config.data)
    return await work({ config, name: config.data })
  }
  // Imported lazily: few commands need it.
  const { readLake } = await import('./read-lake.ts')
  return await readLake({ config, settings: config.lake, keptIn: options.data, wanted }, work)
}
