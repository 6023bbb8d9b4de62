import { memberOf } from '../../lib/present.ts'
import type { Log } from '../../runtime/log.ts'
import { writeFileDurably } from '../../runtime/platform/files/durable-files.ts'
import { findText, listFolder, removeFolder } from '../../runtime/platform/files/files.ts'
import { baseName, joinPath } from '../../runtime/platform/files/paths.ts'
import { cacheMarkerFile, DataFolderError, holderFile, lockFile } from '../layout.ts'

/** What a cache folder records about its lake. */
export interface LakeIdentity {
  /** Random; the same if the lake is reached under another address. */
  readonly id: string
  readonly place: string
}

/**
 * Refuses a folder that is only a cache: data stored in it would be lost.
 *
 * @param instead what to do with the address of the lake
 * @throws DataFolderError
 */
export async function refuseCache(dataFolder: string, instead = 'give that address with --lake'): Promise<void> {
  const cached = await findCached(dataFolder)
  if (cached !== undefined)
    throw new DataFolderError(
      `Cannot open ${dataFolder}: it is only a cache of ${cached.place}; ${instead}, or choose another folder`,
    )
}

/**
 * Refuses to use a folder with data of its own as a cache.
 *
 * @throws DataFolderError
 */
export async function refuseData(dataFolder: string): Promise<void> {
  const own = namesOf(lockFile(dataFolder), holderFile(dataFolder))
  const other = (await listFolder(dataFolder)).find((name) => !own.has(name))
  if (other !== undefined && (await findCached(dataFolder)) === undefined)
    throw new DataFolderError(
      `Cannot use ${dataFolder} as the cache of a lake: it has "${other}" of its own; choose an empty or new folder ` +
        'with --data',
    )
}

/**
 * Refuses to keep what commands fetch from a lake in a folder that has something else: data of its
 * own, the cache of a server, or another lake.
 *
 * @throws DataFolderError
 */
export async function claimForCommands(dataFolder: string, lake: LakeIdentity): Promise<void> {
  await refuseData(dataFolder)
  const cached = await findCached(dataFolder)
  const why =
    cached === undefined || (cached.id === lake.id && cached.isForCommands)
      ? undefined
      : cached.id === lake.id
        ? 'it is the cache of a server'
        : `it has what was fetched from ${cached.place}`
  if (why !== undefined)
    throw new DataFolderError(`Cannot use ${dataFolder}: ${why}; choose another folder with --data`)
  const marker = { format: 1, ...lake, is_for_commands: true }
  await writeFileDurably(cacheMarkerFile(dataFolder), `${JSON.stringify(marker)}\n`)
}

/** Makes a folder that is locked the cache of a lake, and removes what another lake has in it. */
export async function claimCache(dataFolder: string, lake: LakeIdentity, log: Log): Promise<void> {
  const cached = await findCached(dataFolder)
  if (cached?.id === lake.id && !cached.isForCommands) return
  if (cached !== undefined) {
    log.warn(
      { cached: cached.place, lake: lake.place },
      'the folder has other files than those of this cache; emptying it',
    )
    const kept = namesOf(lockFile(dataFolder), holderFile(dataFolder), cacheMarkerFile(dataFolder))
    for (const name of await listFolder(dataFolder)) if (!kept.has(name)) await removeFolder(joinPath(dataFolder, name))
  }
  await writeFileDurably(cacheMarkerFile(dataFolder), `${JSON.stringify({ format: 1, ...lake })}\n`)
}

const namesOf = (...files: readonly string[]): ReadonlySet<string> => new Set(files.map((file) => baseName(file)))

/** The lake that a folder is a cache of; undefined if it is no cache. */
async function findCached(
  dataFolder: string,
): Promise<(LakeIdentity & { readonly isForCommands: boolean }) | undefined> {
  const text = await findText(cacheMarkerFile(dataFolder))
  if (text === undefined) return undefined
  const marker: unknown = JSON.parse(text)
  return {
    id: String(memberOf(marker, 'id')),
    place: String(memberOf(marker, 'place')),
    isForCommands: memberOf(marker, 'is_for_commands') === true,
  }
}
