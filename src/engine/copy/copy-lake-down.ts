import type { Table } from '../../lib/table.ts'
import { newTemporaryFolder, removeFolder } from '../../runtime/platform/files/files.ts'
import { requireReadableLake } from '../lake/check-lake.ts'
import { ArrivingFiles } from '../lake/snapshot/arriving-files.ts'
import { bringLake } from '../lake/snapshot/bring-lake.ts'
import { fillFolder, requireFolder } from './copy-down.ts'
import type { CopyOptions, CopyResult } from './copy-up.ts'

interface CopyLakeOptions extends CopyOptions {
  /** Referencing tables first. */
  readonly tables: readonly Table[]
  readonly documents: readonly string[]
  readonly memoryBytesMax: number
  /** Called once the folder is known to be a right one, and before it is changed. */
  readonly begin: () => Promise<void>
}

/**
 * Copies a lake into a new or empty folder, beside the node that serves it, or goes on with a copy
 * that was interrupted: then with what the lake has by now. A server refuses the folder until all
 * of it is there.
 *
 * @throws DataFolderError if there is no lake, or the folder has something else
 */
export async function copyLakeDown(options: CopyLakeOptions): Promise<CopyResult> {
  const { store, dataFolder, isDryRun } = options
  const { id } = await requireReadableLake(store)
  const text = `${JSON.stringify({ copy_of: store.place, lake: id })}\n`
  await requireFolder(dataFolder, text)
  if (isDryRun) return await plan(options)
  await options.begin()
  return await fillFolder(dataFolder, text, () => bring(options, dataFolder))
}

/** Reads the logs of the tables, which say what else there is. */
async function plan(options: CopyLakeOptions): Promise<CopyResult> {
  const folder = await newTemporaryFolder()
  try {
    return await bring(options, folder)
  } finally {
    await removeFolder(folder)
  }
}

async function bring({ store, isDryRun, tables, documents, ...rest }: CopyLakeOptions, folder: string) {
  const files = new ArrivingFiles(store, folder, { isPlan: isDryRun })
  await bringLake({ ...rest, files, tables, rest: { documents }, isLasting: true })
  return { ...files.counts, writes: 0 }
}
