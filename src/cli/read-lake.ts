import type { AsOf } from '../engine/delta/state-as-of.ts'
import { claimForCommands, type LakeIdentity } from '../engine/folder/cache-marker.ts'
import { acquireLock } from '../engine/folder/locked-folder.ts'
import { readableLake } from '../engine/lake/open-lake.ts'
import { ArrivingFiles } from '../engine/lake/snapshot/arriving-files.ts'
import { bringLake } from '../engine/lake/snapshot/bring-lake.ts'
import { DataFolderError } from '../engine/layout.ts'
import type { Table } from '../lib/table.ts'
import type { Config, LakeSettings } from '../runtime/config/configuration.ts'
import type { ObjectStore } from '../runtime/objects/object-store.ts'
import { ensureFolderDurably } from '../runtime/platform/files/durable-files.ts'
import { newTemporaryFolder, removeFolder } from '../runtime/platform/files/files.ts'
import { exit, onTerminationSignal } from '../runtime/platform/runtime.ts'
import { Progress } from './output.ts'

/** What a command reads. */
export interface Wanted {
  readonly tables: readonly Table[]
  /** The version of them. */
  readonly asOf?: AsOf | undefined
  /** Contents of files, and these documents. */
  readonly rest?: { readonly documents: readonly string[] }
  /** Whether what is fetched stays, as a data folder or a backup. */
  readonly isLasting?: boolean
  /** A folder that may have some of the files of a lake already. */
  readonly beside?: string
  /** Whether it reports missing files itself. */
  readonly isTolerant?: boolean
}

/** Data that a command reads. */
export interface ReadablePlace {
  /** The settings, with the folder to read. Nothing in a data folder may be changed. */
  readonly config: Config
  /** As messages name it. */
  readonly name: string
}

interface ReadLakeOptions {
  readonly config: Config
  readonly settings: LakeSettings
  /** A folder for what is fetched, which the next command finds there. */
  readonly keptIn: string | undefined
  readonly wanted: Wanted
}

/**
 * Fetches what a command wants of a lake into a folder, beside the node that serves it.
 *
 * @throws ConfigError, DataFolderError, ObjectStoreError
 */
export async function readLake<T>(
  { config, settings, keptIn, wanted }: ReadLakeOptions,
  work: (place: ReadablePlace) => Promise<T>,
): Promise<T> {
  const { store, identity } = await readableLake(settings)
  const { folder, release } = await (keptIn === undefined ? newFolder() : keptFolder(keptIn, identity))
  try {
    await bringTo({ store, folder, wanted, memoryBytesMax: config.memoryBytesMax })
    return await work({ config: { ...config, data: folder }, name: store.place })
  } finally {
    await release()
  }
}

interface BringOptions {
  readonly store: ObjectStore
  readonly folder: string
  readonly wanted: Wanted
  readonly memoryBytesMax: number
}

/** Fetches what is wanted into a folder that is locked or new, reporting progress. */
export async function bringTo({ store, folder, wanted, memoryBytesMax }: BringOptions): Promise<void> {
  const progress = new Progress()
  const files = new ArrivingFiles(store, folder, { beside: wanted.beside })
  await bringLake({ ...wanted, files, memoryBytesMax, onProgress: progress.say }).finally(() => progress.end())
}

interface FolderOfCopy {
  readonly folder: string
  readonly release: () => Promise<void>
}

/** A folder that is removed in the end, or when a signal ends the command. */
async function newFolder(): Promise<FolderOfCopy> {
  const folder = await newTemporaryFolder()
  const release = () => removeFolder(folder)
  onTerminationSignal(() => void release().finally(() => exit(130)))
  return { folder, release }
}

async function keptFolder(folder: string, identity: LakeIdentity): Promise<FolderOfCopy> {
  await ensureFolderDurably(folder)
  const lock = await acquireLock(folder, () => {})
  if (lock === undefined)
    throw new DataFolderError(`Cannot use ${folder}: another command has it open; choose another folder with --data`)
  try {
    await claimForCommands(folder, identity)
    return { folder, release: async () => lock.release() }
  } catch (cause) {
    lock.release()
    throw cause
  }
}
