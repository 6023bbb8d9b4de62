import { forEachConcurrent } from '../../../lib/concurrency.ts'
import { copyLimits } from '../../../lib/limits/objects.ts'
import type { Table } from '../../../lib/table.ts'
import { Database } from '../../../runtime/duck/database.ts'
import { Writer } from '../../../runtime/duck/writer.ts'
import { isObjectError, type ObjectInfo } from '../../../runtime/objects/object-store.ts'
import { findObject } from '../../../runtime/objects/put-own.ts'
import { writeFileDurably } from '../../../runtime/platform/files/durable-files.ts'
import { ensureFolder, removeFile, removeFolder } from '../../../runtime/platform/files/files.ts'
import { joinPath } from '../../../runtime/platform/files/paths.ts'
import { temporaryFolder } from '../../layout.ts'
import { type BringTableOptions, bringTable } from './bring-table.ts'

export interface BringLakeOptions extends Omit<BringTableOptions, 'writer'> {
  /** Referencing tables first, so that what they refer to is there. */
  readonly tables: readonly Table[]
  readonly memoryBytesMax: number
  /** What is wanted besides tables. */
  readonly rest?: {
    /** Documents to bring; they may be missing. */
    readonly documents: readonly string[]
  }
}

/**
 * Brings what a lake has now into a folder, in the form of a data folder, beside the node that
 * serves it: nothing in the store changes. Everything that was acknowledged before the call is
 * there afterwards. What the folder has already is not fetched again.
 *
 * See docs/decisions/295-reading-a-lake-beside-its-node.md, and for what is removed meanwhile
 * docs/decisions/293-how-long-unnamed-objects-stay.md.
 *
 * @throws as `bringTable`
 */
export async function bringLake(options: BringLakeOptions): Promise<void> {
  const { files, tables, memoryBytesMax, rest } = options
  const temporary = temporaryFolder(files.folder)
  await removeFolder(temporary)
  await ensureFolder(temporary)
  // Before the tables, too: a content whose rows are removed meanwhile may be gone afterwards.
  if (rest !== undefined) await bringBlobs(options)
  const database = await Database.open({ memoryBytesMax, temporaryFolder: temporary })
  const writer = new Writer(await database.connect())
  try {
    for (const table of tables) await bringTable({ ...options, writer }, table)
  } finally {
    writer.close()
    database.close()
  }
  if (rest === undefined) return
  await bringBlobs(options)
  for (const name of rest.documents) await bringDocument(options, name)
}

/** Contents have the names of a folder, without what makes the names of objects unique. */
async function bringBlobs({ files, onProgress }: BringLakeOptions): Promise<void> {
  const newest = new Map<string, ObjectInfo>()
  for await (const object of files.store.list('blobs/')) {
    const [name] = /^blobs\/..\/\w+/.exec(object.name) ?? []
    if (name !== undefined) newest.set(name, object)
  }
  let done = 0
  await forEachConcurrent(newest, copyLimits.filesAtOnce, async ([name, object]) => {
    try {
      await files.bring(object, { name })
    } catch (cause) {
      // No row names it any more, or it was stored again; then the second pass finds it.
      if (!isObjectError(cause, 'absent')) throw cause
    }
    onProgress('file contents', ++done, newest.size)
  })
}

async function bringDocument({ files }: BringLakeOptions, name: string): Promise<void> {
  const file = joinPath(files.folder, name)
  const found = await findObject(files.store, name)
  if (found === undefined) await removeFile(file)
  // Keys and accounts are for the owner alone.
  else await writeFileDurably(file, found.bytes, { mode: 0o600 })
}
