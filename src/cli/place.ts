import { type Command, Option } from 'commander'
import { refuseCache } from '../engine/folder/cache-marker.ts'
import type { Config } from '../runtime/config/configuration.ts'
import { loadConfig } from '../runtime/config.ts'
import type { StoreOptions } from '../runtime/objects/open-object-store.ts'
import { openDocuments, type ServerDocuments } from '../server/open-documents.ts'
import { storeOptions } from './store-options.ts'

/** Options that say where the data of a command is. */
export interface PlaceOptions extends StoreOptions {
  readonly data?: string
  readonly lake?: string
}

/** Adds these options to a command. */
export function withPlace(command: Command): Command {
  const options = [
    new Option('--data <folder>', 'data folder (default: TRACELAKE_DATA, else ./data)'),
    new Option('--lake <address>', 'instead of a folder, the object store of a server with --lake (TRACELAKE_LAKE)'),
    ...storeOptions(),
  ]
  for (const option of options) command.addOption(option)
  return command
}

/**
 * The settings of a command. A folder that is named on the command line is meant, although a
 * variable names a lake.
 *
 * @throws ConfigError
 */
export function placeConfig(options: PlaceOptions): Config {
  const config = loadConfig(options)
  return options.data !== undefined && options.lake === undefined ? { ...config, lake: undefined } : config
}

/**
 * Opens the documents at a place, whether or not a server is running there.
 *
 * @throws ConfigError, DataFolderError
 */
export async function openPlace(
  options: PlaceOptions,
): Promise<ServerDocuments & { readonly place: string; readonly config: Config }> {
  const config = placeConfig(options)
  if (config.lake === undefined) {
    await refuseCache(config.data)
    return { ...(await openDocuments(config)), place: config.data, config }
  }
  // Imported lazily: few commands need it.
  const { joinLake } = await import('../engine/lake/open-lake.ts')
  const lake = await joinLake(config.lake)
  return { ...(await openDocuments(config, lake)), place: lake.store.place, config }
}
